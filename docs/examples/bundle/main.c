/* SPDX-License-Identifier: MIT */
/* Runs the bundle of docs/models/digits: reads an image of 28 x 28 floats and
   writes the probabilities of the ten digits, both as they are in memory.

     glow compile digits.onnx --backend=cpu --emit=bundle -o bundle
     cc -I bundle main.c bundle/digits.o -o digits
     ./digits bundle/digits.weights image.raw probabilities.raw */

#include "digits.h"
#include <stdio.h>

/* All memory there is: nothing is allocated at run time. */
GLOW_MEM_ALIGN(DIGITS_MEM_ALIGN)
static uint8_t constants[DIGITS_CONSTANT_MEM_SIZE];
GLOW_MEM_ALIGN(DIGITS_MEM_ALIGN)
static uint8_t tensors[DIGITS_MUTABLE_MEM_SIZE];
GLOW_MEM_ALIGN(DIGITS_MEM_ALIGN)
static uint8_t activations[DIGITS_ACTIVATIONS_MEM_SIZE];

static int readFile(const char *path, uint8_t *to, size_t bytes) {
  FILE *file = fopen(path, "rb");
  size_t got = file ? fread(to, 1, bytes, file) : 0;
  if (file)
    fclose(file);
  if (got != bytes)
    fprintf(stderr, "%s has not %lu bytes\n", path, (unsigned long)bytes);
  return got == bytes;
}

static int writeFile(const char *path, const uint8_t *from, size_t bytes) {
  FILE *file = fopen(path, "wb");
  size_t put = file ? fwrite(from, 1, bytes, file) : 0;
  return file && fclose(file) == 0 && put == bytes;
}

int main(int count, char **arguments) {
  uint8_t *image = GLOW_GET_ADDR(tensors, DIGITS_image);
  uint8_t *result = GLOW_GET_ADDR(tensors, DIGITS_probabilities);
  if (count != 4) {
    fprintf(stderr, "usage: %s WEIGHTS IMAGE RESULT\n", arguments[0]);
    return 2;
  }
  if (!readFile(arguments[1], constants, sizeof constants) ||
      !readFile(arguments[2], image, DIGITS_image_SIZE * sizeof(float)))
    return 1;
  if (digits(constants, tensors, activations) != GLOW_SUCCESS) {
    fprintf(stderr, "%s: the model failed\n", arguments[0]);
    return 1;
  }
  if (!writeFile(arguments[3], result,
                 DIGITS_probabilities_SIZE * sizeof(float))) {
    fprintf(stderr, "%s cannot be written\n", arguments[3]);
    return 1;
  }
  return 0;
}
