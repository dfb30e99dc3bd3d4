/* Runs the lines of docs/Sizes.md as the body of a function. */

#include "attention.h"
#include <stdio.h>
#include <string.h>

GLOW_MEM_ALIGN(64) static uint8_t constants[ATTENTION_CONSTANT_MEM_SIZE];
GLOW_MEM_ALIGN(64) static uint8_t tensors[ATTENTION_MUTABLE_MEM_SIZE];
GLOW_MEM_ALIGN(64) static uint8_t activations[ATTENTION_ACTIVATIONS_MEM_SIZE];
static float words[ATTENTION_x_SIZE];

static void report(const char *text) { puts(text); }
static void use(const float *rows, int64_t count) {
  printf("%d rows, the first begins with %f\n", (int)count, rows[0]);
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (!file || fread(constants, 1, sizeof constants, file) != sizeof constants)
    return 1;
  fclose(file);
  for (size_t i = 0; i < ATTENTION_x_SIZE; ++i)
    words[i] = (float)(i % 7) - 3;
#include "lines.inc"
  return 0;
}
