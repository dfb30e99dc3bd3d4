/* SPDX-License-Identifier: MIT */
/* functions.c MODULE: the functions of a module over one session. */
#include <glow/glow.h>
#include <stdio.h>
#include <string.h>

enum { FUNCTIONS = 3 };

static void tell(const char *what, glow_status status) {
  printf("%s: %d %s\n", what, status, glow_message());
}

static void run(const char *what, glow_call *call, const float *value) {
  glow_status status = glow_run(call);
  if (status == GLOW_OK)
    printf("%s: %g %g %g %g\n", what, value[0], value[1], value[2], value[3]);
  else
    tell(what, status);
}

int main(int count, char **arguments) {
  static const char *names[FUNCTIONS] = {"infer", "train", "reset"};
  glow_model *module, *models[FUNCTIONS];
  glow_program *programs[FUNCTIONS], *none = NULL;
  glow_session *session, *fork;
  float x[4] = {10, 10, 10, 10}, goal[4] = {8, 4, 2, 0}, y[4], error[4], w[4],
        steps;
  if (count != 2 || glow_model_load(arguments[1], &module) != GLOW_OK) {
    tell("load", GLOW_INTERNAL);
    return 1;
  }
  printf("%zu functions:", glow_model_functions(module));
  for (size_t i = 0; i < glow_model_functions(module); ++i)
    printf(" %s", glow_model_function_name(module, i));
  printf(", %s\n", glow_model_function_name(module, 3) ? "more" : "no more");
  tell("unknown", glow_model_function(module, "learn", &models[0]));
  tell("null", glow_model_function(module, NULL, &models[0]));
  for (int i = 0; i < FUNCTIONS; ++i)
    if (glow_model_function(module, names[i], &models[i]) != GLOW_OK ||
        glow_compile(models[i], NULL, &programs[i]) != GLOW_OK) {
      tell(names[i], GLOW_INTERNAL);
      return 1;
    }
  printf("infer takes %zu, train %zu, reset %zu\n",
         glow_model_inputs(models[0]), glow_model_inputs(models[1]),
         glow_model_inputs(models[2]));
  glow_model_free(module);

  tell("none", glow_session_new_of(programs, 0, &session));
  tell("missing", glow_session_new_of(&none, 1, &session));
  tell("alone", glow_session_new(programs[0], &session));
  if (glow_session_new_of(programs, FUNCTIONS, &session) != GLOW_OK) {
    tell("session", GLOW_INTERNAL);
    return 1;
  }
  glow_call *infer = glow_session_call(session),
            *train = glow_session_call_of(session, 1),
            *reset = glow_session_call_of(session, 2);
  printf("call 0 %s, call 3 %s\n",
         infer == glow_session_call_of(session, 0) ? "is the first" : "differs",
         glow_session_call_of(session, 3) ? "is there" : "is null");
  tell("bind x", glow_bind(infer, "x", x, sizeof x));
  tell("bind y", glow_bind(infer, "y", y, sizeof y));
  tell("bind w", glow_bind(infer, "w", w, sizeof w));
  tell("bind goal", glow_bind(train, "goal", goal, sizeof goal));
  tell("bind error", glow_bind(train, "error", error, sizeof error));
  run("infer", infer, y);
  run("train", train, error);
  run("train", train, error);
  run("infer", infer, y);
  tell("fork", glow_session_fork(session, &fork));
  run("train", train, error);
  tell("fork bind", glow_bind(glow_session_call(fork), "x", x, sizeof x));
  tell("fork bind", glow_bind(glow_session_call(fork), "y", y, sizeof y));
  run("infer of the fork", glow_session_call(fork), y);
  run("infer", infer, y);
  tell("get", glow_session_get(session, "steps", &steps, sizeof steps));
  printf("steps %g\n", steps);
  tell("reset", glow_run(reset));
  tell("get", glow_session_get(session, "steps", &steps, sizeof steps));
  printf("steps %g\n", steps);
  tell("get", glow_session_get(fork, "steps", &steps, sizeof steps));
  printf("steps of the fork %g\n", steps);
  glow_session_free(session);
  glow_session_free(fork);
  for (int i = 0; i < FUNCTIONS; ++i) {
    glow_program_free(programs[i]);
    glow_model_free(models[i]);
  }
  return 0;
}
