/* Runs an entry point of open sizes many times in one process: open WEIGHTS, with
   runs from standard input and results to standard output, as open.py writes and
   reads them. `model.h`, which open.py writes, describes the entry point.

   A region ends where the memory of the process ends, so that a read or write
   beyond it is an error also in code that no sanitizer sees. All memory but that of
   the inputs has a pattern before a run. A run changes the outputs and the
   activations alone. */

#define _GNU_SOURCE
#include "model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static uint8_t *region(size_t bytes) {
  size_t page = 65536, whole = (bytes + page - 1) / page * page;
  uint8_t *memory = mmap(NULL, whole + page, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + whole, page, PROT_NONE))
    exit(3);
  return memory + whole - bytes;
}

/* Reads after the results are written, which the other side may wait for. */
static int comes(void *to, size_t bytes) {
  return !fflush(stdout) && fread(to, 1, bytes, stdin) == bytes;
}
static void take(void *to, size_t bytes) {
  if (!comes(to, bytes))
    exit(4);
}
static void give(const void *from, size_t bytes) {
  if (fwrite(from, 1, bytes, stdout) != bytes)
    exit(5);
}
static void giveNumber(int64_t number) { give(&number, sizeof number); }

static size_t bytesOf(const struct Tensor *tensor, const TENSORS *of) {
  int64_t elements;
  memcpy(&elements, (const char *)of + tensor->place, sizeof elements);
  return (size_t)elements * tensor->width;
}

/* Whether memory behind a tensor, up to that of the next, has its pattern. */
static int isClean(const uint8_t *memory, const struct Tensor *tensor, size_t used) {
  for (size_t i = used; i < tensor->most; ++i)
    if (memory[tensor->offset + i] != 0xaa)
      return 0;
  return 1;
}

int main(int count, char **arguments) {
  uint8_t *constants = region(CONSTANT_BYTES), *tensors = region(MUTABLE_BYTES);
  uint8_t *activations = region(ACTIVATION_BYTES), *before = malloc(MUTABLE_BYTES);
  FILE *weights = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (!weights || fread(constants, 1, CONSTANT_BYTES, weights) != CONSTANT_BYTES)
    return 2;
  fclose(weights);
  SIZES sizes;
  TENSORS found;
  while (comes(&sizes, sizeof sizes)) {
    int status = MEASURE(&sizes, &found), number = 0;
    giveNumber(status);
    if (status) {
      giveNumber(ENTRY(constants, tensors, activations, &sizes));
      for (const char *text; (text = MISTAKE(&sizes, number)); ++number) {
        giveNumber((int64_t)strlen(text));
        give(text, strlen(text));
      }
      giveNumber(-1);
      continue;
    }
    if (MISTAKE(&sizes, 0))
      return 6;
    give(&found, sizeof found);
    memset(tensors, 0xaa, MUTABLE_BYTES);
    memset(activations, 0xaa, ACTIVATION_BYTES);
    for (size_t i = 0; i < INPUTS; ++i)
      take(tensors + list[i].offset, bytesOf(&list[i], &found));
    memcpy(before, tensors, MUTABLE_BYTES);
    giveNumber(ENTRY(constants, tensors, activations, &sizes));
    for (size_t i = 0; i < INPUTS + OUTPUTS; ++i) {
      size_t bytes = bytesOf(&list[i], &found);
      if (!isClean(tensors, &list[i], bytes))
        return 7;
      if (i >= INPUTS)
        give(tensors + list[i].offset, bytes);
      else if (memcmp(tensors + list[i].offset, before + list[i].offset, bytes))
        return 8;
    }
  }
  free(before);
  return 0;
}
