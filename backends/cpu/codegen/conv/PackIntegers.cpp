//===- PackIntegers.cpp - weights of bytes packed for tiles ---------------===//
// SPDX-License-Identifier: MIT
//
// A panel has the sums of its columns, then its weights. First the weights of
// 16 columns are collected in the order of taps. Then bytes that are multiplied
// together, 4 of each column, are copied as one word.
//
//===----------------------------------------------------------------------===//

#include "IntegerSizes.h"
#include <cstring>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// Packs weights. `Number` is the type that the processor multiplies, i8 or
/// i16.
template <typename Weight, typename Number> class WeightPacker {
public:
  explicit WeightPacker(const IntegerSizes &sizes)
      : c(sizes), taps(c.rowTaps() * c.taps()),
        tapNumbers(wholeBytes(c.products, c.tapBytes())),
        columnNumbers(taps * tapNumbers + lineNumbers),
        columns(size_t(lanes * columnNumbers)) {}

  void pack(int64_t panel, const Weight *from, char *to) {
    for (int64_t b = 0; b < c.blocks(); b += panel) {
      int64_t count = std::min(panel, c.blocks() - b);
      auto *sums = reinterpret_cast<int32_t *>(to);
      for (int64_t i = 0; i < count; ++i) {
        takeColumns(from, (b + i) * lanes, sums + i * lanes);
        storeBlock(i, count, to + count * lanes * 4);
      }
      to += c.panelBytes(count);
    }
  }

private:
  /// Padding of columns: columns a power of two apart would evict each other
  /// from the first-level cache.
  static constexpr int64_t lineNumbers = 64 / sizeof(Number);
  static constexpr int64_t wordNumbers = 4 / sizeof(Number);

  /// Collects 16 columns; missing columns have weights of 0.
  void takeColumns(const Weight *from, int64_t first, int32_t *sums) {
    int64_t there = std::min(lanes, c.columns - first);
    int64_t size = c.perGroup * c.rowTaps() * c.x.taps;
    if (there < lanes)
      std::fill(columns.begin(), columns.end(), Number(0));
    for (int64_t d = 0; d < there; ++d) {
      const Weight *of = from + (first + d) * size;
      int32_t sum = 0;
      for (int64_t i = 0; i < size; ++i)
        sum += of[i];
      sums[d] = sum;
      takeColumn(of, &columns[size_t(d * columnNumbers)]);
    }
  }

  /// Transposes a column from [channel][tap] to [tap][channel]. All taps of a
  /// row may be merged into one.
  void takeColumn(const Weight *from, Number *to) const {
    if (!c.perGroup)
      return; // without weights, `from` may be null
    int64_t window = c.rowTaps() * c.x.taps;
    for (int64_t r = 0; r < c.rowTaps(); ++r)
      for (int64_t s = 0; s < c.x.taps; ++s) {
        Number *tap = to + r * c.taps() * tapNumbers +
                      s * (c.merged ? c.perGroup : tapNumbers);
        const Weight *of = from + r * c.x.taps + s;
        if (window == 1)
          std::copy_n(of, c.perGroup, tap);
        else
          for (int64_t channel = 0; channel < c.perGroup; ++channel)
            tap[channel] = Number(of[channel * window]);
      }
  }

  void storeBlock(int64_t block, int64_t panelBlocks, char *weights) const {
    int64_t tapBytes = panelBlocks * packedBytes(c.products, c.tapBytes());
    for (int64_t tap = 0; tap < taps; ++tap) {
      const Number *of = columns.data() + tap * tapNumbers;
      char *word = weights + tap * tapBytes + block * lanes * 4;
      for (int64_t k = 0; k < tapNumbers; k += wordNumbers) {
        for (int64_t d = 0; d < lanes; ++d)
          storeWord(of + d * columnNumbers, k, word + d * 4);
        word += panelBlocks * lanes * 4;
      }
    }
  }

  /// Stores the numbers from `k` on. The pairs of a quad of an image in words
  /// are its first and third number, and its second and fourth.
  void storeWord(const Number *of, int64_t k, char *word) const {
    Number pair[2] = {};
    if (c.inWords && wordNumbers == 2) {
      const int64_t first = k / 4 * 4 + k % 4 / 2;
      pair[0] = of[first], pair[1] = of[first + 2];
      of = pair, k = 0;
    }
    std::memcpy(word, of + k, 4);
  }

  const IntegerSizes &c;
  const int64_t taps, tapNumbers, columnNumbers;
  std::vector<Number> columns; ///< columns of a block
};

} // namespace

template <typename Weight>
static void packWeights(const IntegerSizes &c, int64_t panel, const void *from,
                        void *to) {
  auto *weights = static_cast<const Weight *>(from);
  auto *place = static_cast<char *>(to);
  if (c.products == ByteProducts::Pairs)
    WeightPacker<Weight, int16_t>(c).pack(panel, weights, place);
  else
    WeightPacker<Weight, int8_t>(c).pack(panel, weights, place);
}

Packing cpu::packIntegers(const IntegerSizes &c, int64_t panel,
                          const Operand &filter) {
  int64_t last = (c.blocks() - 1) % panel + 1;
  int64_t size =
      (c.blocks() - last) / panel * c.panelBytes(panel) + c.panelBytes(last);
  bool bytes = filter.kind() == ElementKind::I8;
  return {filter, size / 4, [=](const float *from, float *to) {
            if (bytes)
              packWeights<int8_t>(c, panel, from, to);
            else
              packWeights<int16_t>(c, panel, from, to);
          }};
}

Packing cpu::packIntegerBias(const IntegerSizes &sizes, const Operand &bias) {
  int64_t count = sizes.columns;
  return {bias, sizes.blocks() * lanes,
          [=](const float *from, float *to) { std::copy_n(from, count, to); }};
}
