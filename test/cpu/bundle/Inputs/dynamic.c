/* Finds input and output by their names in the table of a bundle whose weights
   are in its object, twice: two entry points share them. */

#include "digits.h"
#include <stdio.h>
#include <string.h>

_Alignas(64) static uint8_t tensors[1 << 16];
_Alignas(64) static uint8_t activations[1 << 20];

static const struct SymbolTableEntry *find(const struct BundleConfig *config,
                                           const char *name) {
  for (uint64_t i = 0; i < config->numSymbols; ++i)
    if (!strcmp(config->symbolTable[i].name, name))
      return &config->symbolTable[i];
  return 0;
}

int main(int count, char **arguments) {
  const struct BundleConfig *configs[] = {&digits_config, &again_config};
  int (*entries[])(const uint8_t *, uint8_t *, uint8_t *) = {digits, again};
  FILE *to = fopen(arguments[count - 1], "wb");
  for (int i = 0; i < 2; ++i) {
    const struct BundleConfig *config = configs[i];
    const struct SymbolTableEntry *image = find(config, "image");
    const struct SymbolTableEntry *result = find(config, "probabilities");
    FILE *from = fopen(arguments[1], "rb");
    if (config->mutableWeightVarsMemSize > sizeof tensors ||
        config->activationsMemSize > sizeof activations ||
        config->constantWeightVarsMemSize != sizeof digits_weights ||
        config->alignment != 64 || image->kind != 1 || result->size != 10)
      return 3;
    if (fread(tensors + image->offset, 4, image->size, from) != 784)
      return 4;
    fclose(from);
    if (entries[i](digits_weights, tensors, activations) != GLOW_SUCCESS)
      return 5;
    if (i)
      fwrite(tensors + result->offset, 4, result->size, to);
  }
  return fclose(to);
}
