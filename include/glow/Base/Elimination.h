//===- Elimination.h - determinants and inverses ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Gaussian elimination with partial pivoting: each step takes the row with the
// largest number first. Matrices are [n, n]; their contents are unspecified
// afterwards. Compiled into kernels that have no C++ library.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_ELIMINATION_H
#define GLOW_BASE_ELIMINATION_H

#include <stdint.h>

namespace glow::elimination {

/// Pivot of column `k`: the row, from `k` on, with the largest absolute value.
inline int64_t pivotOf(const double *matrix, int64_t n, int64_t k) {
  auto size = [&](int64_t y) {
    double number = matrix[y * n + k];
    return number < 0 ? -number : number;
  };
  int64_t pivot = k;
  for (int64_t y = k + 1; y < n; ++y)
    if (size(y) > size(pivot))
      pivot = y;
  return pivot;
}

inline double determinant(double *matrix, int64_t n) {
  auto at = [=](int64_t y, int64_t x) -> double & { return matrix[y * n + x]; };
  double result = 1;
  for (int64_t k = 0; k < n; ++k) {
    const int64_t pivot = pivotOf(matrix, n, k);
    result *= at(pivot, k);
    if (at(pivot, k) == 0)
      return 0;
    for (int64_t x = k; pivot != k && x < n; ++x) {
      double value = at(k, x);
      at(k, x) = at(pivot, x);
      at(pivot, x) = value;
    }
    result = pivot == k ? result : -result;
    for (int64_t y = k + 1; y < n; ++y) {
      double factor = at(y, k) / at(k, k);
      for (int64_t x = k; x < n; ++x)
        at(y, x) -= factor * at(k, x);
    }
  }
  return result;
}

/// Inverts `matrix` into `inverse`. A matrix without an inverse leads to
/// divisions by 0. `subtract(to, from, factor, n)` subtracts `factor` times row
/// `from` from row `to`.
template <typename Subtract>
void invert(double *matrix, double *inverse, int64_t n, Subtract subtract) {
  auto row = [=](double *of, int64_t y) { return of + y * n; };
  for (int64_t i = 0; i < n * n; ++i)
    inverse[i] = i % n == i / n ? 1 : 0;
  for (int64_t k = 0; k < n; ++k) {
    const int64_t pivot = pivotOf(matrix, n, k);
    const double divisor = row(matrix, pivot)[k];
    double *const both[] = {matrix, inverse};
    for (double *one : both)
      for (int64_t x = 0; x < n; ++x) {
        double value = row(one, pivot)[x] / divisor;
        row(one, pivot)[x] = row(one, k)[x];
        row(one, k)[x] = value;
      }
    for (int64_t y = 0; y < n; ++y) {
      if (y == k)
        continue;
      const double factor = row(matrix, y)[k];
      subtract(row(matrix, y), row(matrix, k), factor, n);
      subtract(row(inverse, y), row(inverse, k), factor, n);
    }
  }
}

} // namespace glow::elimination

#endif // GLOW_BASE_ELIMINATION_H
