/* Calls a compiled model, `name` of HEADER, with indices in and out of range. */

#include HEADER
#include <stdio.h>
#include <string.h>

static GLOW_MEM_ALIGN(MODEL_MEM_ALIGN) uint8_t constants[MODEL_CONSTANT_MEM_SIZE + 1];
static GLOW_MEM_ALIGN(MODEL_MEM_ALIGN) uint8_t tensors[MODEL_MUTABLE_MEM_SIZE];
static GLOW_MEM_ALIGN(MODEL_MEM_ALIGN) uint8_t arena[MODEL_ACTIVATIONS_MEM_SIZE + 1];

int main(void) {
  const int64_t places[] = {0, 4, -1, -5, 5, -6, INT32_MAX, INT64_MAX, INT64_MIN};
  for (int i = 0; i < 9; ++i) {
    int64_t list[2] = {0, places[i]};
    memcpy(GLOW_GET_ADDR(tensors, MODEL_i), list, sizeof list);
    printf("%s%s", i ? " " : "",
           model(constants, tensors, arena) == GLOW_SUCCESS ? "ran" : "refused");
  }
  puts("");
  return 0;
}
