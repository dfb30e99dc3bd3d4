/* Runs the bundle "batch", of which the tables alone are known: each row of a result is
   that of the same row among the most rows. */

#include "batch.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef int (*Entry)(const uint8_t *, uint8_t *, uint8_t *, const int64_t *);
typedef int (*Measure)(const int64_t *, int64_t *);
typedef const char *(*Mistake)(const int64_t *, int);

GLOW_MEM_ALIGN(64) static uint8_t tensors[1 << 12], activations[1 << 16], most[1 << 12];

/* The float at a place of the result. */
static float number(const uint8_t *from, int64_t place) {
  float value;
  memcpy(&value, from + place * 4, sizeof value);
  return value;
}

static int run(const struct BundleConfig *config, const struct BundleSizes *sizes,
               Entry entry, Measure measure, Mistake mistake) {
  const struct BundleSize *rows = sizes->sizes;
  const struct SymbolTableEntry *x = config->symbolTable, *y = x + 1;
  if (config->mutableWeightVarsMemSize > sizeof tensors ||
      config->activationsMemSize > sizeof activations || y->size * 4 > sizeof most ||
      sizes->numSizes != 1 || strcmp(rows->name, "N") || rows->multiple != 1 ||
      sizes->ranks[0] != 2 || sizes->ranks[1] != 2)
    return 2;
  for (int64_t n = rows->greatest; n >= rows->least; --n) {
    int64_t found[6];
    if (measure(&n, found) != GLOW_SUCCESS || found[0] != n * 20 || found[1] != n ||
        found[2] != 20 || found[3] != n * 5 || found[4] != n || found[5] != 5)
      return 3;
    for (int64_t i = 0; i < found[0]; ++i) {
      float value = (float)(i * 7 % 11) / 11 - 0.5f;
      memcpy(tensors + x->offset + i * 4, &value, sizeof value);
    }
    if (entry(batch_weights, tensors, activations, &n) != GLOW_SUCCESS)
      return 4;
    if (n == rows->greatest)
      memcpy(most, tensors + y->offset, y->size * 4);
    for (int64_t i = 0; i < found[3]; ++i)
      if (!(fabsf(number(tensors + y->offset, i) - number(most, i)) < 1e-6f))
        return 5;
  }
  int64_t wrong = rows->greatest + 1;
  if (entry(batch_weights, tensors, activations, &wrong) != GLOW_WRONG_SIZES)
    return 6;
  puts(mistake(&wrong, 0));
  return mistake(&wrong, 1) != NULL;
}

int main(void) {
  return run(&batch_config, &batch_sizes, batch, batch_measure, batch_mistake);
}
