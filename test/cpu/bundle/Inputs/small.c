/* The bundle "kernels" on a processor without a system: its regions, and where a
   program that loads it finds them. Compiled with -ffreestanding. */

#include "kernels.h"

GLOW_MEM_ALIGN(64) static uint8_t constants[KERNELS_CONSTANT_MEM_SIZE];
GLOW_MEM_ALIGN(64) static uint8_t tensors[KERNELS_MUTABLE_MEM_SIZE];
GLOW_MEM_ALIGN(64) static uint8_t activations[KERNELS_ACTIVATIONS_MEM_SIZE];

uint8_t *weights(void) { return constants; }
uint8_t *input(void) { return GLOW_GET_ADDR(tensors, KERNELS_x); }
uint8_t *output(void) { return GLOW_GET_ADDR(tensors, KERNELS_y); }
size_t weightsBytes(void) { return sizeof constants; }
size_t inputBytes(void) { return KERNELS_x_SIZE * sizeof(float); }
size_t outputBytes(void) { return KERNELS_y_SIZE * sizeof(float); }
int run(void) { return kernels(constants, tensors, activations); }
