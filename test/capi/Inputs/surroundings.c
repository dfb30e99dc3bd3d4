/* What happens around a program: surroundings WHAT MODEL BACKEND [THREADS].

   The model takes x, f32[2,32], and gives y, f32[2,64]. */

#define _XOPEN_SOURCE 700
#include <glow/glow.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static float x[64], y[128];
static glow_model *model;
static glow_program *program;
static glow_call *call;

static int show(glow_status status) {
  printf("%s\n", status == GLOW_OK              ? "ok"
                 : status == GLOW_OUT_OF_MEMORY ? "out of memory"
                                                : "refused");
  if (status != GLOW_OK)
    printf("  %s\n", glow_message());
  fflush(stdout);
  return status == GLOW_OK;
}

static int compile(const char *backend, const char *threads) {
  const int64_t shape[] = {2, 32};
  glow_options *options = glow_options_new();
  glow_options_set(options, "backend", backend);
  glow_options_set(options, "threads", threads);
  glow_options_set(options, "cache-dir", "");
  glow_options_set_shape(options, "x", 2, shape);
  glow_status status = glow_compile(model, options, &program);
  glow_options_free(options);
  return show(status);
}

static int run(void) {
  memset(y, 0, sizeof y);
  glow_bind(call, "x", x, sizeof x);
  glow_bind(call, "y", y, sizeof y);
  int good = show(glow_run(call));
  printf("y is %g\n", y[127]);
  fflush(stdout);
  return good;
}

static void release(void) {
  glow_call_free(call);
  glow_program_free(program);
  glow_model_free(model);
}

int main(int count, char **arguments) {
  const char *what = arguments[1];
  for (int i = 0; i < 64; ++i)
    x[i] = 1;
  if (!show(glow_model_load(arguments[2], &model)))
    return 1;
  if (strcmp(what, "folder") == 0 && chdir("/") != 0)
    return 2;
  if (!compile(arguments[3], count > 4 ? arguments[4] : "2"))
    return 1;
  if (!show(glow_call_new(program, &call)))
    return 1;
  run();
  if (strcmp(what, "cut") == 0) {
    if (truncate("weights.bin", 16) != 0)
      return 2;
    run();
  }
  if (strcmp(what, "fork") == 0) {
    int state;
    pid_t child = fork();
    if (child == 0) {
      run();
      release();
      _exit(0);
    }
    waitpid(child, &state, 0);
    printf("the child ended with %d\n", state);
    run();
  }
  release();
  return 0;
}
