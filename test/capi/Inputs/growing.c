/* Sessions of a language model whose caches grow.

   growing MODEL FILE: of test/models/Inputs/decoder.py, with room for 32. */

#include <glow/glow.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { words = 64, most = 16, threads = 4, steps = 12 };

static glow_program *program;

static int show(const char *what, glow_status status) {
  printf("%s: %d %s\n", what, status, glow_message());
  return status == GLOW_OK;
}

/* Runs on tokens; returns the likeliest next one, or -1. */
static int64_t feed(glow_session *session, const int64_t *ids, int64_t count) {
  static _Thread_local float logits[most * words];
  const int64_t shape[2] = {1, count}, *shapes[5] = {shape};
  glow_call *call = glow_session_call(session);
  const float *last = logits + (count - 1) * words;
  int best = 0;
  if (glow_call_set_shapes(call, shapes) != GLOW_OK ||
      glow_bind(call, "input_ids", (void *)ids, (size_t)count * sizeof *ids) !=
          GLOW_OK ||
      glow_bind(call, "logits", logits,
                (size_t)count * words * sizeof *logits) != GLOW_OK ||
      glow_run(call) != GLOW_OK)
    return -1;
  for (int i = 1; i < words; ++i)
    if (last[i] > last[best])
      best = i;
  return best;
}

static void generate(glow_session *session, int64_t token, int64_t *tokens) {
  for (int i = 0; i < steps; ++i)
    tokens[i] = token = feed(session, &token, 1);
}

static size_t length(glow_session *session) {
  glow_state_info info = {0};
  glow_session_state(session, "past.0.key", &info);
  return info.length;
}

struct job {
  glow_session *session;
  int64_t first, tokens[steps];
};

static void *work(void *of) {
  struct job *job = of;
  generate(job->session, job->first, job->tokens);
  return NULL;
}

static void errors(glow_session *session) {
  const int64_t ids[most] = {1};
  float entries[2 * 16] = {0}, small;
  glow_session *fresh;
  glow_session_new(program, &fresh);
  show("sizes", glow_run(glow_session_call(fresh)));
  glow_session_free(fresh);
  printf("%d tokens: %d\n", most, feed(session, ids, most) >= 0);
  printf("more: %d %s\n", (int)feed(session, ids, most), glow_message());
  printf("length %zu\n", length(session));
  show("rollback", glow_session_rollback(session, 99));
  show("append", glow_session_append(session, "past.0.key", entries, 99));
  show("null", glow_session_append(session, "past.0.key", NULL, 1));
  show("get", glow_session_get(session, "past.0.key", &small, sizeof small));
  show("set", glow_session_set(session, "past.0.key", entries, 20));
  show("bind", glow_bind(glow_session_call(session), "past.0.key", entries,
                         sizeof entries));
  printf("length %zu\n", length(session));
}

int main(int count, char **arguments) {
  const int64_t prompt[] = {1, 2, 3};
  int64_t expected[steps], tokens[steps];
  glow_state_info info;
  glow_model *model;
  glow_session *session, *other;
  pthread_t thread[threads];
  struct job jobs[threads];
  glow_options *options = glow_options_new();
  int same = 1;
  if (count != 3 || glow_model_load(arguments[1], &model) != GLOW_OK ||
      glow_options_set_range(options, "P", 0, 32, 1) != GLOW_OK ||
      glow_options_set_range(options, "S", 1, most, 1) != GLOW_OK ||
      glow_options_set(options, "state", "append") != GLOW_OK ||
      !show("compile", glow_compile(model, options, &program)) ||
      !show("session", glow_session_new(program, &session)))
    return 1;
  glow_program_state(program, 0, &info);
  printf("%zu states: %s=%s [%d,%d,%d,%d], axis %d, %zu of %zu\n",
         glow_program_states(program), info.input, info.output,
         (int)info.shape[0], (int)info.shape[1], (int)info.shape[2],
         (int)info.shape[3], info.axis, info.length, info.capacity);
  feed(session, prompt, 3);
  glow_session_state(session, "present.0.key", &info);
  printf("after 3: %zu bytes, %zu of %zu\n", info.bytes, info.length,
         info.capacity);
  show("save", glow_session_save(session, arguments[2]));

  for (int i = 0; i < threads; ++i) {
    jobs[i].first = i % 2 ? 9 : 5;
    glow_session_fork(session, &jobs[i].session);
  }
  generate(session, 5, expected);
  glow_session_free(session);
  for (int i = 0; i < threads; ++i)
    pthread_create(&thread[i], NULL, work, &jobs[i]);
  for (int i = 0; i < threads; ++i) {
    pthread_join(thread[i], NULL);
    same &= !memcmp(jobs[i].tokens, i % 2 ? jobs[1].tokens : expected,
                    sizeof expected);
    glow_session_free(jobs[i].session);
  }
  printf("forks on threads: %d, apart: %d\n", same,
         memcmp(jobs[1].tokens, expected, sizeof expected) != 0);

  glow_session_new(program, &other);
  show("restore", glow_session_restore(other, arguments[2]));
  generate(other, 5, tokens);
  printf("restored: %d\n", !memcmp(tokens, expected, sizeof tokens));
  show("rollback", glow_session_rollback(other, steps));
  generate(other, 5, tokens);
  printf("rolled back: %d, length %zu\n",
         !memcmp(tokens, expected, sizeof tokens), length(other));
  errors(other);
  show("reset", glow_session_reset(other));
  feed(other, prompt, 3);
  generate(other, 5, tokens);
  printf("reset: %d\n", !memcmp(tokens, expected, sizeof tokens));
  glow_session_free(other);
  glow_program_free(program);
  glow_model_free(model);
  glow_options_free(options);
  return 0;
}
