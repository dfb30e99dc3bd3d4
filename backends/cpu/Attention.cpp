//===- Attention.cpp - softmax(q k' ...) v, one head at a time ------------===//
//
// A chunk is one head of one image. Eight rows of scores at a time: their
// product, the formula, softmax, and the product with the values. The scores
// never leave the first-level cache.
//
// Many keys are taken in blocks, with copies of the keys and values of one that
// stay in the second-level cache over all rows. A row keeps the largest score
// so far, and the sums of exp(score - largest), alone and times the values;
// when a block has a larger one, the sums become smaller by that much.
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "glow/Base/Functions.h"
#include <limits>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// An operand of the formula, by its steps over [batch, heads, rows, columns].
struct Extra {
  unsigned buffer;
  int64_t steps[4];
};

/// The sizes of an attention, with the offsets of rows of its operands.
struct AttentionSizes {
  int64_t batch, heads, rows, keys;   // rows of q; of k and v
  int64_t depth, width;               // of a head of q and k; of v
  int64_t queryRow, keyRow, valueRow; // from a row to the next
  int64_t query, key, value;          // where the first head begins
  int64_t paddedKeys() const { return (keys + lanes - 1) / lanes * lanes; }
};

/// Keys of a block, where there are more.
constexpr int64_t blockKeys = 256;
bool isBlocked(const AttentionSizes &a) { return a.keys > 2 * blockKeys; }

/// Rows as columns: 16 vectors of 16.
void transpose16(Emitter &code, MutableArrayRef<Value *> rows) {
  for (int64_t step = lanes / 2; step; step /= 2)
    for (int64_t i = 0; i < lanes; ++i) {
      if (i & step)
        continue;
      SmallVector<int> low, high;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        low.push_back(int(lane & step ? lanes + lane - step : lane));
        high.push_back(int(lane & step ? lanes + lane : lane + step));
      }
      Value *a = rows[i], *b = rows[i + step];
      rows[i] = code.CreateShuffleVector(a, b, low);
      rows[i + step] = code.CreateShuffleVector(a, b, high);
    }
}

class AttentionEmitter {
public:
  AttentionEmitter(CodeModule &unit, const cpu::Instr &instr,
                   AttentionSizes sizes, Formula formula,
                   std::vector<Extra> extras, const Twine &name)
      : a(sizes), instr(instr), formula(std::move(formula)),
        extras(std::move(extras)), code(unit, unit.addStep(name)) {
    height =
        std::min<int64_t>(a.rows, unit.target.vectorRegisters >= 32 ? 8 : 6);
  }

  NativeStep emit() {
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                locateHead(chunk);
                isBlocked(a) ? emitBlocks() : emitHead();
              });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, a.batch * a.heads});
    step.scratchBytes =
        4 *
        (isBlocked(a) ? blockedScratch() : (a.depth + height) * a.paddedKeys());
    return step;
  }

private:
  void locateHead(Value *chunk) {
    head = code.CreateURem(chunk, code.integer(a.heads));
    image = code.CreateUDiv(chunk, code.integer(a.heads));
    keys = code.function->getArg(4);
    query = operand("q", a.rows * a.queryRow, a.query, a.depth);
    key = operand("k", a.keys * a.keyRow, a.key, a.depth);
    values = operand("v", a.keys * a.valueRow, a.value, a.width);
    out = code.at(code.buffer(0),
                  code.add(code.times(image, a.rows * a.heads * a.width),
                           code.times(head, a.width)));
  }

  void emitHead() {
    scores = code.at(keys, a.depth * a.paddedKeys());
    packKeys(key, a.keys, a.paddedKeys());
    overRows([&](Value *first, int64_t count) { emitRows(first, count); });
  }

  /// Calls `body` with each first row, and how many rows follow.
  void overRows(function_ref<void(Value *, int64_t)> body) {
    code.loop(code.integer(0), code.integer(a.rows / height),
              [&](Value *t) { body(code.times(t, height), height); });
    if (int64_t rest = a.rows % height)
      body(code.integer(a.rows - rest), rest);
  }

  /// Where an operand has the rows of this head.
  Value *operand(StringRef name, int64_t imageSize, int64_t first,
                 int64_t depth) {
    Value *offset =
        code.add(code.times(image, imageSize), code.times(head, depth));
    return code.at(code.at(code.buffer(instr.find(name)), offset), first);
  }

  /// `count` keys as columns, [depth][columns], zeros after the last key.
  void packKeys(Value *from, int64_t count, int64_t columns) {
    auto block = [&](Value *first, int64_t rows) {
      for (int64_t c = 0; c < a.depth; c += lanes) {
        int64_t channels = std::min(lanes, a.depth - c);
        SmallVector<Value *> vectors;
        for (int64_t row = 0; row < lanes; ++row)
          vectors.push_back(
              row < rows
                  ? code.loadVector(
                        code.at(code.at(from, code.times(first, a.keyRow)),
                                row * a.keyRow + c),
                        channels)
                  : ConstantAggregateZero::get(code.vector));
        transpose16(code, vectors);
        for (int64_t i = 0; i < channels; ++i)
          code.storeVector(vectors[i],
                           code.at(code.at(keys, first), (c + i) * columns));
      }
    };
    if (count >= lanes)
      code.loop(code.integer(0), code.integer(count / lanes),
                [&](Value *t) { block(code.times(t, lanes), lanes); });
    if (int64_t rest = count % lanes)
      block(code.integer(count - rest), rest);
  }

  void emitRows(Value *first, int64_t count) {
    Tile tile;
    tile.width = count;
    tile.count = 0, tile.outer = false, tile.tail = true;
    TileCall call;
    call.outBlock = code.integer(lanes);
    // Scores of `count` rows.
    tile.inPixel = a.queryRow, tile.outPixel = a.paddedKeys();
    tile.weightStep = a.paddedKeys();
    call.in = code.at(query, code.times(first, a.queryRow));
    call.weights = keys, call.out = scores;
    call.tail = code.integer(a.depth);
    emitColumns(tile, call, a.paddedKeys());
    for (int64_t row = 0; row < count; ++row)
      emitSoftmax(code.at(scores, row * a.paddedKeys()),
                  code.add(first, code.integer(row)), code.integer(0), a.keys,
                  {});
    // Their product with the values.
    tile.inPixel = a.paddedKeys(), tile.outPixel = a.heads * a.width;
    tile.weightStep = a.valueRow;
    call.in = scores, call.weights = values;
    call.out = code.at(out, code.times(first, a.heads * a.width));
    call.tail = code.integer(a.keys);
    emitColumns(tile, call, a.width);
  }

  /// Tiles over all columns, as wide as registers allow.
  void emitColumns(Tile tile, TileCall call, int64_t columns) {
    tile.blocks = 1;
    while (code.unit.target.fits(tile.width, tile.blocks + 1) &&
           tile.blocks < 8)
      ++tile.blocks;
    // A panel of one block waits for its own sums.
    int64_t blocks = (columns + lanes - 1) / lanes;
    if (tile.blocks == 3 && blocks % 3 == 1 && blocks % 2 == 0)
      tile.blocks = 2;
    int64_t panel = tile.blocks * lanes;
    auto at = [&](const Tile &tile, Value *column) {
      TileCall moved = call;
      moved.weights = code.at(call.weights, column);
      moved.out = code.at(call.out, column);
      emitTile(code, tile, moved);
    };
    if (columns >= panel)
      code.loop(code.integer(0), code.integer(columns / panel),
                [&](Value *t) { at(tile, code.times(t, panel)); });
    if (int64_t rest = columns % panel) {
      tile.blocks = (rest + lanes - 1) / lanes;
      tile.lastLanes = rest % lanes ? rest % lanes : lanes;
      at(tile, code.integer(columns - rest));
    }
  }

  //===--------------------------------------------------------------------===//
  // Blocks of keys
  //===--------------------------------------------------------------------===//

  /// Blocks of columns of a panel of the values that leaves few columns empty.
  int64_t panelBlocks() const {
    int64_t blocks = (a.width + lanes - 1) / lanes, best = 1,
            least = blocks + 1;
    for (int64_t panel = 3; panel; --panel)
      if (int64_t padded = (blocks + panel - 1) / panel * panel;
          code.unit.target.fits(height, panel) && padded < least)
        best = panel, least = padded;
    return best;
  }
  int64_t panelWidth() const { return panelBlocks() * lanes; }
  int64_t panels() const { return (a.width + panelWidth() - 1) / panelWidth(); }
  int64_t paddedWidth() const { return panels() * panelWidth(); }
  /// From a row of scores to the next: not in the same sets of the cache.
  static constexpr int64_t scoreRow = blockKeys + lanes;
  int64_t paddedRows() const { return (a.rows + lanes - 1) / lanes * lanes; }
  int64_t sumsSize() const {
    return (a.rows + height - 1) / height * height * paddedWidth();
  }
  int64_t blockedScratch() const {
    return blockKeys * (a.depth + paddedWidth()) + height * scoreRow +
           sumsSize() + 2 * paddedRows();
  }

  void emitBlocks() {
    packed = code.at(keys, blockKeys * a.depth);
    scores = code.at(packed, blockKeys * paddedWidth());
    sums = code.at(scores, height * scoreRow);
    largest = code.at(sums, sumsSize());
    clearSums();
    code.loop(code.integer(0), code.integer(a.keys / blockKeys), [&](Value *t) {
      emitBlock(code.times(t, blockKeys), blockKeys);
    });
    if (int64_t rest = a.keys % blockKeys)
      emitBlock(code.integer(a.keys - rest), rest);
    overRows([&](Value *first, int64_t count) { divideRows(first, count); });
  }

  /// The largest so far is finite, so that the difference of it is a number.
  void clearSums() {
    Value *zero = ConstantAggregateZero::get(code.vector);
    auto fill = [&](Value *place, int64_t elements, Value *value) {
      code.loop(code.integer(0), code.integer(elements / lanes), [&](Value *v) {
        code.storeVector(value, code.at(place, code.times(v, lanes)));
      });
    };
    fill(sums, sumsSize(), zero);
    fill(largest, paddedRows(),
         code.splat(ConstantFP::get(code.getFloatTy(),
                                    -std::numeric_limits<float>::max())));
    fill(code.at(largest, paddedRows()), paddedRows(), zero);
  }

  void emitBlock(Value *first, int64_t count) {
    packKeys(code.at(key, code.times(first, a.keyRow)), count, blockKeys);
    packValues(code.at(values, code.times(first, a.valueRow)), count);
    softmax = nullptr;
    overRows([&](Value *row, int64_t rows) {
      emitBlockRows(row, rows, first, count);
    });
  }

  /// Rows of values side by side, zeros after the last column.
  void packValues(Value *from, int64_t count) {
    code.loop(code.integer(0), code.integer(count), [&](Value *row) {
      Value *in = code.at(from, code.times(row, a.valueRow));
      Value *to = code.at(packed, code.times(row, paddedWidth()));
      for (int64_t c = 0; c < paddedWidth(); c += lanes)
        code.storeVector(
            c < a.width
                ? code.loadVector(code.at(in, c), std::min(lanes, a.width - c))
                : ConstantAggregateZero::get(code.vector),
            code.at(to, c));
    });
  }

  /// What the rows have summed: [panel][row][panelWidth].
  Value *sumsAt(Value *firstRow) {
    return code.at(sums, code.times(firstRow, paddedWidth()));
  }

  void emitBlockRows(Value *row, int64_t rows, Value *firstKey, int64_t count) {
    Tile tile;
    tile.width = rows;
    tile.count = 0, tile.outer = false, tile.tail = true;
    TileCall call;
    call.outBlock = code.integer(lanes);
    tile.inPixel = a.queryRow, tile.outPixel = scoreRow;
    tile.weightStep = blockKeys;
    call.in = code.at(query, code.times(row, a.queryRow));
    call.weights = keys, call.out = scores;
    call.tail = code.integer(a.depth);
    emitColumns(tile, call, (count + lanes - 1) / lanes * lanes);
    Value *rowSums = sumsAt(row);
    for (int64_t r = 0; r < rows; ++r)
      emitSoftmax(code.at(scores, r * scoreRow), code.add(row, code.integer(r)),
                  firstKey, count,
                  {code.at(rowSums, r * panelWidth()),
                   code.integer(rows * panelWidth())});
    tile.inPixel = scoreRow, tile.outPixel = panelWidth();
    tile.weightStep = paddedWidth(), tile.blocks = panelBlocks();
    tile.starts = 1;
    call.in = scores, call.tail = code.integer(count);
    for (int64_t p = 0; p < panels(); ++p) {
      call.weights = code.at(packed, p * panelWidth());
      call.out = code.at(rowSums, p * rows * panelWidth());
      call.starts = {call.out};
      emitTile(code, tile, call);
    }
  }

  void divideRows(Value *first, int64_t count) {
    Value *from = sumsAt(first);
    Value *to = code.at(out, code.times(first, a.heads * a.width));
    Value *total =
        code.at(largest, code.add(first, code.integer(paddedRows())));
    for (int64_t row = 0; row < count; ++row) {
      Value *factor = code.CreateFDiv(ConstantFP::get(code.getFloatTy(), 1.0),
                                      code.loadElement(code.at(total, row)));
      for (int64_t c = 0; c < a.width; c += lanes) {
        int64_t panel = c / panelWidth();
        Value *place = code.at(from, (panel * count + row) * panelWidth() +
                                         c % panelWidth());
        code.storeVector(
            code.CreateFMul(code.loadVector(place), code.splat(factor)),
            code.at(to, row * a.heads * a.width + c),
            std::min(lanes, a.width - c));
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Softmax
  //===--------------------------------------------------------------------===//

  /// The formula and softmax of one row of scores, by a function they share.
  /// Of a block there are also the row's first sums, and the step to those of
  /// the next panel.
  void emitSoftmax(Value *row, Value *index, Value *firstKey, int64_t count,
                   ArrayRef<Value *> ofBlock) {
    SmallVector<Value *> arguments = {row};
    for (const Extra &extra : extras) {
      Value *offset = code.add(code.add(code.times(image, extra.steps[0]),
                                        code.times(head, extra.steps[1])),
                               code.add(code.times(index, extra.steps[2]),
                                        code.times(firstKey, extra.steps[3])));
      arguments.push_back(code.at(code.buffer(extra.buffer), offset));
    }
    if (!ofBlock.empty())
      arguments.push_back(code.at(largest, index));
    append_range(arguments, ofBlock);
    if (!softmax)
      softmax = makeSoftmax(count, arguments);
    code.CreateCall(softmax, arguments);
  }

  Function *makeSoftmax(int64_t count, ArrayRef<Value *> arguments) {
    SmallVector<llvm::Type *> parameters;
    for (Value *argument : arguments)
      parameters.push_back(argument->getType());
    Function *function = code.unit.addFunction(
        code.function->getName() + ".softmax" + Twine(count), parameters,
        /*internal=*/true);
    function->addFnAttr(Attribute::NoInline);
    Emitter row(code.unit, function);
    Value *best = emitFormulaOfRow(row, count);
    if (isBlocked(a)) {
      emitPowersOfBlock(row, count, best);
    } else {
      Value *sum = emitPowers(row, count, best);
      Value *factor = row.splat(
          row.CreateFDiv(ConstantFP::get(row.getFloatTy(), 1.0), sum));
      overRow(row, count, factor, [&](Value *place, Value *factor, int64_t) {
        scale(row, row.at(function->getArg(0), place), factor);
        return factor;
      });
    }
    row.CreateRetVoid();
    return function;
  }

  static void scale(Emitter &code, Value *place, Value *factor) {
    code.storeVector(code.CreateFMul(code.loadVector(place), factor), place);
  }

  /// The larger of each lane, or `b` where `a` is NaN: what is NaN makes the
  /// sum of the powers NaN.
  static Value *larger(Emitter &code, Value *a, Value *b) {
    return code.CreateSelect(code.CreateFCmpOGT(a, b), a, b);
  }

  /// Stores the formula of each score. Gives the largest in all lanes.
  Value *emitFormulaOfRow(Emitter &row, int64_t count) {
    Value *scores = row.function->getArg(0);
    Value *least = row.splat(ConstantFP::getInfinity(row.getFloatTy(), true));
    auto most = [&](Value *place, Value *best, int64_t count) {
      Value *value = rowFormula(row, place, count);
      if (count < lanes) { // what lies past the end weighs nothing
        SmallVector<Constant *> inside;
        for (int64_t i = 0; i < lanes; ++i)
          inside.push_back(row.getInt1(i < count));
        value = row.CreateSelect(ConstantVector::get(inside), value, least);
      }
      row.storeVector(value, row.at(scores, place));
      return larger(row, value, best);
    };
    Value *best = overRow(row, count, least, most);
    for (int64_t step = lanes / 2; step; step /= 2) {
      SmallVector<int> turned;
      for (int64_t lane = 0; lane < lanes; ++lane)
        turned.push_back(int(lane ^ step));
      best = larger(row, best, row.CreateShuffleVector(best, turned));
    }
    return best;
  }

  /// Stores exp(score - best). Gives the sum of them.
  Value *emitPowers(Emitter &row, int64_t count, Value *best) {
    Value *scores = row.function->getArg(0);
    auto power = [&](Value *place, Value *sum, int64_t) {
      Value *value = powerOf(row, row.loadVector(row.at(scores, place)), best);
      row.storeVector(value, row.at(scores, place));
      return row.CreateFAdd(sum, value);
    };
    Value *sum =
        overRow(row, count, ConstantAggregateZero::get(row.vector), power);
    FastMathFlags anyOrder;
    anyOrder.setAllowReassoc();
    row.setFastMathFlags(anyOrder);
    sum = row.CreateFAddReduce(ConstantFP::get(row.getFloatTy(), 0.0), sum);
    row.clearFastMathFlags();
    return sum;
  }

  static Value *powerOf(Emitter &row, Value *value, Value *best) {
    static const Formula exponential =
        *Formula::parse("sub(x0, x1); exp(t0)", 2);
    return emitFormula(row, exponential, {value, best});
  }

  /// The same, with what the blocks before have summed.
  void emitPowersOfBlock(Emitter &row, int64_t count, Value *best) {
    unsigned next = unsigned(extras.size()) + 1;
    Value *place = row.function->getArg(next);
    Value *before = row.splat(row.loadElement(place));
    best = larger(row, best, before);
    row.CreateStore(row.CreateExtractElement(best, uint64_t(0)), place);
    Value *factor = powerOf(row, before, best);
    Value *sum = emitPowers(row, count, best);
    Value *total = row.at(place, paddedRows());
    Value *scaled = row.CreateFMul(
        row.loadElement(total), row.CreateExtractElement(factor, uint64_t(0)));
    row.CreateStore(row.CreateFAdd(scaled, sum), total);
    Value *sums = row.function->getArg(next + 1);
    for (int64_t p = 0; p < panels(); ++p) {
      for (int64_t b = 0; b < panelBlocks(); ++b)
        scale(row, row.at(sums, b * lanes), factor);
      sums = row.at(sums, row.function->getArg(next + 2));
    }
  }

  /// Calls `body` with each place of a row of `count` scores, a value that is
  /// carried on, and how many lanes are keys.
  Value *overRow(Emitter &row, int64_t count, Value *carried,
                 function_ref<Value *(Value *, Value *, int64_t)> body) {
    if (count >= lanes)
      carried = row.loop(row.integer(0), row.integer(count / lanes), {carried},
                         [&](Value *v, Emitter::Values values) {
                           return Emitter::Values{
                               body(row.times(v, lanes), values[0], lanes)};
                         })[0];
    if (int64_t rest = count % lanes)
      carried = body(row.integer(count - rest), carried, rest);
    return carried;
  }

  Value *rowFormula(Emitter &row, Value *place, int64_t count) {
    SmallVector<Value *> operands = {
        row.loadVector(row.at(row.function->getArg(0), place))};
    for (auto [i, extra] : enumerate(extras)) {
      Value *pointer = row.function->getArg(unsigned(i) + 1);
      operands.push_back(extra.steps[3]
                             ? row.loadVector(row.at(pointer, place), count)
                             : row.splat(row.loadElement(pointer)));
    }
    return emitFormula(row, formula, operands);
  }

  AttentionSizes a;
  const cpu::Instr &instr;
  Formula formula;
  std::vector<Extra> extras;
  Emitter code;
  int64_t height; // rows of scores at a time
  Function *softmax = nullptr;
  // Of a chunk; `keys` and `packed` are copies of the keys and of the values.
  Value *head, *image, *keys, *packed, *scores, *query, *key, *values, *out;
  Value *sums, *largest; // of rows; the sums of powers follow the largest
};

/// The steps of an operand that is repeated to [batch, heads, rows, keys].
std::optional<Extra> extraOf(const cpu::Instr &instr, unsigned buffer,
                             const Ints &scores) {
  Ints shape = instr.shape(buffer);
  if (!instr.isFloat(buffer) || !expr::broadcastsTo(shape, scores, -1))
    return std::nullopt;
  Extra extra{buffer, {0, 0, 0, 0}};
  int64_t step = 1;
  for (size_t i = shape.size(), axis = 4; i-- > 0;) {
    extra.steps[--axis] = shape[i] == 1 ? 0 : step;
    step *= shape[i];
  }
  return extra;
}

} // namespace

std::optional<NativeStep>
cpu::emitAttention(CodeModule &unit, const Instr &instr, const Twine &name) {
  if (!instr.isFloat(0))
    return std::nullopt;
  Ints q = instr.shape(instr.find("q")), k = instr.shape(instr.find("k"));
  Ints v = instr.shape(instr.find("v")), out = instr.shape(0);
  Ints first = instr.integers("first");
  AttentionSizes a;
  a.batch = q[0], a.heads = instr.integer("heads"), a.rows = q[1];
  a.keys = k[1], a.depth = instr.integer("depth");
  a.width = out[2] / a.heads;
  a.queryRow = q[2], a.keyRow = k[2], a.valueRow = v[2];
  a.query = first[0], a.key = first[1], a.value = first[2];
  if (a.batch * a.heads * a.rows * a.keys * a.depth * a.width == 0)
    return std::nullopt;
  Ints scores = {a.batch, a.heads, a.rows, a.keys};
  std::vector<Extra> extras;
  for (size_t i = 0; i < instr.count("extras"); ++i) {
    auto extra =
        extraOf(instr, unsigned(instr.find("extras")) + unsigned(i), scores);
    if (!extra)
      return std::nullopt;
    extras.push_back(*extra);
  }
  Result<Formula> formula =
      Formula::parse(instr.text("formula").str(), extras.size() + 1);
  if (!formula)
    return std::nullopt;
  return AttentionEmitter(unit, instr, a, formula.take(), extras, name).emit();
}
