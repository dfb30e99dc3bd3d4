//===- WinogradTransforms.cpp - the transforms of Winograd's algorithm ----===//
//
// The matrices are those of the points 0, 1, -1 and infinity for m = 2, and
// also 2 and -2 for m = 4.
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"

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

/// in, rowStep, to, step
void makeInput(CodeModule &unit, Function *function, int64_t side) {
  Emitter code(unit, function);
  Algebra algebra{code};
  std::vector<Emitter::Values> grid(side); // [column][row], then [row][column]
  for (int64_t x = 0; x < side; ++x) {
    Emitter::Values column;
    for (int64_t y = 0; y < side; ++y) {
      Value *row =
          code.at(function->getArg(0), code.times(function->getArg(1), y));
      column.push_back(code.loadVector(code.at(row, x * lanes)));
    }
    grid[x] = algebra.input(column);
  }
  for (int64_t y = 0; y < side; ++y) {
    Emitter::Values row;
    for (int64_t x = 0; x < side; ++x)
      row.push_back(grid[x][y]);
    row = algebra.input(row);
    for (int64_t x = 0; x < side; ++x)
      code.storeVector(row[x],
                       code.at(function->getArg(2),
                               code.times(function->getArg(3), y * side + x)));
  }
  code.CreateRetVoid();
}

/// Copies the pixels of a tile that lie inside of the image between zeros.
void copyPixels(Emitter &code, const WinogradSizes &w, Value *image, Value *top,
                Value *left, Value *patch) {
  Value *zero = code.integer(0);
  Value *nothing = ConstantAggregateZero::get(code.vector);
  auto inside = [&](Value *at, int64_t size) {
    return code.CreateICmpULT(at, code.integer(size)); // negative is large
  };
  code.loop(zero, code.integer(w.side()), [&](Value *y) {
    Value *row = code.add(top, y);
    code.loop(zero, code.integer(w.side()), [&](Value *x) {
      Value *column = code.add(left, x);
      Value *to = code.at(
          patch, code.times(code.add(code.times(y, w.side()), x), lanes));
      code.storeVector(nothing, to);
      Value *both =
          code.CreateAnd(inside(row, w.height), inside(column, w.width));
      code.when(both, [&] {
        Value *pixel = code.add(code.times(row, w.width), column);
        code.storeVector(
            code.loadVector(code.at(image, code.times(pixel, lanes))), to);
      });
    });
  });
}

} // namespace

void glow::cpu::emitInputTransform(Emitter &code, const WinogradSizes &w,
                                   Value *image, const TilePlace &place,
                                   Value *to, int64_t step) {
  llvm::Type *pointer = code.getPtrTy(), *integer = code.getInt64Ty();
  Function *transform =
      shared(code.unit, "winograd.in." + std::to_string(w.size),
             {pointer, integer, pointer, integer}, [&](Function *function) {
               makeInput(code.unit, function, w.side());
             });
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
  code.when(whole, [&] {
    Value *pixel = code.add(code.times(top, w.width), left);
    code.CreateCall(transform,
                    {code.at(image, code.times(pixel, lanes)),
                     code.integer(w.width * lanes), to, code.integer(step)});
  });
  // In the entry block, so that a loop does not take new stack each time.
  BasicBlock &entry = code.function->getEntryBlock();
  IRBuilder<> start(&entry, entry.begin());
  AllocaInst *patch = start.CreateAlloca(
      ArrayType::get(code.getFloatTy(), uint64_t(w.points() * lanes)));
  patch->setAlignment(Align(64));
  code.when(code.CreateNot(whole), [&] {
    copyPixels(code, w, image, top, left, patch);
    code.CreateCall(transform, {patch, code.integer(w.side() * lanes), to,
                                code.integer(step)});
  });
}

/// m, step, bias, out, extras...
static void makeOutput(CodeModule &unit, Function *function,
                       const WinogradSizes &w, const Epilogue &epilogue,
                       int64_t rows, int64_t columns) {
  Emitter code(unit, function);
  Algebra algebra{code};
  int64_t side = w.side();
  std::vector<Emitter::Values> grid(side); // of each column, by row
  for (int64_t x = 0; x < side; ++x) {
    Emitter::Values column;
    for (int64_t y = 0; y < side; ++y)
      column.push_back(code.loadVector(code.at(
          function->getArg(0), code.times(function->getArg(1), y * side + x))));
    grid[x] = algebra.output(column);
  }
  Value *bias = epilogue.bias ? code.loadVector(function->getArg(2)) : nullptr;
  for (int64_t y = 0; y < rows; ++y) {
    Emitter::Values row;
    for (int64_t x = 0; x < side; ++x)
      row.push_back(grid[x][y]);
    row = algebra.output(row);
    for (int64_t x = 0; x < columns; ++x) {
      int64_t place = (y * w.outWidth + x) * lanes;
      SmallVector<Value *> operands = {bias ? code.CreateFAdd(row[x], bias)
                                            : row[x]};
      for (auto [i, reach] : enumerate(epilogue.extras)) {
        Value *extra = function->getArg(unsigned(4 + i));
        operands.push_back(
            reach == Reach::Single    ? code.splat(code.loadElement(extra))
            : reach == Reach::Channel ? code.loadVector(extra)
                                      : code.loadVector(code.at(extra, place)));
      }
      code.storeVector(emitFormula(code, epilogue.formula, operands),
                       code.at(function->getArg(3), place));
    }
  }
  code.CreateRetVoid();
}

void glow::cpu::emitOutputTransform(Emitter &code, const WinogradSizes &w,
                                    const Epilogue &epilogue, int64_t rows,
                                    int64_t columns, const OutputCall &call) {
  Tile key; // what differs between functions
  key.epilogue = epilogue;
  std::string name = "winograd.out." + std::to_string(w.size) + "." +
                     std::to_string(rows) + "x" + std::to_string(columns) +
                     "." + std::to_string(w.outWidth) + "." + key.key();
  llvm::Type *pointer = code.getPtrTy(), *integer = code.getInt64Ty();
  SmallVector<llvm::Type *> parameters = {pointer, integer, pointer, pointer};
  parameters.append(call.extras.size(), pointer);
  Function *transform =
      shared(code.unit, name, parameters, [&](Function *function) {
        makeOutput(code.unit, function, w, epilogue, rows, columns);
      });
  Value *nowhere = ConstantPointerNull::get(code.getPtrTy());
  SmallVector<Value *> arguments = {call.m, code.integer(call.step),
                                    call.bias ? call.bias : nowhere, call.out};
  arguments.append(call.extras.begin(), call.extras.end());
  code.CreateCall(transform, arguments);
}

/// U of one 3x3 filter, in double: it is made once.
static void transformFilter(int64_t size, const float *g, double *u) {
  static constexpr double four[6][3] = {{1 / 4.0, 0, 0},
                                        {-1 / 6.0, -1 / 6.0, -1 / 6.0},
                                        {-1 / 6.0, 1 / 6.0, -1 / 6.0},
                                        {1 / 24.0, 1 / 12.0, 1 / 6.0},
                                        {1 / 24.0, -1 / 12.0, 1 / 6.0},
                                        {0, 0, 1}};
  static constexpr double two[4][3] = {
      {1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  const double (*matrix)[3] = size == 4 ? four : two;
  int64_t side = size + 2;
  for (int64_t i = 0; i < side; ++i)
    for (int64_t j = 0; j < side; ++j) {
      double sum = 0;
      for (int64_t y = 0; y < 3; ++y)
        for (int64_t x = 0; x < 3; ++x)
          sum += matrix[i][y] * double(g[y * 3 + x]) * matrix[j][x];
      u[i * side + j] = sum;
    }
}

void glow::cpu::packWinograd(const WinogradSizes &w, int64_t panel,
                             const float *filter, float *u) {
  std::vector<double> points(size_t(w.points()));
  int64_t blocks = w.outBlocks();
  for (int64_t first = 0; first < blocks; first += panel) {
    int64_t width = std::min(panel, blocks - first) * lanes;
    for (int64_t d = 0; d < width; ++d) {
      int64_t out = first * lanes + d;
      for (int64_t c = 0; c < w.inChannels; ++c) {
        if (out < w.channels)
          transformFilter(w.size, filter + (out * w.inChannels + c) * 9,
                          points.data());
        for (int64_t p = 0; p < w.points(); ++p)
          u[(p * w.inChannels + c) * width + d] =
              out < w.channels ? float(points[size_t(p)]) : 0.0f;
      }
    }
    u += w.points() * w.inChannels * width;
  }
}
