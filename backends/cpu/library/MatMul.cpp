//===- MatMul.cpp - matmul of integers ------------------------------------===//
// SPDX-License-Identifier: MIT
//
// A chunk is some rows of the result; a row is made 64 columns at a time.
//
//===----------------------------------------------------------------------===//

#include "support/Calls.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// out[b,n,m] += lhs[b,n,k] * rhs[b,k,m]
struct MatMulSizes {
  int64_t batch, rows, inner, columns;

  explicit MatMulSizes(const MatMulCall &call) {
    const Shape &out = call.out.shape, &lhs = call.lhs.shape;
    batch = product(out, 0, out.rank - 2);
    rows = out.sizes[out.rank - 2], columns = out.sizes[out.rank - 1];
    inner = lhs.sizes[lhs.rank - 1];
  }
  Rows cut() const { return {batch * rows, columns * inner / 4 + 1}; }
};

GLOW_INLINE V16i loadSome(const int32_t *from, int64_t count) {
  auto *bits = reinterpret_cast<const float *>(from);
  return bitsAs<V16i>(count < lanes ? loadPart(bits, count) : load<V16f>(bits));
}

/// `count` vectors of columns, the last of which has `part` elements.
template <int64_t count>
GLOW_INLINE void columns(const MatMulSizes &shape, const int32_t *lhs,
                         const int32_t *rhs, int32_t *out, int64_t part) {
  V16i sums[count];
#pragma clang loop unroll(full)
  for (int64_t i = 0; i < count; ++i)
    sums[i] = splat<V16i>(0);
  for (int64_t k = 0; k < shape.inner; ++k, rhs += shape.columns) {
    V16i factor = splat<V16i>(lhs[k]);
#pragma clang loop unroll(full)
    for (int64_t i = 0; i < count; ++i)
      sums[i] +=
          factor * loadSome(rhs + i * lanes, i + 1 < count ? lanes : part);
  }
#pragma clang loop unroll(full)
  for (int64_t i = 0; i < count; ++i)
    storePart(reinterpret_cast<float *>(out + i * lanes), bitsAs<V16f>(sums[i]),
              i + 1 < count ? lanes : part);
}

} // namespace

GLOW_WORK(matmul_i32) { MatMulSizes(call).cut().cut(work); }
GLOW_KERNEL(matmul_i32) {
  MatMulSizes shape(call);
  auto *out = call.out.as<int32_t>();
  auto *lhs = call.lhs.as<const int32_t>();
  auto *rhs = call.rhs.as<const int32_t>();
  Rows rows = shape.cut();
  for (int64_t r = rows.first(begin); r < rows.last(end); ++r) {
    const int32_t *row = lhs + r * shape.inner;
    const int32_t *matrix = rhs + r / shape.rows * shape.inner * shape.columns;
    int32_t *to = out + r * shape.columns;
    int64_t m = 0;
    for (; m + 4 * lanes <= shape.columns; m += 4 * lanes)
      columns<4>(shape, row, matrix + m, to + m, lanes);
    for (; m < shape.columns; m += lanes)
      columns<1>(shape, row, matrix + m, to + m,
                 smaller(lanes, shape.columns - m));
  }
}
