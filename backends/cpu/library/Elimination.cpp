//===- Elimination.cpp - determinants and inverses ------------------------===//
// SPDX-License-Identifier: MIT
//
// Matrices are handled one after the other, in memory of the plan.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Elimination.h"
#include "support/Calls.h"
#include "support/Support.h"
#include "vector/Narrow.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

/// Copies each matrix of the operand, and stores the result of `compute` for
/// it.
template <typename T, typename Call, typename Compute>
GLOW_INLINE static void eachMatrix(const Call &call, Compute compute) {
  const Shape &shape = call.in.shape;
  int64_t n = shape.sizes[shape.rank - 1];
  int64_t count = product(shape, 0, shape.rank - 2);
  auto *in = call.in.template as<const T>();
  auto *matrix = call.matrix.template as<double>();
  for (int64_t b = 0; b < count; ++b) {
    for (int64_t i = 0; i < n * n; ++i)
      matrix[i] = double(wide(*in++));
    compute(b, matrix, n);
  }
}

template <typename T>
GLOW_INLINE static void determinants(const DeterminantCall &call) {
  eachMatrix<T>(call, [&](int64_t b, double *matrix, int64_t n) {
    call.out.as<T>()[b] = narrow<T>(glow::elimination::determinant(matrix, n));
  });
}

/// to[x] -= factor * from[x], a vector at a time.
static void subtractRow(double *to, const double *from, double factor,
                        int64_t n) {
  using V = double __attribute__((vector_size(64)));
  int64_t x = 0;
  for (; x + 8 <= n; x += 8)
    store(to + x, load<V>(to + x) - factor * load<V>(from + x));
  for (; x < n; ++x)
    to[x] -= factor * from[x];
}

template <typename T>
GLOW_INLINE static void inverses(const InverseCall &call) {
  eachMatrix<T>(call, [&](int64_t b, double *matrix, int64_t n) {
    auto *unit = call.unit.as<double>();
    glow::elimination::invert(matrix, unit, n, subtractRow);
    for (int64_t i = 0; i < n * n; ++i)
      call.out.as<T>()[b * n * n + i] = narrow<T>(unit[i]);
  });
}

#define GLOW_ELIMINATION(kind, T)                                              \
  GLOW_WORK(determinant_##kind) { *work = {1, 0}; }                            \
  GLOW_KERNEL(determinant_##kind) { determinants<T>(call); }                   \
  GLOW_WORK(inverse_##kind) { *work = {1, 0}; }                                \
  GLOW_KERNEL(inverse_##kind) { inverses<T>(call); }
GLOW_ELIMINATION(f32, float)
GLOW_ELIMINATION(f64, double)
GLOW_ELIMINATION(f16, F16)
GLOW_ELIMINATION(bf16, BF16)
