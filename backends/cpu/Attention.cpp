//===- Attention.cpp - softmax(q k' ...) v, one head at a time ------------===//
//
// A chunk is one head of one image. Eight rows of scores at a time: their
// product, the formula, softmax, and the product with the values. The scores
// never leave the first-level cache.
//
//===----------------------------------------------------------------------===//

#include "Step.h"
#include "glow/Base/Functions.h"

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
              [&](Value *chunk) { emitHead(chunk); });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, a.batch * a.heads});
    step.scratchBytes = (a.depth + height) * a.paddedKeys() * 4;
    return step;
  }

private:
  void emitHead(Value *chunk) {
    head = code.CreateURem(chunk, code.integer(a.heads));
    image = code.CreateUDiv(chunk, code.integer(a.heads));
    keys = code.function->getArg(4);
    scores = code.at(keys, a.depth * a.paddedKeys());
    query = operand("q", a.rows * a.queryRow, a.query, a.depth);
    values = operand("v", a.keys * a.valueRow, a.value, a.width);
    out = code.at(code.buffer(0),
                  code.add(code.times(image, a.rows * a.heads * a.width),
                           code.times(head, a.width)));
    packKeys(operand("k", a.keys * a.keyRow, a.key, a.depth));
    code.loop(code.integer(0), code.integer(a.rows / height),
              [&](Value *t) { emitRows(code.times(t, height), height); });
    if (int64_t rest = a.rows % height)
      emitRows(code.integer(a.rows - rest), rest);
  }

  /// Where an operand has the rows of this head.
  Value *operand(StringRef name, int64_t imageSize, int64_t first,
                 int64_t depth) {
    Value *offset =
        code.add(code.times(image, imageSize), code.times(head, depth));
    return code.at(code.at(code.buffer(instr.find(name)), offset), first);
  }

  /// k' as [depth][keys], zeros after the last key.
  void packKeys(Value *from) {
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
          code.storeVector(vectors[i], code.at(code.at(keys, first),
                                               (c + i) * a.paddedKeys()));
      }
    };
    if (a.keys >= lanes)
      code.loop(code.integer(0), code.integer(a.keys / lanes),
                [&](Value *t) { block(code.times(t, lanes), lanes); });
    if (int64_t rest = a.keys % lanes)
      block(code.integer(a.keys - rest), rest);
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
                  code.add(first, code.integer(row)));
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

  /// The formula and softmax of one row of scores, by a function they share.
  void emitSoftmax(Value *row, Value *index) {
    SmallVector<Value *> arguments = {row};
    for (const Extra &extra : extras) {
      Value *offset = code.add(code.add(code.times(image, extra.steps[0]),
                                        code.times(head, extra.steps[1])),
                               code.times(index, extra.steps[2]));
      arguments.push_back(code.at(code.buffer(extra.buffer), offset));
    }
    if (!softmax)
      softmax = makeSoftmax();
    code.CreateCall(softmax, arguments);
  }

  Function *makeSoftmax() {
    SmallVector<llvm::Type *> parameters(extras.size() + 1, code.getPtrTy());
    Function *function = code.unit.addFunction(
        code.function->getName() + ".softmax", parameters, /*internal=*/true);
    function->addFnAttr(Attribute::NoInline);
    Emitter row(code.unit, function);
    Value *scores = function->getArg(0);
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
      return row.CreateMaximum(best, value);
    };
    Value *best = overRow(row, least, most);
    best = row.splat(
        row.CreateUnaryIntrinsic(Intrinsic::vector_reduce_fmaximum, best));
    Formula exponential = *Formula::parse("sub(x0, x1); exp(t0)", 2);
    auto power = [&](Value *place, Value *sum, int64_t) {
      Value *value = emitFormula(row, exponential,
                                 {row.loadVector(row.at(scores, place)), best});
      row.storeVector(value, row.at(scores, place));
      return row.CreateFAdd(sum, value);
    };
    Value *sum = overRow(row, ConstantAggregateZero::get(row.vector), power);
    FastMathFlags anyOrder;
    anyOrder.setAllowReassoc();
    row.setFastMathFlags(anyOrder);
    sum = row.CreateFAddReduce(ConstantFP::get(row.getFloatTy(), 0.0), sum);
    row.clearFastMathFlags();
    Value *factor =
        row.splat(row.CreateFDiv(ConstantFP::get(row.getFloatTy(), 1.0), sum));
    overRow(row, factor, [&](Value *place, Value *factor, int64_t) {
      Value *value = row.loadVector(row.at(scores, place));
      row.storeVector(row.CreateFMul(value, factor), row.at(scores, place));
      return factor;
    });
    row.CreateRetVoid();
    return function;
  }

  /// Calls `body` with each place of the row, a value that is carried on, and
  /// how many lanes are keys.
  Value *overRow(Emitter &row, Value *carried,
                 function_ref<Value *(Value *, Value *, int64_t)> body) {
    if (a.keys >= lanes)
      carried = row.loop(row.integer(0), row.integer(a.keys / lanes), {carried},
                         [&](Value *v, Emitter::Values values) {
                           return Emitter::Values{
                               body(row.times(v, lanes), values[0], lanes)};
                         })[0];
    if (int64_t rest = a.keys % lanes)
      carried = body(row.integer(a.keys - rest), carried, rest);
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
  Value *head, *image, *keys, *scores, *query, *values, *out; // of a chunk
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
