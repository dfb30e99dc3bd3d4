/* Runs the bundle "found", which computes sizes, from its tables alone:

     found FOLDER SIZE... -- INPUT... -- OUTPUT=BYTES...

   SIZE are the sizes that the caller gives, BYTES those of an element. The tensor of an
   input is in FOLDER/INPUT.raw. Elements of an output go to FOLDER/OUTPUT.raw, its sizes to
   FOLDER/OUTPUT.shape. Exits with the status of the bundle. */

#include "found.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *region(size_t bytes) {
  uint8_t *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  memset(memory, 0xa5, bytes);
  return memory;
}

static size_t symbol_of(const char *name) {
  for (size_t i = 0; i < found_config.numSymbols; ++i)
    if (!strcmp(found_config.symbolTable[i].name, name))
      return i;
  exit(20);
}

static FILE *file_of(const char *folder, const char *name, const char *ending,
                     const char *mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
  return fopen(path, mode);
}

/* The numbers of a tensor in the list that found_measure fills: elements, sizes. */
static int64_t *numbers_of(int64_t *numbers, size_t symbol) {
  for (size_t i = 0; i < symbol; ++i)
    numbers += 1 + found_sizes.ranks[i];
  return numbers;
}

static void read_input(const char *folder, const char *name, uint8_t *tensors) {
  const struct SymbolTableEntry *symbol = &found_config.symbolTable[symbol_of(name)];
  FILE *file = file_of(folder, name, "raw", "rb");
  while (fread(tensors++ + symbol->offset, 1, 1, file) == 1)
    ;
  fclose(file);
}

static void write_output(const char *folder, char *name, uint8_t *tensors,
                         int64_t *numbers) {
  char *bytes = strchr(name, '=');
  *bytes++ = 0;
  size_t symbol = symbol_of(name);
  numbers = numbers_of(numbers, symbol);
  FILE *file = file_of(folder, name, "raw", "wb");
  fwrite(tensors + found_config.symbolTable[symbol].offset, strtoull(bytes, 0, 10),
         (size_t)numbers[0], file);
  fclose(file);
  file = file_of(folder, name, "shape", "w");
  for (size_t i = 0; i < found_sizes.ranks[symbol]; ++i)
    fprintf(file, "%d ", (int)numbers[1 + i]);
  fclose(file);
}

int main(int count, char **arguments) {
  uint8_t *tensors = region(found_config.mutableWeightVarsMemSize);
  uint8_t *activations = region(found_config.activationsMemSize);
  int64_t sizes[64] = {0}, numbers[512];
  int i = 2, given = 0;
  for (; strcmp(arguments[i], "--"); ++i)
    sizes[given++] = strtoll(arguments[i], 0, 10);
  for (; (size_t)given < found_sizes.numSizes; ++given)
    if (found_sizes.sizes[given].multiple) /* all others are computed */
      return 21;
  for (++i; strcmp(arguments[i], "--"); ++i)
    read_input(arguments[1], arguments[i], tensors);
  int status = found(found_weights, tensors, activations, sizes);
  if (status == GLOW_SUCCESS)
    status = found_measure(sizes, numbers);
  for (++i; i < count && status == GLOW_SUCCESS; ++i)
    write_output(arguments[1], arguments[i], tensors, numbers);
  free(tensors);
  free(activations);
  return status;
}
