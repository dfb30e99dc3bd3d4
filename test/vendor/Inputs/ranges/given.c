/* Runs the bundle "model" on what files have: given NAME FILE... Its status is that
   of the run. */

#include "model.h"
#include <stdio.h>
#include <string.h>

_Alignas(64) static uint8_t tensors[1 << 16];
_Alignas(64) static uint8_t activations[1 << 16];

int main(int count, char **arguments) {
  if (model_config.mutableWeightVarsMemSize > sizeof tensors ||
      model_config.activationsMemSize > sizeof activations)
    return 3;
  for (int i = 1; i + 1 < count; i += 2)
    for (uint64_t j = 0; j < model_config.numSymbols; ++j)
      if (!strcmp(model_config.symbolTable[j].name, arguments[i])) {
        FILE *from = fopen(arguments[i + 1], "rb");
        if (!from)
          return 4;
        fread(tensors + model_config.symbolTable[j].offset, 1, 1 << 10, from);
        fclose(from);
      }
  return model(model_weights, tensors, activations) != GLOW_SUCCESS;
}
