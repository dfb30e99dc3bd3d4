/* An entry point of open sizes on a processor without a system, for the sizes
   RUN_SIZES: its regions, and where bare.c or wasm.cjs finds them. `model.h`, which
   open.py writes, describes the entry point. Compiled with -ffreestanding. */

#include "model.h"

GLOW_MEM_ALIGN(64) static uint8_t constants[CONSTANT_BYTES];
GLOW_MEM_ALIGN(64) static uint8_t tensors[MUTABLE_BYTES];
GLOW_MEM_ALIGN(64) static uint8_t activations[ACTIVATION_BYTES];
static const SIZES sizes = {RUN_SIZES};

static size_t bytesOf(const struct Tensor *tensor) {
  TENSORS found;
  if (MEASURE(&sizes, &found) != GLOW_SUCCESS || MISTAKE(&sizes, 0))
    return 0;
  return (size_t)*(int64_t *)(void *)((char *)&found + tensor->place) * tensor->width;
}

uint8_t *weights(void) { return constants; }
uint8_t *input(void) { return GLOW_GET_ADDR(tensors, list[0].offset); }
uint8_t *output(void) { return GLOW_GET_ADDR(tensors, list[1].offset); }
size_t weightsBytes(void) { return sizeof constants; }
size_t inputBytes(void) { return bytesOf(&list[0]); }
size_t outputBytes(void) { return bytesOf(&list[1]); }
int run(void) { return ENTRY(constants, tensors, activations, &sizes); }
