//===- MatMulInteger.cpp - matmul of bytes --------------------------------===//
// SPDX-License-Identifier: MIT
//
// A byte minus its zero point has 9 bits with the sign. Processors add two
// products of 16 bits to a sum of 32 bits in one instruction. A chunk is a band
// of rows of 64 columns. The part of the second matrix for these columns is
// first written to the thread's scratch, with pairs of rows interleaved. Six
// rows by 16 columns have 12 sums of 8 lanes: with two vectors of weights, a
// pair of a row and a product, that is all that AVX2 has registers for. With
// AVX-512 the loads are no limit either.
//
// Instructions on four bytes would be twice as fast, on processors that have
// them. They require one signed and one unsigned factor, and zero points that
// are subtracted later.
//
//===----------------------------------------------------------------------===//

#include "support/Calls.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

using V8i = int32_t __attribute__((vector_size(32)));
using V16s = int16_t __attribute__((vector_size(32)));
using V32s = int16_t __attribute__((vector_size(64)));

constexpr int64_t blocks = 4;             // vectors of columns
constexpr int64_t panel = blocks * lanes; // columns of a chunk
constexpr int64_t tile = 6;               // rows whose sums are in registers

constexpr int64_t pairBytes = panel * 2 * 2; // of a pair of rows
constexpr int64_t half = lanes / 2;          // of a vector

/// out[b,n,m] += (lhs[b,n,k] - lhsZero[n]) * (rhs[b,k,m] - rhsZero[m]). A
/// single zero point applies to all rows or columns.
struct IntegerMatMul {
  int64_t batch, rows, inner, columns;
  bool isSigned[2], isRepeated[2]; // of lhs and rhs, whether the zero is one

  explicit IntegerMatMul(const MatMulIntegerCall &call)
      : isSigned{isSignedKind(call.lhs), isSignedKind(call.rhs)},
        isRepeated{elements(call.lhsZero.shape) == 1,
                   elements(call.rhsZero.shape) == 1} {
    const Shape &result = call.out.shape;
    batch = product(result, 0, result.rank - 2);
    rows = result.sizes[result.rank - 2];
    columns = result.sizes[result.rank - 1];
    inner = call.lhs.shape.sizes[call.lhs.shape.rank - 1];
  }
  static bool isSignedKind(const Buffer &factor) {
    return factor.kind() == glow::ElementKind::I8;
  }

  int64_t panels() const { return dividedUp(columns, panel); }
  /// Rows of a chunk. Each packs its columns, so that more rows are better
  /// where threads have enough to share.
  int64_t band() const { return batch * panels() < 8 ? 126 : 504; }
  int64_t bands() const { return dividedUp(rows, band()); }
  int64_t pairs() const { return dividedUp(inner, 2); }
  void cut(StepWork *work) const {
    *work = {larger(1, batch * panels() * bands()),
             pairs() * (pairBytes + tile * 4)};
  }

  int16_t numberOf(int which, char byte) const {
    return isSigned[which] ? int16_t(static_cast<signed char>(byte))
                           : int16_t(static_cast<unsigned char>(byte));
  }
};

/// The same, with the buffers of a run.
struct RunningIntegerMatMul : IntegerMatMul {
  const char *lhs, *rhs, *zeros[2];
  int32_t *out;

  explicit RunningIntegerMatMul(const MatMulIntegerCall &call)
      : IntegerMatMul(call), lhs(call.lhs.as<const char>()),
        rhs(call.rhs.as<const char>()),
        zeros{call.lhsZero.as<const char>(), call.rhsZero.as<const char>()},
        out(call.out.as<int32_t>()) {}

  int16_t zeroOf(int which, int64_t place) const {
    return numberOf(which, zeros[which][isRepeated[which] ? 0 : place]);
  }
};

/// 16 bytes, or the first `count` and zeros, as numbers.
GLOW_INLINE V16s loadBytes(const char *from, int64_t count, bool isSigned) {
  using Bytes = signed char __attribute__((vector_size(16)));
  using Unsigned = unsigned char __attribute__((vector_size(16)));
  Bytes bytes = {};
  if (count >= lanes)
    bytes = load<Bytes>(from);
  else
    for (int64_t i = 0; i < count; ++i)
      bytes[i] = static_cast<signed char>(from[i]);
  return isSigned ? __builtin_convertvector(bytes, V16s)
                  : __builtin_convertvector(Unsigned(bytes), V16s);
}

/// Pairs of rows of the columns from `first` on: [block][pair][column][2].
GLOW_INLINE void packColumns(const RunningIntegerMatMul &p, const char *matrix,
                             int64_t first, int16_t *to) {
  for (int64_t b = 0; b < blocks; ++b, first += lanes) {
    int64_t count = smaller(lanes, p.columns - first);
    V16s zero = {};
    for (int64_t i = 0; i < count; ++i)
      zero[i] = p.zeroOf(1, first + i);
    auto row = [&](int64_t k) -> V16s {
      if (k >= p.inner || count <= 0)
        return V16s{};
      return loadBytes(matrix + k * p.columns + first, count, p.isSigned[1]) -
             zero;
    };
    for (int64_t k = 0; k < p.pairs(); ++k) {
      V32s pair = __builtin_shufflevector(row(2 * k), row(2 * k + 1), 0, 16, 1,
                                          17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22,
                                          7, 23, 8, 24, 9, 25, 10, 26, 11, 27,
                                          12, 28, 13, 29, 14, 30, 15, 31);
      store(to + (b * p.pairs() + k) * 2 * lanes, pair);
    }
  }
}

/// A row as 16-bit numbers, padded to an even count.
GLOW_INLINE void packRow(const RunningIntegerMatMul &p, const char *row,
                         int16_t zero, int16_t *to) {
  V16s zeros = {};
  zeros = zeros + zero;
  int64_t k = 0;
  for (; k + lanes <= p.inner; k += lanes)
    store(to + k, loadBytes(row + k, lanes, p.isSigned[0]) - zeros);
  for (; k < p.inner; ++k)
    to[k] = int16_t(p.numberOf(0, row[k]) - zero);
  if (k % 2)
    to[k] = 0;
}

GLOW_INLINE V8i addProducts(V8i sum, V16s a, V16s b) {
  // LLVM recognises this as PMADDWD. A sum of two products of 9 bits and a sign
  // does not overflow.
  V16i all =
      __builtin_convertvector(a, V16i) * __builtin_convertvector(b, V16i);
  return sum + (__builtin_shufflevector(all, all, 0, 2, 4, 6, 8, 10, 12, 14) +
                __builtin_shufflevector(all, all, 1, 3, 5, 7, 9, 11, 13, 15));
}

/// `count` rows of a block of a panel. `left` has them side by side.
template <int64_t count>
GLOW_INLINE void multiply(const RunningIntegerMatMul &p, const int16_t *left,
                          const int16_t *right, int32_t *out, int64_t columns) {
  V8i sums[count][2] = {};
  const int16_t *rows[count];
#pragma clang loop unroll(full)
  for (int64_t r = 0; r < count; ++r)
    rows[r] = left + r * p.pairs() * 2;
  for (int64_t k = 0; k < p.pairs(); ++k) {
    const int16_t *at = right + k * 2 * lanes;
    V16s weights[2] = {load<V16s>(at), load<V16s>(at + 2 * half)};
#pragma clang loop unroll(full)
    for (int64_t r = 0; r < count; ++r) {
      int32_t pair;
      __builtin_memcpy(&pair, rows[r] + k * 2, sizeof pair);
      auto both = bitsAs<V16s>(V8i{} + pair);
#pragma clang loop unroll(full)
      for (int64_t h = 0; h < 2; ++h)
        sums[r][h] = addProducts(sums[r][h], both, weights[h]);
    }
  }
#pragma clang loop unroll(full)
  for (int64_t r = 0; r < count; ++r) {
    V16i both = __builtin_shufflevector(sums[r][0], sums[r][1], 0, 1, 2, 3, 4,
                                        5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    storePart(reinterpret_cast<float *>(out + r * p.columns),
              bitsAs<V16f>(both), columns);
  }
}

/// The same for all blocks of a panel.
template <int64_t count>
GLOW_INLINE void multiplyRows(const RunningIntegerMatMul &p,
                              const int16_t *left, const int16_t *packed,
                              int32_t *out, int64_t columns) {
#pragma clang loop unroll(disable)
  for (int64_t first = 0; first < columns; first += lanes)
    multiply<count>(p, left, packed + first * p.pairs() * 2, out + first,
                    columns - first);
}

/// The rows [first, last) of one matrix and panel.
GLOW_INLINE void multiplyBand(const RunningIntegerMatMul &p, int64_t matrix,
                              int64_t column, int64_t first, int64_t last,
                              int16_t *packed, int16_t *left) {
  auto rowsAt = [&](int64_t row, int64_t count) {
    for (int64_t r = row; r < row + count; ++r)
      packRow(p, p.lhs + (matrix * p.rows + r) * p.inner, p.zeroOf(0, r),
              left + (r - row) * p.pairs() * 2);
    return p.out + (matrix * p.rows + row) * p.columns + column;
  };
  int64_t columns = smaller(panel, p.columns - column);
  for (; first + tile <= last; first += tile)
    multiplyRows<tile>(p, left, packed, rowsAt(first, tile), columns);
  for (; first < last; ++first)
    multiplyRows<1>(p, left, packed, rowsAt(first, 1), columns);
}

GLOW_INLINE void multiplyIntegers(const MatMulIntegerCall &call, int64_t begin,
                                  int64_t end, char *scratch) {
  RunningIntegerMatMul p(call);
  auto *packed = reinterpret_cast<int16_t *>(scratch);
  int16_t *left = packed + p.pairs() * panel * 2;
  for (int64_t chunk = begin; chunk < end; ++chunk) {
    int64_t column = chunk / p.bands() % p.panels() * panel;
    int64_t matrix = chunk / p.bands() / p.panels();
    int64_t first = chunk % p.bands() * p.band();
    packColumns(p, p.rhs + matrix * p.inner * p.columns, column, packed);
    multiplyBand(p, matrix, column, first, smaller(p.rows, first + p.band()),
                 packed, left);
  }
}

} // namespace

GLOW_WORK(matmul_integer) { IntegerMatMul(call).cut(work); }
GLOW_KERNEL(matmul_integer) { multiplyIntegers(call, begin, end, scratch); }
