/* Runs the bundle "digits" on a file of weights, and says what it returns. */

#include "digits.h"
#include <stdio.h>
#include <string.h>

GLOW_MEM_ALIGN(64) static uint8_t constants[1 << 20];
GLOW_MEM_ALIGN(64) static uint8_t tensors[DIGITS_MUTABLE_MEM_SIZE];
GLOW_MEM_ALIGN(64) static uint8_t activations[DIGITS_ACTIVATIONS_MEM_SIZE];

int main(int count, char **arguments) {
  FILE *file = fopen(arguments[count - 1], "rb");
  size_t bytes = file ? fread(constants, 1, sizeof constants, file) : 0;
  const uint64_t hash = DIGITS_WEIGHTS_HASH;
  int status = digits(constants, tensors, activations);
  int isOwn = bytes == DIGITS_CONSTANT_MEM_SIZE &&
              !memcmp(constants + bytes - sizeof hash, &hash, sizeof hash);
  if (isOwn != (status == GLOW_SUCCESS))
    return 1;
  printf("status %d%s\n", status, status == GLOW_WRONG_WEIGHTS ? ": GLOW_WRONG_WEIGHTS" : "");
  return file ? fclose(file) : 1;
}
