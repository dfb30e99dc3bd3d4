/* Runs the bundle "sums" with sizes that it takes and sizes that it refuses. */

#include "sums.h"
#include <stdio.h>

GLOW_MEM_ALIGN(SUMS_MEM_ALIGN) static uint8_t constants[SUMS_CONSTANT_MEM_SIZE];
GLOW_MEM_ALIGN(SUMS_MEM_ALIGN) static uint8_t tensors[SUMS_MUTABLE_MEM_SIZE];
GLOW_MEM_ALIGN(SUMS_MEM_ALIGN) static uint8_t activations[SUMS_ACTIVATIONS_MEM_SIZE];

static void try(int64_t n, int64_t k, int64_t m) {
  struct sums_sizes sizes = {.N = n, .K = k, .M = m};
  struct sums_tensors found;
  printf("N=%d K=%d M=%d: ", (int)n, (int)k, (int)m);
  printf("%d, ", sums_measure(&sizes, &found));
  printf("status %d\n", sums(constants, tensors, activations, &sizes));
  const char *text;
  for (int i = 0; (text = sums_mistake(&sizes, i)); ++i)
    printf("  %s\n", text);
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (!file || fread(constants, 1, sizeof constants, file) != sizeof constants)
    return 1;
  fclose(file);
  try(3, 3, 4);
  try(3, 5, 4);
  try(3, 5, 3);
  try(1, 10, 3);
  return 0;
}
