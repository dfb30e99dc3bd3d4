//===- MatMul.cpp - determinant and inverse of matrices -------------------===//
// SPDX-License-Identifier: MIT

#include "KernelSupport.h"
#include "glow/Base/Elimination.h"
#include <array>
#include <span>

using namespace glow;
using namespace glow::kernels;

/// Copies each matrix of the operand, and stores the result of `compute` for
/// it.
template <typename Call, typename Compute>
static void eachMatrix(const Call &call, Compute compute) {
  const TensorType &type = *call.in.type;
  int64_t n = type.shape.back(), count = 1;
  for (size_t i = 0; i + 2 < type.shape.size(); ++i)
    count *= type.shape[i];
  visitKind(type.kind, [&]<typename T>(std::type_identity<T>) {
    auto *out = dataOf<T>(call.out);
    auto *in = dataOf<const T>(call.in);
    auto *matrix = dataOf<double>(call.matrix);
    for (int64_t b = 0; b < count; ++b) {
      for (int64_t i = 0; i < n * n; ++i)
        matrix[i] = double(load(*in++));
      for (double value : compute(matrix, n))
        *out++ = store<T>(value);
    }
  });
}

Status kernels::determinant(const DeterminantCall &call) {
  eachMatrix(call, [](double *matrix, int64_t n) {
    return std::array{elimination::determinant(matrix, n)};
  });
  return Status();
}

Status kernels::inverse(const InverseCall &call) {
  auto *unit = dataOf<double>(call.unit);
  eachMatrix(call, [=](double *matrix, int64_t n) {
    elimination::invert(
        matrix, unit, n,
        [](double *to, const double *from, double factor, int64_t count) {
          for (int64_t x = 0; x < count; ++x)
            to[x] -= factor * from[x];
        });
    return std::span(unit, size_t(n * n));
  });
  return Status();
}
