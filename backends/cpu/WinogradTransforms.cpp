//===- WinogradTransforms.cpp - the transforms of Winograd's algorithm ----===//
//
// The matrices are those of the points 0, 1, -1 and infinity for m = 2, and
// also 2 and -2 for m = 4.
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"
#include <array>

using namespace glow::cpu;
using namespace llvm;

TilePlace::TilePlace(Emitter &code, const WinogradSizes &w, Value *t) {
  column = code.CreateURem(t, code.integer(w.tileColumns()));
  Value *rest = code.CreateUDiv(t, code.integer(w.tileColumns()));
  row = code.CreateURem(rest, code.integer(w.tileRows()));
  image = code.CreateUDiv(rest, code.integer(w.tileRows()));
}

namespace {

/// Sums of vectors, spelled as formulas.
struct Algebra {
  Emitter &code;
  Value *sum(Value *a, Value *b) { return code.CreateFAdd(a, b); }
  Value *difference(Value *a, Value *b) { return code.CreateFSub(a, b); }
  /// a * factor + b
  Value *scaled(Value *a, double factor, Value *b) {
    Value *constant = code.splat(ConstantFP::get(code.getFloatTy(), factor));
    return code.multiplyAdd(a, constant, b);
  }

  /// B' d, of one column or row.
  Emitter::Values input(ArrayRef<Value *> d) {
    if (d.size() == 4)
      return {difference(d[0], d[2]), sum(d[1], d[2]), difference(d[2], d[1]),
              difference(d[1], d[3])};
    Value *even = scaled(d[2], -4, d[4]), *odd = scaled(d[1], -4, d[3]);
    Value *near = difference(d[4], d[2]), *far = difference(d[3], d[1]);
    return {scaled(d[0], 4, scaled(d[2], -5, d[4])),
            sum(even, odd),
            difference(even, odd),
            scaled(far, 2, near),
            scaled(far, -2, near),
            scaled(d[1], 4, scaled(d[3], -5, d[5]))};
  }

  /// A' x, of one column or row.
  Emitter::Values output(ArrayRef<Value *> x) {
    Value *sum1 = sum(x[1], x[2]), *difference1 = difference(x[1], x[2]);
    if (x.size() == 4)
      return {sum(x[0], sum1), difference(difference1, x[3])};
    Value *sum2 = sum(x[3], x[4]), *difference2 = difference(x[3], x[4]);
    return {sum(x[0], sum(sum1, sum2)), scaled(difference2, 2, difference1),
            scaled(sum2, 4, sum1),
            sum(scaled(difference2, 8, difference1), x[5])};
  }
};

/// A function of the module that is made once.
Function *shared(CodeModule &unit, const std::string &key,
                 ArrayRef<llvm::Type *> parameters,
                 function_ref<void(Function *)> make) {
  Function *&function = unit.tiles[key];
  if (!function) {
    function = unit.addFunction(key, parameters, /*internal=*/true);
    function->addFnAttr(Attribute::NoInline);
    make(function);
  }
  return function;
}

using PixelLoader = function_ref<Value *(int64_t row, int64_t column)>;

/// V of the pixels, `step` elements from a point to the next.
void transformInput(Emitter &code, int64_t side, PixelLoader load, Value *to,
                    Value *step) {
  Algebra algebra{code};
  std::vector<Emitter::Values> grid(side); // [column][row], then [row][column]
  for (int64_t x = 0; x < side; ++x) {
    Emitter::Values column;
    for (int64_t y = 0; y < side; ++y)
      column.push_back(load(y, x));
    grid[x] = algebra.input(column);
  }
  for (int64_t y = 0; y < side; ++y) {
    Emitter::Values row;
    for (int64_t x = 0; x < side; ++x)
      row.push_back(grid[x][y]);
    row = algebra.input(row);
    for (int64_t x = 0; x < side; ++x)
      code.storeVector(row[x], code.at(to, code.times(step, y * side + x)));
  }
  code.CreateRetVoid();
}

/// in, to, step, rowStep: of a tile that lies inside of the image. Brings in
/// what the tile after the next one adds: the processor does not see that its
/// rows go on.
void makeInside(CodeModule &unit, Function *function, int64_t side) {
  Emitter code(unit, function);
  int64_t size = side - 2;
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = side + size; x < side + 2 * size; ++x) {
      Value *row =
          code.at(function->getArg(0), code.times(function->getArg(3), y));
      code.fetch(code.at(row, x * lanes));
    }
  auto load = [&](int64_t y, int64_t x) {
    Value *row =
        code.at(function->getArg(0), code.times(function->getArg(3), y));
    return code.loadVector(code.at(row, x * lanes));
  };
  transformInput(code, side, load, function->getArg(1), function->getArg(2));
}

/// A row of `side` pixels that are zeros.
Constant *nothing(CodeModule &unit, int64_t side) {
  llvm::Type *type = FixedVectorType::get(
      llvm::Type::getFloatTy(unit.module->getContext()), lanes);
  type = ArrayType::get(type, uint64_t(side));
  std::string name = "winograd.zeros." + std::to_string(side);
  return unit.module->getOrInsertGlobal(name, type, [&] {
    auto *zeros = new GlobalVariable(*unit.module, type, /*isConstant=*/true,
                                     GlobalValue::InternalLinkage,
                                     ConstantAggregateZero::get(type), name);
    zeros->setAlignment(Align(64));
    return zeros;
  });
}

/// image, to, step, top, left, height, width: of a tile at the border. An
/// address is chosen rather than a value, of a row and then of a pixel, which
/// has no branch.
void makeBorder(CodeModule &unit, Function *function, int64_t side) {
  Emitter code(unit, function);
  Value *zeros = nothing(unit, side);
  Value *top = function->getArg(3), *left = function->getArg(4);
  Value *height = function->getArg(5), *width = function->getArg(6);
  Emitter::Values rows, isColumn;
  for (int64_t i = 0; i < side; ++i) {
    Value *row = code.add(top, code.integer(i));
    Value *pixel = code.add(code.CreateNSWMul(row, width), left);
    // Negative ones are large.
    rows.push_back(code.CreateSelect(
        code.CreateICmpULT(row, height),
        code.at(function->getArg(0), code.times(pixel, lanes)), zeros));
    isColumn.push_back(
        code.CreateICmpULT(code.add(left, code.integer(i)), width));
  }
  auto load = [&](int64_t y, int64_t x) {
    Value *address = code.at(rows[y], x * lanes);
    return code.loadVector(code.CreateSelect(isColumn[x], address, zeros));
  };
  transformInput(code, side, load, function->getArg(1), function->getArg(2));
}

} // namespace

void glow::cpu::emitInputTransform(Emitter &code, const WinogradSizes &w,
                                   Value *image, const TilePlace &place,
                                   Value *to, int64_t step) {
  llvm::Type *pointer = code.getPtrTy(), *integer = code.getInt64Ty();
  std::string size = std::to_string(w.size);
  Function *inside = shared(
      code.unit, "winograd.in." + size, {pointer, pointer, integer, integer},
      [&](Function *function) { makeInside(code.unit, function, w.side()); });
  Function *border = shared(
      code.unit, "winograd.border." + size,
      {pointer, pointer, integer, integer, integer, integer, integer},
      [&](Function *function) { makeBorder(code.unit, function, w.side()); });
  Value *top =
      code.CreateNSWSub(code.times(place.row, w.size), code.integer(w.padTop));
  Value *left = code.CreateNSWSub(code.times(place.column, w.size),
                                  code.integer(w.padLeft));
  auto fits = [&](Value *first, int64_t size) {
    return code.CreateICmpULE(first, code.integer(size - w.side()));
  };
  Value *whole = w.height >= w.side() && w.width >= w.side()
                     ? code.CreateAnd(fits(top, w.height), fits(left, w.width))
                     : code.getFalse();
  Value *stepValue = code.integer(step);
  code.when(whole, [&] {
    Value *pixel = code.add(code.times(top, w.width), left);
    code.CreateCall(inside, {code.at(image, code.times(pixel, lanes)), to,
                             stepValue, code.integer(w.width * lanes)});
  });
  code.when(code.CreateNot(whole), [&] {
    code.CreateCall(border, {image, to, stepValue, top, left,
                             code.integer(w.height), code.integer(w.width)});
  });
}

namespace {

/// m, step, bias, out, extras...
class OutputTransform {
public:
  OutputTransform(CodeModule &unit, Function *function, const WinogradSizes &w,
                  const Epilogue &epilogue)
      : w(w), epilogue(epilogue), code(unit, function) {}

  void emit(int64_t rows, int64_t columns) {
    transformColumns();
    bias = epilogue.bias ? code.loadVector(code.function->getArg(2)) : nullptr;
    std::vector<Emitter::Values> pixels;
    for (int64_t y = 0; y < rows; ++y) {
      pixels.push_back(pixelsOf(y, columns));
      if ((y + 1) % w.poolRows)
        continue;
      store(pixels, y / w.poolRows);
      pixels.clear();
    }
    code.CreateRetVoid();
  }

private:
  void transformColumns() {
    for (int64_t x = 0; x < w.side(); ++x) {
      Emitter::Values column;
      for (int64_t y = 0; y < w.side(); ++y)
        column.push_back(code.loadVector(
            code.at(code.function->getArg(0),
                    code.times(code.function->getArg(1), y * w.side() + x))));
      grid.push_back(Algebra{code}.output(column));
    }
  }

  /// The formula of one row.
  Emitter::Values pixelsOf(int64_t y, int64_t columns) {
    Emitter::Values row;
    for (const Emitter::Values &column : grid)
      row.push_back(column[y]);
    row = Algebra{code}.output(row);
    row.truncate(columns);
    for (auto [x, pixel] : enumerate(row)) {
      SmallVector<Value *> operands = {bias ? code.CreateFAdd(pixel, bias)
                                            : pixel};
      for (auto [i, reach] : enumerate(epilogue.extras)) {
        Value *extra = code.function->getArg(unsigned(4 + i));
        operands.push_back(
            reach == Reach::Single ? code.splat(code.loadElement(extra))
            : reach == Reach::Channel
                ? code.loadVector(extra)
                : code.loadVector(
                      code.at(extra, (y * w.outWidth + int64_t(x)) * lanes)));
      }
      pixel = emitFormula(code, epilogue.formula, operands);
    }
    return row;
  }

  /// The largest of each pool of some rows of pixels, as row `y`.
  void store(ArrayRef<Emitter::Values> rows, int64_t y) {
    int64_t size = w.poolColumns, count = int64_t(rows[0].size()) / size;
    for (int64_t x = 0; x < count; ++x) {
      Emitter::Values pool;
      for (const Emitter::Values &row : rows)
        pool.append(row.begin() + x * size, row.begin() + (x + 1) * size);
      int64_t place = (y * w.resultWidth() + x) * lanes;
      code.storeVector(emitLargest(code, pool),
                       code.at(code.function->getArg(3), place));
    }
  }

  const WinogradSizes &w;
  const Epilogue &epilogue;
  Emitter code;
  std::vector<Emitter::Values> grid; // of each column, by row
  Value *bias = nullptr;
};

} // namespace

void glow::cpu::emitOutputTransform(Emitter &code, const WinogradSizes &w,
                                    const Epilogue &epilogue, int64_t rows,
                                    int64_t columns, const OutputCall &call) {
  Tile key; // what differs between functions
  key.epilogue = epilogue;
  std::string name = "winograd.out." + std::to_string(w.size) + "." +
                     std::to_string(rows) + "x" + std::to_string(columns) +
                     "." + std::to_string(w.poolRows) + "x" +
                     std::to_string(w.poolColumns) + "." +
                     std::to_string(w.outWidth) + "." + key.key();
  llvm::Type *pointer = code.getPtrTy(), *integer = code.getInt64Ty();
  SmallVector<llvm::Type *> parameters = {pointer, integer, pointer, pointer};
  parameters.append(call.extras.size(), pointer);
  Function *transform =
      shared(code.unit, name, parameters, [&](Function *function) {
        OutputTransform(code.unit, function, w, epilogue).emit(rows, columns);
      });
  Value *nowhere = ConstantPointerNull::get(code.getPtrTy());
  SmallVector<Value *> arguments = {call.m, code.integer(call.step),
                                    call.bias ? call.bias : nowhere, call.out};
  arguments.append(call.extras.begin(), call.extras.end());
  code.CreateCall(transform, arguments);
}

namespace {

/// Of 16 filters side by side, in double: they are transformed once.
using Lanes = std::array<double, lanes>;

/// G g, of one column or row.
template <int64_t side>
void transformFilter(const Lanes &a, const Lanes &b, const Lanes &c,
                     std::array<Lanes, side> &u) {
  constexpr double half = side == 4 ? 1 / 2.0 : -1 / 6.0;
  for (size_t l = 0; l < size_t(lanes); ++l) {
    u[0][l] = a[l] * (side == 4 ? 1 : 1 / 4.0);
    u[1][l] = (a[l] + c[l]) * half + b[l] * half;
    u[2][l] = (a[l] + c[l]) * half - b[l] * half;
    if constexpr (side == 6) {
      double ends = a[l] * (1 / 24.0) + c[l] * (1 / 6.0);
      u[3][l] = ends + b[l] * (1 / 12.0);
      u[4][l] = ends - b[l] * (1 / 12.0);
    }
    u[side - 1][l] = c[l];
  }
}

/// U of the 3x3 filters `step` elements apart, of which there are `count`; the
/// others are 0. Points are `pointStep` elements apart.
template <int64_t side>
void transformFilters(const float *filter, int64_t step, int64_t count,
                      float *to, int64_t pointStep) {
  Lanes g[3][3] = {};
  for (int64_t l = 0; l < count; ++l)
    for (int64_t tap = 0; tap < 9; ++tap)
      g[tap / 3][tap % 3][size_t(l)] = double(filter[l * step + tap]);
  std::array<Lanes, side> columns[3], row;
  for (int64_t x = 0; x < 3; ++x)
    transformFilter<side>(g[0][x], g[1][x], g[2][x], columns[x]);
  for (size_t y = 0; y < size_t(side); ++y) {
    transformFilter<side>(columns[0][y], columns[1][y], columns[2][y], row);
    for (const Lanes &point : row) {
      for (size_t l = 0; l < size_t(lanes); ++l)
        to[l] = float(point[l]);
      to += pointStep;
    }
  }
}

} // namespace

void glow::cpu::packWinograd(const WinogradSizes &w, int64_t panel,
                             const float *filter, float *u) {
  int64_t blocks = w.outBlocks(), points = w.points(), size = w.inChannels * 9;
  auto transform = w.size == 4 ? transformFilters<6> : transformFilters<4>;
  // Of one channel. Stored one by one, its points would fall into the same
  // lines of the cache.
  std::vector<float> rows(size_t(points * panel * lanes));
  for (int64_t first = 0; first < blocks; first += panel) {
    int64_t width = std::min(panel, blocks - first) * lanes;
    for (int64_t c = 0; c < w.inChannels; ++c) {
      for (int64_t d = 0; d < width; d += lanes) {
        int64_t out = first * lanes + d;
        transform(filter + out * size + c * 9, size,
                  std::min(lanes, w.channels - out), &rows[size_t(d)], width);
      }
      for (int64_t p = 0; p < points; ++p)
        std::copy_n(&rows[size_t(p * width)], width,
                    u + (p * w.inChannels + c) * width);
    }
    u += points * w.inChannels * width;
  }
}
