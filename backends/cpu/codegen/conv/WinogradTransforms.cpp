//===- WinogradTransforms.cpp - the transforms of Winograd's algorithm ----===//
// SPDX-License-Identifier: MIT
//
// The matrices belong to the points 0, 1, -1 and infinity for m = 2, and also 2
// and -2 for m = 4. With a stride of 2 they belong to 0, 1 and infinity, and
// for m = 4 also -1 and 2.
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"
#include "codegen/emit/OpenSizes.h"
#include <array>

using namespace glow::cpu;
using glow::Length;
using namespace llvm;

TilePlace::TilePlace(Emitter &code, const WinogradSizes &w, Value *t) {
  Value *columns = valueOf(code, w.tileColumns());
  column = code.CreateURem(t, columns);
  Value *rest = code.CreateUDiv(t, columns);
  Value *rows = valueOf(code, w.tileRows());
  row = code.CreateURem(rest, rows);
  image = code.CreateUDiv(rest, rows);
}

namespace {

/// Emits sums of vectors in the notation of formulas.
struct Algebra {
  Emitter &code;
  Value *sum(Value *a, Value *b) { return code.CreateFAdd(a, b); }
  Value *difference(Value *a, Value *b) { return code.CreateFSub(a, b); }
  /// a * factor + b
  Value *scaled(Value *a, double factor, Value *b) {
    Value *constant = code.splat(ConstantFP::get(code.getFloatTy(), factor));
    return code.multiplyAdd(a, constant, b);
  }

  /// B' d of one column or row. With a stride of 2 the number of points is odd.
  Emitter::Values input(ArrayRef<Value *> d) {
    if (d.size() % 2)
      return stridedInput(d);
    if (d.size() == 4)
      return {difference(d[0], d[2]), sum(d[1], d[2]), difference(d[2], d[1]),
              difference(d[1], d[3])};
    // Rows of B' for points p and -p differ in the sign of terms with odd
    // powers of p. Even and odd terms are summed once for both: d4 - 4 d2 and
    // d3 - 4 d1 for 1 and -1, d4 - d2 and 2 (d3 - d1) for 2 and -2.
    Value *even = scaled(d[2], -4, d[4]), *odd = scaled(d[1], -4, d[3]);
    Value *near = difference(d[4], d[2]), *far = difference(d[3], d[1]);
    return {scaled(d[0], 4, scaled(d[2], -5, d[4])),
            sum(even, odd),
            difference(even, odd),
            scaled(far, 2, near),
            scaled(far, -2, near),
            scaled(d[1], 4, scaled(d[3], -5, d[5]))};
  }

  /// The points of the even pixels, followed by the odd pixels.
  Emitter::Values stridedInput(ArrayRef<Value *> d) {
    Emitter::Values points, odd;
    for (size_t i = 1; i < d.size(); i += 2)
      odd.push_back(d[i]);
    if (d.size() == 5) {
      points = {difference(d[0], d[2]), d[2], difference(d[4], d[2])};
    } else {
      // d6 - d2 belongs to the point 2, and is a part of all others.
      Value *part = difference(d[6], d[2]);
      points = {scaled(difference(d[0], d[4]), 2, part),
                difference(scaled(d[2], -2, d[6]), d[4]),
                scaled(d[2], 2, scaled(d[4], -3, d[6])), part,
                difference(scaled(part, -2, d[8]), d[4])};
    }
    points.append(odd);
    return points;
  }

  /// A' x, of one column or row.
  Emitter::Values output(ArrayRef<Value *> x) {
    if (x.size() % 2)
      return stridedOutput(x);
    Value *sum1 = sum(x[1], x[2]), *difference1 = difference(x[1], x[2]);
    if (x.size() == 4)
      return {sum(x[0], sum1), difference(difference1, x[3])};
    // Row i of A' has p^i for each point p: sums of x(p) and x(-p) for even i,
    // and differences for odd i. The point at infinity counts only in the last
    // row.
    Value *sum2 = sum(x[3], x[4]), *difference2 = difference(x[3], x[4]);
    return {sum(x[0], sum(sum1, sum2)), scaled(difference2, 2, difference1),
            scaled(sum2, 4, sum1),
            sum(scaled(difference2, 8, difference1), x[5])};
  }

  /// A y of one column or row of results: the reverse of `output`, for the
  /// gradient of a filter.
  Emitter::Values result(ArrayRef<Value *> y) {
    if (y.size() == 2)
      return {y[0], sum(y[0], y[1]), difference(y[0], y[1]),
              code.CreateFNeg(y[1])};
    Value *even = sum(y[0], y[2]), *odd = sum(y[1], y[3]);
    Value *far = scaled(y[2], 4, y[0]), *farOdd = scaled(y[3], 4, y[1]);
    return {y[0],
            sum(even, odd),
            difference(even, odd),
            scaled(farOdd, 2, far),
            scaled(farOdd, -2, far),
            y[3]};
  }

  Emitter::Values stridedOutput(ArrayRef<Value *> x) {
    if (x.size() == 5)
      return {sum(sum(x[0], x[1]), x[3]), sum(sum(x[1], x[2]), x[4])};
    Value *sum1 = sum(x[1], x[2]), *difference1 = difference(x[1], x[2]);
    return {sum(sum(sum(x[0], x[3]), sum1), x[5]),
            sum(scaled(x[3], 2, difference1), x[6]),
            sum(scaled(x[3], 4, sum1), x[7]),
            sum(sum(scaled(x[3], 8, difference1), x[4]), x[8])};
  }
};

/// The transform of a tile of `side` x `side` pixels. The next tile begins
/// `next` columns later.
struct TileTransform {
  const char *name;
  int64_t side, next;
  Emitter::Values (Algebra::*along)(ArrayRef<Value *>); ///< a column or row
};

/// The function (in, to, step, rowStep): transforms a tile inside of the image,
/// to points that lie `step` elements apart. Prefetches the pixels that the
/// tile after the next one adds, because the hardware prefetcher does not
/// recognise its rows.
void makeInside(CodeModule &module, Function *function,
                const TileTransform &transform) {
  Emitter code(module, function);
  Algebra algebra{code};
  Value *to = function->getArg(1), *step = function->getArg(2);
  auto pixelAt = [&](int64_t y, int64_t x) {
    Value *row =
        code.at(function->getArg(0), code.times(function->getArg(3), y));
    return code.at(row, x * lanes);
  };
  const int64_t side = transform.side, next = transform.next;
  for (int64_t y = 0; y < side; ++y)
    // A tile shares its other columns with the one before.
    for (int64_t x = side + next; x < side + 2 * next; ++x)
      code.fetch(pixelAt(y, x));
  std::vector<Emitter::Values> grid(side); // [column][row], then [row][column]
  for (int64_t x = 0; x < side; ++x) {
    Emitter::Values column;
    for (int64_t y = 0; y < side; ++y)
      column.push_back(code.loadVector(pixelAt(y, x)));
    grid[x] = (algebra.*transform.along)(column);
  }
  const int64_t points = int64_t(grid[0].size());
  for (int64_t y = 0; y < points; ++y) {
    Emitter::Values row;
    for (int64_t x = 0; x < side; ++x)
      row.push_back(grid[x][y]);
    row = (algebra.*transform.along)(row);
    for (int64_t x = 0; x < points; ++x)
      code.storeVector(row[x], code.at(to, code.times(step, y * points + x)));
  }
  code.CreateRetVoid();
}

/// A pixel of zeros.
Constant *nothing(CodeModule &module) {
  llvm::Type *type = FixedVectorType::get(
      llvm::Type::getFloatTy(module.ir->getContext()), lanes);
  StringRef name = "winograd.zeros";
  return module.ir->getOrInsertGlobal(name, type, [&] {
    auto *zeros = new GlobalVariable(*module.ir, type, /*isConstant=*/true,
                                     GlobalValue::InternalLinkage,
                                     ConstantAggregateZero::get(type), name);
    zeros->setAlignment(Align(64));
    return zeros;
  });
}

/// The function (image, to, step, top, left, height, width) for a tile at the
/// border, which is copied with zeros around it. It selects addresses rather
/// than values, which needs no branch.
void makeBorder(CodeModule &module, Function *function, Function *inside,
                int64_t side) {
  Emitter code(module, function);
  Value *zeros = nothing(module);
  Value *top = function->getArg(3), *left = function->getArg(4);
  Value *height = function->getArg(5), *width = function->getArg(6);
  Value *tile = code.CreateAlloca(ArrayType::get(code.vector, side * side));
  Emitter::Values isColumn; // unsigned: negative columns are large
  for (int64_t x = 0; x < side; ++x)
    isColumn.push_back(
        code.CreateICmpULT(code.add(left, code.integer(x)), width));
  code.loop(code.integer(0), code.integer(side), [&](Value *y) {
    Value *row = code.add(top, y);
    Value *isRow = code.CreateICmpULT(row, height);
    Value *pixel = code.add(code.CreateNSWMul(row, width), left);
    Value *from = code.at(function->getArg(0), code.times(pixel, lanes));
    Value *to = code.at(tile, code.times(y, side * lanes));
    for (int64_t x = 0; x < side; ++x) {
      Value *address = code.CreateSelect(code.CreateAnd(isRow, isColumn[x]),
                                         code.at(from, x * lanes), zeros);
      code.storeVector(code.loadVector(address), code.at(to, x * lanes));
    }
  });
  code.CreateCall(inside, {tile, function->getArg(1), function->getArg(2),
                           code.integer(side * lanes)});
  code.CreateRetVoid();
}

/// Emits the transform of the tile whose first pixel is in row `top` and column
/// `left` of an image.
void emitTileTransform(Emitter &code, const TileTransform &transform,
                       Value *image, const Length &height, const Length &width,
                       Value *top, Value *left, Value *to, int64_t step) {
  llvm::Type *pointer = code.getPtrTy(), *integer = code.getInt64Ty();
  const int64_t side = transform.side;
  const std::string size = std::to_string(side);
  Function *inside = code.module.sharedFunction(
      "winograd." + std::string(transform.name) + "." + size,
      {pointer, pointer, integer, integer}, [&](Function *function) {
        makeInside(code.module, function, transform);
      });
  Function *border = code.module.sharedFunction(
      "winograd." + std::string(transform.name) + ".border." + size,
      {pointer, pointer, integer, integer, integer, integer, integer},
      [&](Function *function) {
        makeBorder(code.module, function, inside, side);
      });
  auto mayFit = [&](const Length &size) { return size.range().high >= side; };
  auto fits = [&](Value *first, const Length &size) {
    Value *isInside = code.CreateICmpULE(first, valueOf(code, size - side));
    return size.range().low >= side
               ? isInside
               : code.CreateAnd(isInside,
                                code.CreateICmpSGE(valueOf(code, size),
                                                   code.integer(side)));
  };
  Value *whole = mayFit(height) && mayFit(width)
                     ? code.CreateAnd(fits(top, height), fits(left, width))
                     : code.getFalse();
  Value *stepValue = code.integer(step);
  code.when(whole, [&] {
    Value *pixel = code.add(times(code, top, width), left);
    code.CreateCall(inside, {code.at(image, code.times(pixel, lanes)), to,
                             stepValue, valueOf(code, width * lanes)});
  });
  code.when(code.CreateNot(whole), [&] {
    code.CreateCall(border, {image, to, stepValue, top, left,
                             valueOf(code, height), valueOf(code, width)});
  });
}

} // namespace

void glow::cpu::emitInputTransform(Emitter &code, const WinogradSizes &w,
                                   Value *image, const TilePlace &place,
                                   Value *to, int64_t step) {
  const int64_t next = w.size * w.stride;
  auto firstOf = [&](Value *tile, const Length &pad) {
    return code.CreateNSWSub(code.times(tile, next), valueOf(code, pad));
  };
  emitTileTransform(code, {"in", w.side(), next, &Algebra::input}, image,
                    w.height, w.width, firstOf(place.row, w.padTop),
                    firstOf(place.column, w.padLeft), to, step);
}

void glow::cpu::emitResultTransform(Emitter &code, const WinogradSizes &w,
                                    Value *image, const TilePlace &place,
                                    Value *to, int64_t step) {
  emitTileTransform(code, {"result", w.size, w.size, &Algebra::result}, image,
                    w.outHeight, w.outWidth, code.times(place.row, w.size),
                    code.times(place.column, w.size), to, step);
}

namespace {

/// The parameters of an output transform's function; extras follow.
enum OutputArgument : unsigned {
  M,
  Step,
  Bias,
  Out,
  Line,
  Rows,
  Columns,
  Extra
};

class OutputTransform {
public:
  /// The transform of `whole` tiles, or of all tiles.
  OutputTransform(CodeModule &module, Function *function,
                  const WinogradSizes &w, const Epilogue &epilogue, bool whole)
      : w(w), epilogue(epilogue), code(module, function), whole(whole) {}

  void emit() {
    transformColumns();
    bias = epilogue.bias ? code.loadVector(argument(Bias)) : nullptr;
    for (int64_t y = 0; y < w.size; y += w.poolRows)
      within(Rows, y + w.poolRows, [&] { emitRow(y); });
    code.CreateRetVoid();
  }

private:
  Value *argument(unsigned index) { return code.function->getArg(index); }

  /// Emits `body` under the condition that the tile has the rows or columns
  /// before `end`.
  void within(OutputArgument count, int64_t end, function_ref<void()> body) {
    if (whole)
      return body();
    code.when(code.CreateICmpSGE(argument(count), code.integer(end)), body);
  }

  void transformColumns() {
    for (int64_t x = 0; x < w.side(); ++x) {
      Emitter::Values column;
      for (int64_t y = 0; y < w.side(); ++y)
        column.push_back(code.loadVector(code.at(
            argument(M), code.times(argument(Step), y * w.side() + x))));
      grid.push_back(Algebra{code}.output(column));
    }
  }

  /// Emits the maximum of each pool in the row of pools that begins at row
  /// `top`.
  void emitRow(int64_t top) {
    std::vector<Emitter::Values> sums;
    for (int64_t y = top; y < top + w.poolRows; ++y) {
      Emitter::Values row;
      for (const Emitter::Values &column : grid)
        row.push_back(column[y]);
      sums.push_back(Algebra{code}.output(row));
    }
    Value *out =
        code.at(argument(Out), code.times(argument(Line), top / w.poolRows));
    for (int64_t left = 0; left < w.size; left += w.poolColumns)
      within(Columns, left + w.poolColumns, [&] {
        Emitter::Values pool;
        for (int64_t y = 0; y < w.poolRows; ++y)
          for (int64_t x = left; x < left + w.poolColumns; ++x)
            pool.push_back(pixelOf(sums[y][x], top + y, x));
        code.storeVector(emitLargest(code, pool),
                         code.at(out, left / w.poolColumns * lanes));
      });
  }

  /// The formula of one pixel.
  Value *pixelOf(Value *sum, int64_t y, int64_t x) {
    SmallVector<Value *> operands = {bias ? code.CreateFAdd(sum, bias) : sum};
    for (auto [i, kind] : enumerate(epilogue.extras)) {
      Value *extra = argument(unsigned(Extra + i));
      if (kind == BroadcastKind::Scalar) {
        operands.push_back(code.splat(code.loadElement(extra)));
        continue;
      }
      if (kind == BroadcastKind::Elementwise) // only without pools
        extra =
            code.at(code.at(extra, code.times(argument(Line), y)), x * lanes);
      operands.push_back(code.loadVector(extra));
    }
    return emitFormula(code, epilogue.formula, operands);
  }

  const WinogradSizes &w;
  const Epilogue &epilogue;
  Emitter code;
  const bool whole;
  std::vector<Emitter::Values> grid; // by column and row
  Value *bias = nullptr;
};

/// The function for whole tiles, or for those at the end of a row or column.
Function *outputFunction(CodeModule &module, const WinogradSizes &w,
                         const Epilogue &epilogue, bool whole) {
  Tile key; // what differs between functions
  key.epilogue = epilogue;
  std::string name = "winograd.out." + std::to_string(w.side()) +
                     (whole ? "" : ".edge") + "." + std::to_string(w.poolRows) +
                     "x" + std::to_string(w.poolColumns) + "." + key.key();
  llvm::Type *pointer = PointerType::get(module.ir->getContext(), 0);
  llvm::Type *integer = llvm::Type::getInt64Ty(module.ir->getContext());
  SmallVector<llvm::Type *> parameters(Extra, integer);
  for (unsigned index : {M, Bias, Out})
    parameters[index] = pointer;
  parameters.append(epilogue.extras.size(), pointer);
  return module.sharedFunction(name, parameters, [&](Function *function) {
    OutputTransform(module, function, w, epilogue, whole).emit();
  });
}

} // namespace

void glow::cpu::emitOutputTransform(Emitter &code, const WinogradSizes &w,
                                    const Epilogue &epilogue,
                                    const OutputCall &call) {
  auto left = [&](Value *tile, const Length &count) {
    return code.CreateNSWSub(valueOf(code, count), code.times(tile, w.size));
  };
  Value *nowhere = ConstantPointerNull::get(code.getPtrTy());
  SmallVector<Value *> arguments = {call.m,
                                    code.integer(call.step),
                                    call.bias ? call.bias : nowhere,
                                    call.out,
                                    valueOf(code, w.resultWidth() * lanes),
                                    left(call.place.row, w.outHeight),
                                    left(call.place.column, w.outWidth)};
  arguments.append(call.extras.begin(), call.extras.end());
  auto callOf = [&](bool whole) {
    code.CreateCall(outputFunction(code.module, w, epilogue, whole), arguments);
  };
  if (w.outHeight.divisor() % w.size == 0 && w.outWidth.divisor() % w.size == 0)
    return callOf(/*whole=*/true);
  if (w.outHeight.range().high < w.size || w.outWidth.range().high < w.size)
    return callOf(/*whole=*/false);
  auto fits = [&](Value *left) {
    return code.CreateICmpSGE(left, code.integer(w.size));
  };
  Value *whole =
      code.CreateAnd(fits(arguments[Rows]), fits(arguments[Columns]));
  code.when(whole, [&] { callOf(true); });
  code.when(code.CreateNot(whole), [&] { callOf(false); });
}
