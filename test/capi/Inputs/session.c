/* Sessions of a program with the state h0, whose next value is hn.

   session MODEL FILE [STATE]: y = 2 (x + h0) and hn = y + 1, of f32[4]. */

#include <glow/glow.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { size = 4, each = 25, threads = 4 };

static glow_program *program;

static int show(const char *what, glow_status status) {
  printf("%s: %d %s\n", what, status, glow_message());
  return status == GLOW_OK;
}

static int bind(glow_session *session, float *x, float *y) {
  glow_call *call = glow_session_call(session);
  return glow_bind(call, "x", x, size * sizeof *x) == GLOW_OK &&
         glow_bind(call, "y", y, size * sizeof *y) == GLOW_OK;
}

/* The first element of y, or -1. */
static float run(glow_session *session, float value) {
  float x[size], y[size];
  for (int i = 0; i < size; ++i)
    x[i] = value;
  if (!bind(session, x, y) || glow_run(glow_session_call(session)) != GLOW_OK)
    return -1;
  return y[0];
}

static float state(glow_session *session) {
  float h[size] = {-1};
  glow_session_get(session, "h0", h, sizeof h);
  return h[0];
}

/* What feeding the output back gives, through the memory of the caller. */
static float by_hand(int runs, float value) {
  float x[size], h[size] = {0}, hn[size], y[size] = {0};
  const void *inputs[] = {x, h};
  void *outputs[] = {y, hn};
  glow_call *call = NULL;
  glow_call_new(program, &call);
  for (int i = 0; i < runs; ++i) {
    for (int j = 0; j < size; ++j)
      x[j] = value;
    glow_run_on(call, inputs, outputs);
    memcpy(h, hn, sizeof h);
  }
  glow_call_free(call);
  return y[0];
}

static void *work(void *of) {
  glow_session *session = of;
  float last = 0;
  for (int i = 0; i < 10; ++i)
    last = run(session, 0.5f);
  return last == by_hand(10, 0.5f) ? of : NULL;
}

/* Sessions side by side, which begin as forks of one. */
static void side_by_side(void) {
  glow_session *parent = NULL, *forks[threads];
  pthread_t ids[threads];
  int right = 0;
  glow_session_new(program, &parent);
  for (int i = 0; i < threads; ++i) {
    glow_session_fork(parent, &forks[i]);
    pthread_create(&ids[i], NULL, work, forks[i]);
  }
  glow_session_free(parent);
  for (int i = 0; i < threads; ++i) {
    void *ok = NULL;
    pthread_join(ids[i], &ok);
    right += ok != NULL;
    glow_session_free(forks[i]);
  }
  printf("%d of %d sessions right\n", right, threads);
}

struct shared {
  glow_session *session;
  int done, refused, other;
};

static void *compete(void *of) {
  struct shared *mine = of;
  for (int i = 0; i < each; ++i) {
    const glow_status status = glow_run(glow_session_call(mine->session));
    mine->done += status == GLOW_OK;
    mine->refused += status == GLOW_INVALID_ARGUMENT &&
                     strstr(glow_message(), "in use already") != NULL;
    glow_session *fork = NULL;
    if (glow_session_fork(mine->session, &fork) == GLOW_OK)
      glow_session_free(fork);
    else
      mine->other += strstr(glow_message(), "in use already") == NULL;
  }
  return NULL;
}

/* Runs of one session at the same time: each is whole, or refused. */
static void on_one(void) {
  float x[size] = {0}, y[size];
  struct shared all[threads];
  pthread_t ids[threads];
  glow_session *session = NULL;
  int done = 0, refused = 0, other = 0;
  glow_session_new(program, &session);
  bind(session, x, y);
  for (int i = 0; i < threads; ++i) {
    all[i] = (struct shared){session, 0, 0, 0};
    pthread_create(&ids[i], NULL, compete, &all[i]);
  }
  for (int i = 0; i < threads; ++i) {
    pthread_join(ids[i], NULL);
    done += all[i].done;
    refused += all[i].refused;
    other += all[i].other;
  }
  printf("each run is done or refused: %d, others %d, right %d\n",
         done + refused == threads * each, other, y[0] == by_hand(done, 0));
  glow_session_free(session);
}

static void done(void *context, glow_status status) {
  *(glow_status *)context = status;
}

static void mistakes(glow_session *session) {
  float h[size];
  glow_call *call = glow_session_call(session);
  const void *inputs[] = {h, h};
  void *outputs[] = {h, h};
  glow_state_info info;
  show("bind", glow_bind(call, "h0", h, sizeof h));
  show("run on", glow_run_on(call, inputs, outputs));
  show("name", glow_session_state(session, "x", &info));
  show("size", glow_session_set(session, "h0", h, 3));
  show("null", glow_session_get(session, NULL, h, sizeof h));
  show("append", glow_session_append(session, "hn", h, 1));
  show("rollback", glow_session_rollback(session, 1));
  show("index", glow_program_state(program, 1, &info));
  show("file", glow_session_restore(session, "nowhere"));
}

int main(int count, char **arguments) {
  glow_model *model = NULL;
  glow_options *options = glow_options_new();
  glow_session *session = NULL, *fork = NULL;
  glow_state_info info;
  float h[size] = {1, 1, 1, 1}, x[size] = {2, 2, 2, 2}, y[size];
  glow_status over = GLOW_INTERNAL;

  if (count > 3 &&
      !show("option", glow_options_set(options, "state", arguments[3])))
    return glow_options_free(options), 1;
  if (glow_model_load(arguments[1], &model) != GLOW_OK ||
      glow_compile(model, options, &program) != GLOW_OK ||
      glow_session_new(program, &session) != GLOW_OK)
    show("no session", GLOW_INTERNAL);
  glow_model_free(model);
  glow_options_free(options);
  if (!session)
    return 1;

  for (size_t i = 0; i < glow_program_states(program); ++i) {
    glow_program_state(program, i, &info);
    printf("state %s=%s, rank %zu, %zu bytes, given %d, axis %d, %zu of %zu\n",
           info.input, info.output, info.rank, info.bytes, info.given,
           info.axis, info.length, info.capacity);
  }
  for (int i = 1; i <= 3; ++i)
    printf("run %d: %g, by hand %d\n", i, run(session, 1),
           state(session) == by_hand(i, 1) + 1);
  show("save", glow_session_save(session, arguments[2]));
  show("fork", glow_session_fork(session, &fork));
  show("set", glow_session_set(session, "h0", h, sizeof h));
  printf("set: %g, fork: %g\n", run(session, 1), run(fork, 1));
  show("restore", glow_session_restore(session, arguments[2]));
  show("reset", glow_session_reset(fork));
  printf("restored: %g, reset: %g\n", run(session, 1), run(fork, 1));

  bind(fork, x, y);
  show("async", glow_run_async(glow_session_call(fork), done, &over));
  glow_call_wait(glow_session_call(fork));
  printf("async: %d, y %g, state %g\n", over, y[0], state(fork));
  bind(fork, x, x);
  printf("in place: %d, y %g\n", glow_run(glow_session_call(fork)), x[0]);
  mistakes(session);
  glow_session_free(session);
  printf("still: %g\n", run(fork, 1));
  glow_session_free(fork);
  side_by_side();
  on_one();
  glow_program_free(program);
  return 0;
}
