/* SPDX-License-Identifier: MIT */
/* bundle.c WEIGHTS: trains the layer of device.py by a bundle. The next values of
   the states are copied by the caller. */
#include "layer.h"
#include <stdio.h>
#include <string.h>

enum { N = 8, STEPS = 300 };

static GLOW_MEM_ALIGN(LAYER_MEM_ALIGN) uint8_t constants[LAYER_CONSTANT_MEM_SIZE];
static GLOW_MEM_ALIGN(LAYER_MEM_ALIGN) uint8_t step[TRAIN_MUTABLE_MEM_SIZE];
static GLOW_MEM_ALIGN(LAYER_MEM_ALIGN) uint8_t arena[TRAIN_ACTIVATIONS_MEM_SIZE];
static GLOW_MEM_ALIGN(LAYER_MEM_ALIGN) uint8_t model[INFER_MUTABLE_MEM_SIZE];

static void fill(unsigned seed, float *x, float *labels) {
  for (int i = 0; i < N * 3; ++i) {
    seed = seed * 1664525u + 1013904223u;
    x[i] = (float)(seed >> 8) / (1 << 23) - 1;
  }
  for (int i = 0; i < N; ++i) {
    labels[2 * i] = 4 * x[3 * i + 1] + x[3 * i + 2] - 1;
    labels[2 * i + 1] = x[3 * i] - 2 * x[3 * i + 2] + 3;
  }
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (!file || fread(constants, 1, sizeof constants, file) != sizeof constants)
    return 2;
  fclose(file);
  float *x = (float *)(step + TRAIN_x), *w = (float *)(step + TRAIN_w);
  float *labels = (float *)(step + TRAIN_training_labels);
  const float *loss = (const float *)(step + TRAIN_training_loss);
  for (int i = 0; i < TRAIN_w_SIZE; ++i)
    w[i] = 1;
  for (int i = 0; i < N; ++i)
    ((float *)(step + TRAIN_training_rows))[i] = 1.0f / N;
  *(float *)(step + TRAIN_training_rate) = 0.5f;
  for (unsigned i = 0; i < STEPS; ++i) {
    fill(i, x, labels);
    if (train(constants, step, arena) != GLOW_SUCCESS)
      return 1;
    memcpy(w, step + TRAIN_w_next, TRAIN_w_SIZE * sizeof(float));
    memcpy(step + TRAIN_b, step + TRAIN_b_next, TRAIN_b_SIZE * sizeof(float));
    if (i == 0 || i + 1 == STEPS)
      printf("loss %s 0.001\n", *loss < 0.001f ? "below" : "above");
  }
  memcpy(model + INFER_x, x, N * 3 * sizeof(float));
  memcpy(model + INFER_w, w, INFER_w_SIZE * sizeof(float));
  memcpy(model + INFER_b, step + TRAIN_b, INFER_b_SIZE * sizeof(float));
  if (infer(constants, model, arena) != GLOW_SUCCESS)
    return 1;
  float worst = 0;
  for (int i = 0; i < N * 2; ++i) {
    const float off = ((float *)(model + INFER_y))[i] - labels[i];
    worst = off > worst ? off : -off > worst ? -off : worst;
  }
  printf("after: %s\n", worst < 0.05f ? "as the goal" : "not as the goal");
  return 0;
}
