/* SPDX-License-Identifier: MIT */
/* Loads the net of a path, and writes its result for an image, both as they
 * are in memory: load_net NET IMAGE RESULT. */

#include <glow/glow.h>
#include <stdio.h>

static int fail(void) {
  fprintf(stderr, "error: %s\n", glow_message());
  return 1;
}

int main(int count, char **arguments) {
  glow_model *model;
  glow_program *program;
  glow_call *call;
  float image[28 * 28], result[10];
  FILE *file;
  if (count != 4 || !(file = fopen(arguments[2], "rb")) ||
      fread(image, sizeof image, 1, file) != 1 || fclose(file))
    return 2;
  if (glow_model_load(arguments[1], &model) != GLOW_OK ||
      glow_compile(model, NULL, &program) != GLOW_OK ||
      glow_call_new(program, &call) != GLOW_OK ||
      glow_bind(call, "image", image, sizeof image) != GLOW_OK ||
      glow_bind(call, "probabilities", result, sizeof result) != GLOW_OK ||
      glow_run(call) != GLOW_OK)
    return fail();
  file = fopen(arguments[3], "wb");
  if (!file || fwrite(result, sizeof result, 1, file) != 1 || fclose(file))
    return 3;
  glow_call_free(call);
  glow_program_free(program);
  glow_model_free(model);
  return 0;
}
