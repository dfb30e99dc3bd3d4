// Runs a model 10,000 times on changing sizes, and fails when memory grows:
// churn MODEL BACKEND BURST RESULT, where BURST runs follow each other on one
// size. The model gives twice the positive elements of x[n,5], every third, or,
// with the RESULT "all", twice all elements.
#include <glow/glow.h>
#include <stdio.h>
#include <stdlib.h>

enum { runs = 10000, sizes = 40, limit = 16 };

static long resident(void) { // in MiB
  long pages = 0, all = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2)
    exit(2);
  fclose(file);
  return pages / 256;
}

static void check(glow_status status) {
  if (status == GLOW_OK)
    return;
  fprintf(stderr, "error: %s\n", glow_message());
  exit(1);
}

int main(int count, char **arguments) {
  static float x[64 * 5];
  glow_model *model;
  glow_runner *runner;
  glow_options *options = glow_options_new();
  long before = 0, rows = 0, burst = 0, all = 0;
  if (count != 5)
    return 2;
  burst = atol(arguments[3]);
  all = arguments[4][0] == 'a';
  check(glow_options_set(options, "backend", arguments[2]));
  check(glow_options_set(options, "cache-dir", ""));
  check(glow_options_set(options, "threads", "1"));
  check(glow_model_load(arguments[1], &model));
  check(glow_runner_new(model, options, &runner));
  glow_model_free(model);
  glow_options_free(options);
  for (int i = 0; i < 64 * 5; ++i)
    x[i] = i % 3 == 0 ? 1 : -1;
  for (long i = 0; i < runs; ++i) {
    int64_t shape[2] = {1 + i / burst % sizes, 5};
    glow_tensor_info info;
    const void *data;
    check(glow_runner_set(runner, "x", GLOW_F32, 2, shape, x));
    check(glow_runner_run(runner));
    check(glow_runner_output(runner, 0, &info, &data));
    int64_t wanted = all ? shape[0] : (shape[0] * 5 + 2) / 3;
    if (info.shape[0] != wanted || *(const float *)data != 2)
      return printf("wrong at %ld\n", i), 1;
    rows += info.shape[0];
    if (i == runs / 2) // each size was there
      before = resident();
  }
  glow_runner_free(runner);
  fprintf(stderr, "from %ld to %ld MiB\n", before, resident());
  if (resident() - before > limit)
    return printf("memory grows\n"), 1;
  printf("%ld rows, no growth\n", rows);
  return 0;
}
