/* Runs the bundle "kernels" on all its tensors: ports FOLDER INPUT=BYTES... -- OUTPUT=BYTES...
   The tensor of each name is in FOLDER/NAME.raw, as it is in memory. */

#include "kernels.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *region(uint64_t bytes) {
  uint8_t *memory = malloc(bytes + 64);
  memory += 64 - (uintptr_t)memory % 64;
  memset(memory, 0xa5, bytes);
  return memory;
}

static uint64_t place_of(const char *name) {
  for (uint64_t i = 0; i < kernels_config.numSymbols; ++i)
    if (!strcmp(kernels_config.symbolTable[i].name, name))
      return kernels_config.symbolTable[i].offset;
  exit(2);
}

/* Moves the bytes of a tensor between its file and memory. */
static void move(const char *folder, char *argument, uint8_t *tensors, int is_input) {
  char path[4096];
  char *bytes = strchr(argument, '=');
  *bytes++ = 0;
  snprintf(path, sizeof path, "%s/%s.raw", folder, argument);
  FILE *file = fopen(path, is_input ? "rb" : "wb");
  uint8_t *tensor = tensors + place_of(argument);
  uint64_t size = strtoull(bytes, 0, 10);
  uint64_t moved = is_input ? fread(tensor, 1, size, file) : fwrite(tensor, 1, size, file);
  if (moved != size || fclose(file))
    exit(3);
}

int main(int count, char **arguments) {
  uint8_t *tensors = region(kernels_config.mutableWeightVarsMemSize);
  uint8_t *activations = region(kernels_config.activationsMemSize);
  int i = 2;
  for (; i < count && strcmp(arguments[i], "--"); ++i)
    move(arguments[1], arguments[i], tensors, 1);
#ifdef COMPUTES_SIZES
  int64_t sizes[64];
  if (kernels(kernels_weights, tensors, activations, sizes) != GLOW_SUCCESS)
    return 1;
#else
  if (kernels(kernels_weights, tensors, activations) != GLOW_SUCCESS)
    return 1;
#endif
  for (++i; i < count; ++i)
    move(arguments[1], arguments[i], tensors, 0);
  return 0;
}
