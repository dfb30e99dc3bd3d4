//===- MatMul.cpp - what is left when a matrix is taken apart -------------===//

#include "KernelSupport.h"
#include "glow/Values/MemoryBudget.h"
#include <algorithm>
#include <vector>

using namespace glow;
using namespace glow::kernels;

/// By elimination, with the largest element of each column as its pivot, so
/// that no factor is above 1.
static double determinantOf(std::vector<double> matrix, int64_t n) {
  auto at = [&](int64_t y, int64_t x) -> double & {
    return matrix[size_t(y * n + x)];
  };
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

/// By elimination with pivots as above. What has no inverse is divided by 0.
static std::vector<double> inverseOf(std::vector<double> matrix, int64_t n) {
  std::vector<double> inverse(matrix.size());
  auto row = [&](std::vector<double> &of, int64_t y) {
    return &of[size_t(y * n)];
  };
  for (int64_t k = 0; k < n; ++k)
    row(inverse, k)[k] = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t y = k + 1; y < n; ++y)
      if (std::fabs(row(matrix, y)[k]) > std::fabs(row(matrix, pivot)[k]))
        pivot = y;
    const double divisor = row(matrix, pivot)[k];
    for (std::vector<double> *one : {&matrix, &inverse})
      for (int64_t x = 0; x < n; ++x) {
        double value = row(*one, pivot)[x] / divisor;
        row(*one, pivot)[x] = row(*one, k)[x];
        row(*one, k)[x] = value;
      }
    for (int64_t y = 0; y < n; ++y) {
      const double factor = row(matrix, y)[k];
      for (int64_t x = 0; y != k && x < n; ++x) {
        row(matrix, y)[x] -= factor * row(matrix, k)[x];
        row(inverse, y)[x] -= factor * row(inverse, k)[x];
      }
    }
  }
  return inverse;
}

/// Stores what `compute` makes of each matrix of the operand.
template <typename Call, typename Compute>
static Status eachMatrix(const Call &call, Compute compute) {
  const TensorType &type = *call.in.type;
  int64_t n = type.shape.back(), count = 1;
  for (size_t i = 0; i + 2 < type.shape.size(); ++i)
    count *= type.shape[i];
  Result<MemoryBudget::Share> share =
      MemoryBudget::take(2 * uint64_t(n * n) * sizeof(double));
  if (!share)
    return share.status();
  visitKind(type.kind, [&]<typename T>(std::type_identity<T>) {
    auto *out = dataOf<T>(call.out);
    auto *in = dataOf<const T>(call.in);
    for (int64_t b = 0; b < count; ++b) {
      std::vector<double> matrix(size_t(n * n));
      for (double &value : matrix)
        value = double(load(*in++));
      for (double value : compute(std::move(matrix), n))
        *out++ = store<T>(value);
    }
  });
  return Status();
}

Status kernels::determinant(const DeterminantCall &call) {
  return eachMatrix(call, [](std::vector<double> matrix, int64_t n) {
    return std::vector<double>{determinantOf(std::move(matrix), n)};
  });
}

Status kernels::inverse(const InverseCall &call) {
  return eachMatrix(call, inverseOf);
}
