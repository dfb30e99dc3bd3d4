/* The digits model in integers of 8 bits, in the loops that one writes by hand: weights
   with a sign and a factor for each channel, values without one. */

#include <stddef.h>
#include <stdint.h>

enum { side = 28, first = 8, second = 16, hidden = 64, digits = 10 };
enum { pixels = side * side, quarter = pixels / 4, flat = second * pixels / 16 };

/* Of each layer factors of the sums, what is added, and weights. */
static struct {
  float scale, factor1[first], bias1[first], factor2[second], bias2[second];
  float factor3[hidden], bias3[hidden], factor4[digits], bias4[digits];
  int8_t filter1[first * 9], filter2[second * first * 9];
  int8_t dense1[hidden * flat], dense2[digits * hidden];
} w;
static float image[pixels], probabilities[digits];
static uint8_t wide[first * pixels], narrow[first * quarter];

static uint8_t nearest(float x) { return x < 0 ? 0 : x < 255 ? (uint8_t)(x + 0.5f) : 255; }

static void conv(const uint8_t *in, int n, int size, const int8_t *filter, const float *factor,
                 const float *bias, int m, uint8_t *out) {
  for (int o = 0; o < m; ++o)
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        int32_t sum = 0;
        for (int i = 0; i < n; ++i)
          for (int p = 0; p < 3; ++p)
            for (int q = 0; q < 3; ++q) {
              int r = y + p - 1, c = x + q - 1;
              if (r >= 0 && r < size && c >= 0 && c < size)
                sum += in[(i * size + r) * size + c] * filter[((o * n + i) * 3 + p) * 3 + q];
            }
        out[(o * size + y) * size + x] = nearest((float)sum * factor[o] + bias[o]);
      }
}
static void pool(const uint8_t *in, int n, int size, uint8_t *out) {
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < size; y += 2)
      for (int x = 0; x < size; x += 2) {
        uint8_t most = in[(i * size + y) * size + x];
        for (int k = 1; k < 4; ++k) {
          uint8_t other = in[(i * size + y + k / 2) * size + x + k % 2];
          most = other > most ? other : most;
        }
        *out++ = most;
      }
}
static float dense(const uint8_t *in, int n, const int8_t *weights, float factor, float bias) {
  int32_t sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[i] * weights[i];
  return (float)sum * factor + bias;
}

/* e to the x <= 0, in steps of 2. */
static float power(float x) {
  union { float number; uint32_t bits; } scale;
  int whole = (int)(x * 1.44269504f - 0.5f);
  float r = x - (float)whole * 0.693147181f;
  scale.bits = whole > -126 ? (uint32_t)(whole + 127) << 23 : 0;
  return scale.number * (1 + r * (1 + r * (0.5f + r * (0.16666667f + r * (0.041666667f + r * 0.0083333f)))));
}
static void softmax(float *x, int n) {
  float most = x[0], sum = 0;
  for (int i = 1; i < n; ++i)
    most = x[i] > most ? x[i] : most;
  for (int i = 0; i < n; ++i)
    sum += x[i] = power(x[i] - most);
  for (int i = 0; i < n; ++i)
    x[i] /= sum;
}

int run(void) {
  static uint8_t scaled[pixels], sums[hidden];
  for (int i = 0; i < pixels; ++i)
    scaled[i] = nearest(image[i] * w.scale);
  conv(scaled, 1, side, w.filter1, w.factor1, w.bias1, first, wide);
  pool(wide, first, side, narrow);
  conv(narrow, first, side / 2, w.filter2, w.factor2, w.bias2, second, wide);
  pool(wide, second, side / 2, narrow);
  for (int i = 0; i < hidden; ++i)
    sums[i] = nearest(dense(narrow, flat, w.dense1 + i * flat, w.factor3[i], w.bias3[i]));
  for (int i = 0; i < digits; ++i)
    probabilities[i] = dense(sums, hidden, w.dense2 + i * hidden, w.factor4[i], w.bias4[i]);
  softmax(probabilities, digits);
  return 0;
}

uint8_t *weights(void) { return (uint8_t *)&w; }
uint8_t *input(void) { return (uint8_t *)image; }
uint8_t *output(void) { return (uint8_t *)probabilities; }
size_t weightsBytes(void) { return sizeof w; }
size_t inputBytes(void) { return sizeof image; }
size_t outputBytes(void) { return sizeof probabilities; }
