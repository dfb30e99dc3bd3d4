/* Calls the compiled model of integers.py and compares what it gives; HEADER and
   VALUES are files. The inputs come first in VALUES. */

#include HEADER
#include <stdio.h>
#include <string.h>

static GLOW_MEM_ALIGN(MODEL_MEM_ALIGN) uint8_t constants[MODEL_CONSTANT_MEM_SIZE + 1];
static GLOW_MEM_ALIGN(MODEL_MEM_ALIGN) uint8_t tensors[MODEL_MUTABLE_MEM_SIZE];
static GLOW_MEM_ALIGN(MODEL_MEM_ALIGN) uint8_t arena[MODEL_ACTIVATIONS_MEM_SIZE + 1];

int main(void) {
  int wrong = 0, compared = 0;
#define GIVE(type, name, ...)                                                  \
  {                                                                            \
    const type values[] = {__VA_ARGS__};                                       \
    memcpy(GLOW_GET_ADDR(tensors, MODEL_##name), values, sizeof values);       \
  }
#define TAKE(type, name, ...)
#include VALUES
#undef GIVE
#undef TAKE
  if (model(constants, tensors, arena) != GLOW_SUCCESS)
    return 2;
#define GIVE(type, name, ...)
#define TAKE(type, name, ...)                                                  \
  {                                                                            \
    const type values[] = {__VA_ARGS__};                                       \
    int same = !memcmp(GLOW_GET_ADDR(tensors, MODEL_##name), values,           \
                       sizeof values);                                         \
    if (!same)                                                                 \
      puts(#name " is wrong");                                                 \
    wrong += !same;                                                            \
    ++compared;                                                                \
  }
#include VALUES
  printf("%d compared, %d wrong\n", compared, wrong);
  return wrong != 0;
}
