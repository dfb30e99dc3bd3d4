/* Threads load, compile, bind and run at the same time: what they share, and
   what is their own. With a second argument, on that backend. */

#include <glow/glow.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *path;
static glow_options *options;
static glow_model *model;
static glow_program *shared;
static float image[784], expected[10];

/* Whether a program gives what it should. */
static int agrees(glow_program *program) {
  float probabilities[10] = {0};
  glow_call *call = NULL;
  int right = glow_call_new(program, &call) == GLOW_OK &&
              glow_bind(call, "image", image, sizeof image) == GLOW_OK &&
              glow_bind(call, "probabilities", probabilities,
                        sizeof probabilities) == GLOW_OK &&
              glow_run(call) == GLOW_OK &&
              memcmp(probabilities, expected, sizeof expected) == 0;
  glow_call_free(call);
  return right;
}

/* The same by a runner, which compiles for what it is given. */
static int runs(const glow_model *own) {
  const int64_t shape[] = {1, 1, 28, 28};
  const void *data = NULL;
  glow_tensor_info info;
  glow_runner *runner = NULL;
  int right =
      glow_runner_new(own, options, &runner) == GLOW_OK &&
      glow_runner_set(runner, "image", GLOW_F32, 4, shape, image) == GLOW_OK &&
      glow_runner_run(runner) == GLOW_OK &&
      glow_runner_output(runner, 0, &info, &data) == GLOW_OK &&
      info.bytes == sizeof expected &&
      memcmp(data, expected, sizeof expected) == 0;
  glow_runner_free(runner);
  return right;
}

static void *work(void *result) {
  glow_model *own = NULL, *missing = NULL;
  glow_program *first = NULL, *second = NULL;
  int right = glow_model_load(path, &own) == GLOW_OK &&
              glow_compile(model, options, &first) == GLOW_OK &&
              glow_compile(own, options, &second) == GLOW_OK && runs(own) &&
              runs(model);
  for (int i = 0; i < 20 && right; ++i)
    right = agrees(i % 3 == 0 ? shared : i % 3 == 1 ? first : second);
  /* The message of a thread is its own. */
  right = right && glow_model_load("nowhere", &missing) != GLOW_OK &&
          strstr(glow_message(), "nowhere");
  if (!right)
    fprintf(stderr, "%s\n", glow_message());
  glow_program_free(first);
  glow_program_free(second);
  glow_model_free(own);
  return right ? NULL : result;
}

static int prepare(void) {
  glow_call *call = NULL;
  int right =
      glow_model_load(path, &model) == GLOW_OK &&
      glow_compile(model, options, &shared) == GLOW_OK &&
      glow_call_new(shared, &call) == GLOW_OK &&
      glow_bind(call, "image", image, sizeof image) == GLOW_OK &&
      glow_bind(call, "probabilities", expected, sizeof expected) == GLOW_OK &&
      glow_run(call) == GLOW_OK;
  glow_call_free(call);
  return right;
}

int main(int count, char **arguments) {
  pthread_t threads[4];
  void *failed = NULL;
  for (int i = 0; i < 784; ++i)
    image[i] = (float)(i % 7) / 7;
  options = glow_options_new();
  if (count < 2 || glow_options_set(options, "threads", "2") != GLOW_OK ||
      (count > 2 &&
       glow_options_set(options, "backend", arguments[2]) != GLOW_OK))
    return 2;
  path = arguments[1];
  if (!prepare()) {
    fprintf(stderr, "%s\n", glow_message());
    return 2;
  }
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, work, arguments);
  for (int i = 0; i < 4; ++i) {
    void *result = NULL;
    pthread_join(threads[i], &result);
    failed = failed ? failed : result;
  }
  glow_program_free(shared);
  glow_model_free(model);
  glow_options_free(options);
  puts(failed ? "failed" : "all agree");
  return failed != NULL;
}
