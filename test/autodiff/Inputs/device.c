/* SPDX-License-Identifier: MIT */
/* device.c STEP INFER STATES OUT: trains the layer of device.py without a
   compiler, on targets of known weights, and writes the states to OUT. */
#include <glow/glow.h>
#include <stdio.h>

enum { N = 8, STEPS = 400 };

static float x[N * 3], labels[N * 2], y[N * 2], rows[N], rate = 0.1f, loss;

/* y of the weights that the labels have. */
static float goal(const float *row, int column) {
  return column ? row[0] - 2 * row[2] + 3 : 4 * row[1] + row[2] - 1;
}

static int check(glow_status status, const char *what) {
  if (status != GLOW_OK)
    printf("%s: %d %s\n", what, status, glow_message());
  return status == GLOW_OK;
}

static void fill(unsigned seed) {
  for (int i = 0; i < N * 3; ++i) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = (float)(seed >> 8) / (1 << 23) - 1;
  }
  for (int i = 0; i < N * 2; ++i)
    labels[i] = goal(x + i / 2 * 3, i % 2);
}

int main(int count, char **arguments) {
  glow_model *models[2];
  glow_program *programs[2];
  glow_session *session;
  if (count != 5)
    return 2;
  for (int i = 0; i < 2; ++i)
    if (!check(glow_model_load(arguments[1 + i], &models[i]), "load") ||
        !check(glow_compile(models[i], NULL, &programs[i]), "compile"))
      return 1;
  if (!check(glow_session_new_of(programs, 2, &session), "session"))
    return 1;
  glow_call *step = glow_session_call(session),
            *infer = glow_session_call_of(session, 1);
  if (!check(glow_session_restore(session, arguments[3]), "restore") ||
      !check(glow_bind(step, "x", x, sizeof x), "x") ||
      !check(glow_bind(step, "training.labels", labels, sizeof labels), "labels") ||
      !check(glow_bind(step, "training.rows", rows, sizeof rows), "rows") ||
      !check(glow_bind(step, "training.rate", &rate, sizeof rate), "rate") ||
      !check(glow_bind(step, "training.loss", &loss, sizeof loss), "loss") ||
      !check(glow_bind(infer, "x", x, sizeof x), "x") ||
      !check(glow_bind(infer, "y", y, sizeof y), "y"))
    return 1;
  for (int i = 0; i < N; ++i)
    rows[i] = 1.0f / N;
  fill(1);
  if (!check(glow_run(infer), "infer"))
    return 1;
  printf("before: %.3f is x0 + x1 + x2 + 0.5 = %.3f\n", y[0],
         x[0] + x[1] + x[2] + 0.5f);
  for (unsigned i = 0; i < STEPS; ++i) {
    fill(i);
    if (!check(glow_run(step), "step"))
      return 1;
    if (i == 0 || i + 1 == STEPS)
      printf("loss %g\n", loss);
  }
  fill(STEPS);
  if (!check(glow_run(infer), "infer"))
    return 1;
  float worst = 0;
  for (int i = 0; i < N * 2; ++i) {
    const float off = y[i] > labels[i] ? y[i] - labels[i] : labels[i] - y[i];
    worst = off > worst ? off : worst;
  }
  printf("after: %s\n", worst < 0.01f ? "as the goal" : "not as the goal");
  if (!check(glow_session_save(session, arguments[4]), "save"))
    return 1;
  glow_session_free(session);
  for (int i = 0; i < 2; ++i) {
    glow_program_free(programs[i]);
    glow_model_free(models[i]);
  }
  return worst < 0.01f ? 0 : 1;
}
