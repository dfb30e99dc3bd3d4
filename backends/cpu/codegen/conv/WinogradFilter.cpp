//===- WinogradFilter.cpp - filters transformed for Winograd's algorithm --===//
// SPDX-License-Identifier: MIT
//
// U = G g G' of constants is computed in double when the program is compiled.
// U of a filter that a run gives is computed by the same formulas in f32, 16
// filters at a time.
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"
#include "codegen/tile/Shuffles.h"
#include <array>

using namespace glow::cpu;
using namespace llvm;

namespace {

/// A value of 16 filters.
struct Lanes {
  std::array<double, lanes> values = {};

  template <typename Op> Lanes with(const Lanes &other, Op op) const {
    Lanes result;
    for (size_t l = 0; l < size_t(lanes); ++l)
      result.values[l] = op(values[l], other.values[l]);
    return result;
  }
  Lanes operator+(const Lanes &b) const { return with(b, std::plus<>()); }
  Lanes operator-(const Lanes &b) const { return with(b, std::minus<>()); }
  Lanes operator*(double factor) const {
    return with(*this, [&](double a, double) { return a * factor; });
  }
};

/// The same as a vector of a run.
struct Emitted {
  Emitter *code = nullptr;
  Value *value = nullptr;

  Emitted operator+(const Emitted &b) const {
    return {code, code->CreateFAdd(value, b.value)};
  }
  Emitted operator-(const Emitted &b) const {
    return {code, code->CreateFSub(value, b.value)};
  }
  Emitted operator*(double factor) const {
    Value *all = code->splat(ConstantFP::get(code->getFloatTy(), factor));
    return {code, code->CreateFMul(value, all)};
  }
};

/// The points of a column or row: 4, or 6.
template <typename V> using Points = std::array<V, 6>;

/// G g of one column or row, for stride 1. G has the factors 1 / prod(p - q)
/// over the other points q, so that B and A have integer entries.
template <typename V>
Points<V> plain(int64_t side, const V &a, const V &b, const V &c) {
  const double half = side == 4 ? 1 / 2.0 : -1 / 6.0;
  V even = (a + c) * half, odd = b * half;
  if (side == 4)
    return {a, even + odd, even - odd, c};
  V ends = a * (1 / 24.0) + c * (1 / 6.0), middle = b * (1 / 12.0);
  return {a * (1 / 4.0), even + odd,    even - odd,
          ends + middle, ends - middle, c};
}

/// G' m of one column or row of points, for stride 1: the reverse of `plain`.
std::array<Emitted, 3> tapsOf(ArrayRef<Emitted> m) {
  const double half = m.size() == 4 ? 1 / 2.0 : -1 / 6.0;
  Emitted even = (m[1] + m[2]) * half, odd = (m[1] - m[2]) * half;
  if (m.size() == 4)
    return {m[0] + even, odd, even + m[3]};
  Emitted ends = m[3] + m[4], middle = m[3] - m[4];
  return {m[0] * (1 / 4.0) + even + ends * (1 / 24.0),
          odd + middle * (1 / 12.0), even + ends * (1 / 6.0) + m[5]};
}

/// The points for stride 2: of `a` and `c`, followed by `b`.
template <typename V>
Points<V> strided(int64_t side, const V &a, const V &b, const V &c) {
  if (side == 4)
    return {a, a + c, c, b};
  return {a * (1 / 2.0),
          (a + c) * (-1 / 2.0),
          (a - c) * (-1 / 6.0),
          (a + c * 2) * (1 / 6.0),
          c,
          b};
}

/// Calls `store` with each point of U of the filters g, in the order
/// [row][column] of the transform.
template <typename V>
void transformFilters(const WinogradSizes &w, ArrayRef<V> g,
                      function_ref<void(int64_t, const V &)> store) {
  const int64_t side = w.filterSide();
  auto transform = [&](const V &a, const V &b, const V &c) {
    return w.stride == 1 ? plain<V>(side, a, b, c) : strided<V>(side, a, b, c);
  };
  // First along the columns, then along the rows.
  std::array<Points<V>, 3> columns;
  for (size_t x = 0; x < 3; ++x)
    columns[x] = transform(g[x], g[3 + x], g[6 + x]);
  for (size_t y = 0; y < size_t(side); ++y) {
    Points<V> row = transform(columns[0][y], columns[1][y], columns[2][y]);
    for (size_t x = 0; x < size_t(side); ++x)
      store(int64_t(y) * side + int64_t(x), row[x]);
  }
}

/// The place of a plane of an input channel among those of a point.
int64_t placeOf(const WinogradSizes &w, int64_t channel, int64_t plane) {
  return (channel / lanes * w.planes + plane) * lanes + channel % lanes;
}

/// The function (m, step, to, rowStep) of `emitFilterOfPoints`.
void makeTaps(Emitter &code, size_t side, int64_t rows) {
  Function *function = code.function;
  std::vector<std::array<Emitted, 3>> columns; // [column][row of taps]
  for (size_t x = 0; x < side; ++x) {
    SmallVector<Emitted> column;
    for (size_t y = 0; y < side; ++y) {
      Value *from =
          code.at(function->getArg(0),
                  code.times(function->getArg(1), int64_t(y * side + x)));
      column.push_back({&code, code.loadVector(from)});
    }
    columns.push_back(tapsOf(column));
  }
  Value *taps = code.CreateAlloca(ArrayType::get(code.vector, 9));
  for (size_t r = 0; r < 3; ++r) {
    SmallVector<Emitted> row;
    for (const std::array<Emitted, 3> &column : columns)
      row.push_back(column[r]);
    for (auto [s, tap] : enumerate(tapsOf(row)))
      code.storeVector(tap.value, code.at(taps, int64_t(r * 3 + s) * lanes));
  }
  code.CreateCall(
      vectorsToRows(code.module, rows, 9),
      {taps, code.integer(lanes), function->getArg(2), function->getArg(3)});
  code.CreateRetVoid();
}

} // namespace

void glow::cpu::packWinograd(const WinogradSizes &w, const float *filter,
                             float *u) {
  const int64_t panel = w.panel;
  const int64_t blocks = w.outBlocks(), points = w.filterPoints();
  const int64_t slices = w.inChannels * w.planes;
  filter += w.filter.first;
  auto packOf = [&](const float *from, int64_t count, float *to, int64_t step) {
    Lanes g[9];
    for (int64_t l = 0; l < count; ++l)
      for (int64_t tap = 0; tap < 9; ++tap)
        g[tap].values[size_t(l)] =
            double(from[l * w.filter.out + tap / 3 * w.filter.row +
                        tap % 3 * w.filter.tap]);
    transformFilters<Lanes>(w, g, [&](int64_t point, const Lanes &value) {
      for (size_t l = 0; l < size_t(lanes); ++l)
        to[point * step + int64_t(l)] = float(value.values[l]);
    });
  };
  // The points of one plane of a channel. Stored one by one, they would fall
  // into the same lines of the cache.
  std::vector<float> rows(size_t(points * panel * lanes));
  for (int64_t first = 0; first < blocks; first += panel) {
    const int64_t width = std::min(panel, blocks - first) * lanes;
    for (int64_t slice = 0; slice < slices; ++slice) {
      const int64_t c = slice / w.planes, q = slice % w.planes;
      const float *from = filter + c * w.filter.in + q * w.filter.plane;
      for (int64_t d = 0; d < width; d += lanes) {
        const int64_t out = first * lanes + d;
        packOf(from + out * w.filter.out, std::min(lanes, w.channels - out),
               &rows[size_t(d)], width);
      }
      for (int64_t p = 0; p < points; ++p)
        std::copy_n(&rows[size_t(p * width)], width,
                    u + (p * slices + placeOf(w, c, q)) * width);
    }
    u += points * slices * width;
  }
}

/// The function that transforms the filters of `rows` output channels from one
/// address, for one plane of an input channel, to the points at another
/// address. Each address is followed by its step.
static Function *transforming(CodeModule &module, const WinogradSizes &w,
                              int64_t rows) {
  llvm::Type *pointer = PointerType::get(module.ir->getContext(), 0);
  llvm::Type *integer = llvm::Type::getInt64Ty(module.ir->getContext());
  const bool isTurned = w.filter.tap < 0;
  std::string key =
      ("winograd.filter." + Twine(w.size) + "." + Twine(w.stride) + "." +
       Twine(rows) + (isTurned ? ".turned" : ""))
          .str();
  return module.sharedFunction(
      key, {pointer, integer, pointer, integer}, [&](Function *function) {
        Emitter code(module, function);
        auto at = [&](unsigned address, int64_t count) {
          return code.at(function->getArg(address),
                         code.times(function->getArg(address + 1), count));
        };
        Emitter::Values taps;
        for (int64_t row = 0; row < lanes; ++row)
          taps.push_back(row < rows ? code.loadVector(at(0, row), 9)
                                    : Constant::getNullValue(code.vector));
        transpose16(code, taps);
        SmallVector<Emitted> g;
        for (size_t tap = 0; tap < 9; ++tap)
          g.push_back({&code, taps[isTurned ? 8 - tap : tap]});
        transformFilters<Emitted>(w, g,
                                  [&](int64_t point, const Emitted &value) {
                                    code.storeVector(value.value, at(2, point));
                                  });
        code.CreateRetVoid();
      });
}

void glow::cpu::emitFilterTransform(Emitter &code, const WinogradSizes &w,
                                    Value *filter, Value *block, int64_t blocks,
                                    int64_t rowsOfLast, Value *u) {
  const int64_t width = blocks * lanes;
  const int64_t step = w.inChannels * w.planes * width;
  // A turned filter begins with its last tap.
  Value *from = code.at(filter, w.filter.first +
                                    (w.filter.tap < 0 ? 8 * w.filter.tap : 0));
  from = code.at(from, code.times(block, lanes * w.filter.in));
  Value *to = code.at(u, code.times(block, w.planes * lanes * width));
  for (int64_t b = 0; b < blocks; ++b) {
    Function *transform =
        transforming(code.module, w, b + 1 == blocks ? rowsOfLast : lanes);
    for (int64_t q = 0; q < w.planes; ++q)
      code.loop(code.integer(0), code.integer(lanes), [&](Value *i) {
        Value *taps =
            code.at(from, b * lanes * w.filter.out + q * w.filter.plane);
        Value *points = code.at(to, b * lanes + q * lanes * width);
        code.CreateCall(
            transform,
            {code.at(taps, code.CreateNSWMul(i, code.integer(w.filter.in))),
             code.integer(w.filter.out), code.at(points, code.times(i, width)),
             code.integer(step)});
      });
  }
}

void glow::cpu::emitFilterOfPoints(Emitter &code, const WinogradSizes &w,
                                   Value *m, int64_t step, int64_t rows,
                                   Value *to, int64_t rowStep) {
  llvm::Type *pointer = code.getPtrTy(), *integer = code.getInt64Ty();
  const size_t side = size_t(w.side());
  const std::string key =
      ("winograd.taps." + Twine(w.size) + "." + Twine(rows)).str();
  Function *function = code.module.sharedFunction(
      key, {pointer, integer, pointer, integer}, [&](Function *function) {
        Emitter inner(code.module, function);
        makeTaps(inner, side, rows);
      });
  code.CreateCall(function, {m, code.integer(step), to, code.integer(rowStep)});
}
