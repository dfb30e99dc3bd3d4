//===- MatMul.cpp - what is left when a matrix is taken apart -------------===//

#include "KernelSupport.h"
#include <algorithm>
#include <array>
#include <span>

using namespace glow;
using namespace glow::kernels;

/// By elimination, with the largest element of each column as its pivot, so
/// that no factor is above 1.
static double determinantOf(double *matrix, int64_t n) {
  auto at = [&](int64_t y, int64_t x) -> double & { return matrix[y * n + x]; };
  double result = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t y = k + 1; y < n; ++y)
      if (std::fabs(at(y, k)) > std::fabs(at(pivot, k)))
        pivot = y;
    result *= at(pivot, k);
    if (at(pivot, k) == 0)
      return 0;
    for (int64_t x = k; pivot != k && x < n; ++x)
      std::swap(at(k, x), at(pivot, x));
    result = pivot == k ? result : -result;
    for (int64_t y = k + 1; y < n; ++y) {
      double factor = at(y, k) / at(k, k);
      for (int64_t x = k; x < n; ++x)
        at(y, x) -= factor * at(k, x);
    }
  }
  return result;
}

/// By elimination with pivots as above: `inverse`, beside it, was the unit
/// matrix. What has no inverse is divided by 0.
static void invert(double *matrix, double *inverse, int64_t n) {
  auto row = [&](double *of, int64_t y) { return of + y * n; };
  std::fill_n(inverse, n * n, 0);
  for (int64_t k = 0; k < n; ++k)
    row(inverse, k)[k] = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t y = k + 1; y < n; ++y)
      if (std::fabs(row(matrix, y)[k]) > std::fabs(row(matrix, pivot)[k]))
        pivot = y;
    const double divisor = row(matrix, pivot)[k];
    for (double *one : {matrix, inverse})
      for (int64_t x = 0; x < n; ++x) {
        double value = row(one, pivot)[x] / divisor;
        row(one, pivot)[x] = row(one, k)[x];
        row(one, k)[x] = value;
      }
    for (int64_t y = 0; y < n; ++y) {
      const double factor = row(matrix, y)[k];
      for (int64_t x = 0; y != k && x < n; ++x) {
        row(matrix, y)[x] -= factor * row(matrix, k)[x];
        row(inverse, y)[x] -= factor * row(inverse, k)[x];
      }
    }
  }
}

/// Copies each matrix of the operand, and stores what `compute` makes of it.
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
    return std::array{determinantOf(matrix, n)};
  });
  return Status();
}

Status kernels::inverse(const InverseCall &call) {
  auto *unit = dataOf<double>(call.unit);
  eachMatrix(call, [=](double *matrix, int64_t n) {
    invert(matrix, unit, n);
    return std::span(unit, size_t(n * n));
  });
  return Status();
}
