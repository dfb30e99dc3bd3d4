/* Models from bytes: memory FILE DAMAGED [N] reads both and hands over the
   bytes, which are gone when the model is compiled, for a size n. */

#include <glow/glow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  char *data = NULL;
  if (!file || fseek(file, 0, SEEK_END) != 0)
    return NULL;
  *bytes = (size_t)ftell(file);
  rewind(file);
  data = malloc(*bytes);
  if (fread(data, 1, *bytes, file) != *bytes)
    return NULL;
  fclose(file);
  return data;
}

static glow_model *load(const char *path, const char *name) {
  glow_model *model = NULL;
  size_t bytes = 0;
  char *data = read_all(path, &bytes);
  if (glow_model_load_memory(data, bytes, name, &model) != GLOW_OK)
    printf("refused: %s\n", glow_message());
  if (data)
    memset(data, 0, bytes);
  free(data);
  return model;
}

/* The sum of the only output, of inputs that are all 1. */
static void run(glow_model *model, const char *n) {
  glow_options *options = glow_options_new();
  glow_program *program = NULL;
  glow_call *call = NULL;
  glow_tensor_info in, out;
  float *x, *y, sum = 0;
  if ((n && glow_options_set_size(options, "n", atoi(n)) != GLOW_OK) ||
      glow_compile(model, options, &program) != GLOW_OK ||
      glow_call_new(program, &call) != GLOW_OK ||
      glow_program_input(program, 0, &in) != GLOW_OK ||
      glow_program_output(program, 0, &out) != GLOW_OK) {
    printf("refused: %s\n", glow_message());
    goto end;
  }
  x = malloc(in.bytes), y = malloc(out.bytes);
  for (size_t i = 0; i < in.bytes / sizeof *x; ++i)
    x[i] = 1;
  if (glow_bind(call, in.name, x, in.bytes) != GLOW_OK ||
      glow_bind(call, out.name, y, out.bytes) != GLOW_OK ||
      glow_run(call) != GLOW_OK)
    printf("refused: %s\n", glow_message());
  for (size_t i = 0; i < out.bytes / sizeof *y; ++i)
    sum += y[i];
  printf("%s sums to %.3f\n", out.name, sum);
  free(x), free(y);
end:
  glow_call_free(call);
  glow_program_free(program);
  glow_options_free(options);
}

int main(int count, char **arguments) {
  glow_model *model = NULL, *again = NULL;
  const char *n = count > 3 ? arguments[3] : NULL;
  model = load(arguments[1], "digits");
  /* Two at a time: the second may not be taken for the first. */
  again = load(arguments[1], NULL);
  run(model, n);
  glow_model_free(model);
  run(again, n);
  glow_model_free(again);
  load(arguments[2], "damaged");
  load(arguments[2], NULL);
  printf("empty: %d\n", glow_model_load_memory("", 0, "empty", &model) != 0);
  printf("null: %d\n", glow_model_load_memory(NULL, 1, "null", &model));
  return 0;
}
