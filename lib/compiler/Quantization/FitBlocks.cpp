//===- FitBlocks.cpp - rounding that makes up for rounding ----------------===//
// SPDX-License-Identifier: MIT
//
// Let w be a column of a matrix and r its rounded form. The result of a product
// then changes by (r - w)' H (r - w), where H has the moments of the other
// factor. G = H (r - w) is kept up to date, so the best change of a single
// weight is -G[k] / H[k][k].
//
//===----------------------------------------------------------------------===//

#include "glow/Quantization/FitBlocks.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <thread>

using namespace glow;

/// Calls `use` with each number below `count`, on `threads` threads.
static void forEach(size_t count, unsigned threads,
                    const std::function<void(size_t)> &use) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i; (i = next++) < count;)
      use(i);
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < threads; ++i)
    others.emplace_back(work);
  work();
}

namespace {

/// Moments as floats, padded to whole blocks.
class Weighting {
public:
  Weighting(const Moments &moments, size_t whole);
  const float *row(size_t k) const { return &values[k * size]; }
  float own(size_t k) const { return row(k)[k]; }
  const size_t size;

private:
  std::vector<float> values;
};

/// Columns that are fitted together.
class Panel {
public:
  Panel(const Weighting &weighting, std::span<const float> values, size_t block,
        Integers &integers, size_t first, size_t count);
  void fitCodes();
  void fitScales();

  static constexpr size_t columns = 16; ///< at most

private:
  using Lane = std::array<float, columns>;

  Parameters &parametersOf(size_t column, size_t k) const {
    return integers.parameters[((first + column) * weighting.size + k) / block];
  }
  int64_t &code(size_t column, size_t k) const {
    return integers.values[(first + column) * weighting.size + k];
  }
  float steps(size_t column, size_t k) const {
    return float(code(column, k) - parametersOf(column, k).zero);
  }
  void add(size_t k, const Lane &change);

  const Weighting &weighting;
  const size_t block;
  Integers &integers;
  const size_t first, count;
  std::vector<Lane> gradient; ///< G by weights
};

} // namespace

/// Moments of few rows are unreliable, so a part of their mean is added to the
/// diagonal: the fewer rows, the larger the part.
Weighting::Weighting(const Moments &moments, size_t whole)
    : size(whole), values(whole * whole) {
  const size_t columns = moments.columns;
  double mean = 0;
  for (size_t k = 0; k < columns; ++k)
    mean += moments.sums[k * columns + k] / double(columns);
  // If all inputs are 0, all weights count alike.
  const double scale = mean > 0 ? 1 / mean : 0;
  const double share =
      mean > 0 ? 0.1 + double(columns) / std::max(1.0, moments.rows) : 1;
  for (size_t k = 0; k < columns; ++k)
    for (size_t j = 0; j < columns; ++j)
      values[k * whole + j] = float(moments.sums[k * columns + j] * scale);
  for (size_t k = 0; k < whole; ++k)
    values[k * whole + k] += float(share);
}

Panel::Panel(const Weighting &weighting, std::span<const float> values,
             size_t block, Integers &integers, size_t first, size_t count)
    : weighting(weighting), block(block), integers(integers), first(first),
      count(count), gradient(weighting.size) {
  for (size_t k = 0; k < weighting.size; ++k) {
    Lane change = {};
    for (size_t c = 0; c < count; ++c)
      change[c] = steps(c, k) * parametersOf(c, k).scale -
                  values[(first + c) * weighting.size + k];
    add(k, change);
  }
}

/// Updates the gradient after weights k of the columns have changed.
void Panel::add(size_t k, const Lane &change) {
  if (std::ranges::all_of(change, [](float one) { return one == 0; }))
    return;
  const float *row = weighting.row(k);
  for (size_t j = 0; j < weighting.size; ++j)
    for (size_t c = 0; c < columns; ++c)
      gradient[j][c] += row[j] * change[c];
}

void Panel::fitCodes() {
  for (size_t k = 0; k < weighting.size; ++k) {
    Lane change = {};
    for (size_t c = 0; c < count; ++c) {
      const Parameters &own = parametersOf(c, k);
      const float before = steps(c, k) * own.scale;
      code(c, k) =
          own.quantized(double(before - gradient[k][c] / weighting.own(k)));
      change[c] = steps(c, k) * own.scale - before;
    }
    add(k, change);
  }
}

void Panel::fitScales() {
  for (size_t b = 0; b < weighting.size; b += block) {
    Lane slope = {}, curve = {};
    for (size_t k = b; k < b + block; ++k) {
      const float *row = weighting.row(k);
      for (size_t c = 0; c < count; ++c) {
        const float step = steps(c, k);
        slope[c] += step * gradient[k][c];
        for (size_t j = b; j < b + block; ++j)
          curve[c] += step * row[j] * steps(c, j);
      }
    }
    Lane growth = {};
    for (size_t c = 0; c < count; ++c) {
      float &scale = parametersOf(c, b).scale;
      const float fitted = scale - slope[c] / curve[c];
      // Weights of zero have no curve.
      if (!std::isnormal(fitted))
        continue;
      growth[c] = fitted - scale;
      scale = fitted;
    }
    for (size_t k = b; k < b + block; ++k) {
      Lane change = {};
      for (size_t c = 0; c < count; ++c)
        change[c] = steps(c, k) * growth[c];
      add(k, change);
    }
  }
}

Integers glow::fitBlocks(std::span<const float> values, size_t block,
                         Scheme scheme, unsigned bits, const Moments &moments,
                         unsigned threads) {
  Integers integers =
      quantizeBlocks(values, block, scheme, bits, scheme == Scheme::Asymmetric);
  const size_t whole = (moments.columns + block - 1) / block * block;
  const size_t columns = values.size() / whole;
  const Weighting weighting(moments, whole);
  forEach((columns + Panel::columns - 1) / Panel::columns, threads,
          [&](size_t at) {
            const size_t first = at * Panel::columns;
            Panel panel(weighting, values, block, integers, first,
                        std::min(Panel::columns, columns - first));
            // More rounds change hardly any code.
            for (int round = 0; round < 2; ++round) {
              panel.fitCodes();
              if (scheme != Scheme::PowerOfTwo)
                panel.fitScales();
            }
          });
  return integers;
}

void Moments::add(std::span<const float> values, unsigned threads) {
  const size_t count = values.size() / columns;
  rows += double(count);
  forEach(columns, threads, [&](size_t k) {
    double *own = &sums[k * columns];
    for (size_t r = 0; r < count; ++r) {
      const float *row = &values[r * columns];
      const double left = double(row[k]);
      for (size_t j = 0; left != 0 && j < columns; ++j)
        own[j] += left * double(row[j]);
    }
  });
}

std::vector<float> glow::columnsOf(std::span<const float> matrix, size_t rows,
                                   size_t block) {
  const size_t columns = rows == 0 ? 0 : matrix.size() / rows;
  const size_t whole = (rows + block - 1) / block * block;
  std::vector<float> ordered(columns * whole);
  for (size_t k = 0; k < rows; ++k)
    for (size_t n = 0; n < columns; ++n)
      ordered[n * whole + k] = matrix[k * columns + n];
  return ordered;
}

std::vector<int64_t> glow::codesOf(std::span<const int64_t> integers,
                                   unsigned bits) {
  std::vector<int64_t> codes;
  for (int64_t value : integers)
    codes.push_back(value + (int64_t(1) << (bits - 1)));
  return codes;
}
