/* Takes the lines of docs/Bundle.md as the body of a function. */

#include "digits.h"
#include <string.h>

void use(const float *probabilities);
void page(const uint8_t *constants, uint8_t *tensors, uint8_t *activations,
          const float *pixels);

void page(const uint8_t *constants, uint8_t *tensors, uint8_t *activations,
          const float *pixels) {
#include "lines.inc"
}
