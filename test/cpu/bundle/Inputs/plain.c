/* The digits model in the loops that one writes by hand, for the weights of its file in
   their order: what code of the compiler is measured against. */

#include <stddef.h>
#include <stdint.h>

enum { side = 28, first = 8, second = 16, hidden = 64, digits = 10 };
enum { pixels = side * side, quarter = pixels / 4, flat = second * pixels / 16 };

static struct {
  float scale, filter1[first * 9], bias1[first], filter2[second * first * 9], bias2[second];
  float dense1[hidden * flat], bias3[hidden], dense2[digits * hidden], bias4[digits];
} w;
static float image[pixels], probabilities[digits], wide[first * pixels], narrow[first * quarter];

static float relu(float x) { return x > 0 ? x : 0; }

static void conv(const float *in, int n, int size, const float *filter, const float *bias, int m,
                 float *out) {
  for (int o = 0; o < m; ++o)
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x) {
        float sum = bias[o];
        for (int i = 0; i < n; ++i)
          for (int p = 0; p < 3; ++p)
            for (int q = 0; q < 3; ++q) {
              int r = y + p - 1, c = x + q - 1;
              if (r >= 0 && r < size && c >= 0 && c < size)
                sum += in[(i * size + r) * size + c] * filter[((o * n + i) * 3 + p) * 3 + q];
            }
        out[(o * size + y) * size + x] = relu(sum);
      }
}
static void pool(const float *in, int n, int size, float *out) {
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < size; y += 2)
      for (int x = 0; x < size; x += 2) {
        float most = in[(i * size + y) * size + x];
        for (int k = 1; k < 4; ++k) {
          float other = in[(i * size + y + k / 2) * size + x + k % 2];
          most = other > most ? other : most;
        }
        *out++ = most;
      }
}
static void dense(const float *in, int n, const float *weights, const float *bias, int m, float *out) {
  for (int o = 0; o < m; ++o) {
    out[o] = bias[o];
    for (int i = 0; i < n; ++i)
      out[o] += in[i] * weights[o * n + i];
  }
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
  static float scaled[pixels], sums[hidden];
  for (int i = 0; i < pixels; ++i)
    scaled[i] = image[i] * w.scale;
  conv(scaled, 1, side, w.filter1, w.bias1, first, wide);
  pool(wide, first, side, narrow);
  conv(narrow, first, side / 2, w.filter2, w.bias2, second, wide);
  pool(wide, second, side / 2, narrow);
  dense(narrow, flat, w.dense1, w.bias3, hidden, sums);
  for (int i = 0; i < hidden; ++i)
    sums[i] = relu(sums[i]);
  dense(sums, hidden, w.dense2, w.bias4, digits, probabilities);
  softmax(probabilities, digits);
  return 0;
}

uint8_t *weights(void) { return (uint8_t *)&w; }
uint8_t *input(void) { return (uint8_t *)image; }
uint8_t *output(void) { return (uint8_t *)probabilities; }
size_t weightsBytes(void) { return sizeof w; }
size_t inputBytes(void) { return sizeof image; }
size_t outputBytes(void) { return sizeof probabilities; }
