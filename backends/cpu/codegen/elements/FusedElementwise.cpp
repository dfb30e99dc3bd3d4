//===- FusedElementwise.cpp - fused nodes in one loop ---------------------===//
// SPDX-License-Identifier: MIT

#include "codegen/emit/ElementMemory.h"
#include "codegen/emit/Formulas.h"
#include "codegen/step/Step.h"
#include "glow/Base/Functions.h"
#include "glow/IR/FormulaLoops.h"
#include <map>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// Loops over a shape whose neighbouring dimensions are merged where every
/// operand walks them alike.
struct LoopNest {
  struct Dimension {
    int64_t size;
    SmallVector<int64_t> steps; // stride of each operand; 0 if broadcast
  };
  std::vector<Dimension> dimensions; // the innermost last; at least one

  LoopNest(const Ints &shape, ArrayRef<Ints> operands) {
    std::vector<int64_t> strides(operands.size(), 1);
    for (size_t i = shape.size(); i-- > 0;) {
      Dimension dimension{shape[i], {}};
      for (auto [operand, stride] : zip(operands, strides)) {
        // Sizes are matched from the last, as in broadcasting.
        size_t missing = shape.size() - operand.size();
        int64_t size = i < missing ? 1 : operand[i - missing];
        dimension.steps.push_back(size == 1 ? 0 : stride);
        stride *= size;
      }
      // A dimension of one element is dropped, as it would keep its neighbours
      // from being merged.
      if (shape[i] != 1)
        insert(std::move(dimension));
    }
    if (dimensions.empty())
      dimensions.push_back({1, SmallVector<int64_t>(operands.size(), 0)});
  }

private:
  void insert(Dimension outer) {
    if (!dimensions.empty()) {
      Dimension &inner = dimensions.front();
      bool alike = true;
      for (auto [far, near] : zip(outer.steps, inner.steps))
        // Also true for strides 0 and 0: an operand broadcast along both is
        // broadcast along the merged dimension.
        alike &= far == near * inner.size;
      if (alike) {
        inner.size *= outer.size;
        return;
      }
    }
    dimensions.insert(dimensions.begin(), std::move(outer));
  }
};

/// The most values of a formula that are needed later at the same time. All
/// inputs are there at its begin.
int64_t mostLive(const Formula &formula) {
  std::map<size_t, size_t> inputs, values; // the last call that reads each
  for (auto [i, call] : enumerate(formula.calls)) {
    values[i] = i;
    for (const Formula::Argument &argument : call.arguments)
      if (auto *input = std::get_if<Formula::Input>(&argument))
        inputs[input->index] = i;
      else if (auto *value = std::get_if<Formula::Value>(&argument))
        values[value->index] = i;
  }
  int64_t most = int64_t(inputs.size());
  for (size_t i = 0; i < formula.calls.size(); ++i) {
    int64_t live = 1;
    for (auto [index, last] : inputs)
      live += last > i;
    for (auto [index, last] : values)
      live += index < i && last > i;
    most = std::max(most, live);
  }
  return most;
}

class FusedElementwiseEmitter {
public:
  /// The kinds are those of the result and of the operands.
  FusedElementwiseEmitter(CodeModule &module, Formula formula, LoopNest nest,
                          ArrayRef<ElementKind> kinds, const Twine &name)
      : formula(std::move(formula)), nest(std::move(nest)), kinds(kinds),
        code(module, module.addStep(name), module.target.lanes) {
    inner = this->nest.dimensions.back();
    for (const auto &dimension : this->nest.dimensions)
      rows *= dimension.size;
    // The rows are all dimensions except the innermost, as one number.
    rows /= inner.size;
    // A chunk is some tens of microseconds: many short rows, or part of one.
    constexpr int64_t elements = 16384;
    piece = rows == 1 ? std::min(inner.size, elements) : inner.size;
    pieces = (inner.size + piece - 1) / piece;
    group = std::clamp<int64_t>(elements / piece, 1, rows);
    together = vectorsTogether();
  }

  NativeStep emit() {
    int64_t groups = (rows + group - 1) / group;
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) { emitChunk(chunk); });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, groups * pieces});
    // In addition a vector is loaded and stored.
    step.work = Work();
    step.work->operations = double(rows) * double(inner.size) / cpu::lanes *
                            (2 + operationsOf(formula));
    return step;
  }

private:
  /// The number of vectors that go through the formula together. A processor
  /// has some hundred instructions under way. A longer formula, whose
  /// instructions wait for each other, would leave it without work. A value
  /// that has no register is stored and loaded, which takes less time than
  /// instructions that wait.
  int64_t vectorsTogether() const {
    constexpr unsigned underWay = 32;
    constexpr int64_t most = 4, least = 2, leastOfRow = 8, leastVectors = 64;
    const int64_t vectors = piece / code.lanes;
    if (code.lanes == 1 || operationsOf(formula) < underWay ||
        vectors < leastOfRow || rows * vectors < leastVectors)
      return 1;
    // A function has some temporary values. Its constants have registers where
    // there are many.
    const int64_t registers = code.module.target.vectorRegisters;
    const int64_t others = registers >= 32 ? 12 : 5;
    int64_t count = most;
    while (count > least && count * mostLive(formula) + others > registers)
      --count;
    return count;
  }

  void emitChunk(Value *chunk) {
    Value *start =
        code.times(code.CreateURem(chunk, code.integer(pieces)), piece);
    Value *first =
        code.times(code.CreateUDiv(chunk, code.integer(pieces)), group);
    Value *end =
        code.smaller(code.add(first, code.integer(group)), code.integer(rows));
    Value *size =
        code.smaller(code.CreateNSWSub(code.integer(inner.size), start),
                     code.integer(piece));
    code.loop(first, end, [&](Value *row) { emitRow(row, start, size); });
  }

  /// Where each operand's row begins.
  SmallVector<Value *> rowOffsets(Value *row) {
    SmallVector<Value *> offsets(inner.steps.size(), code.integer(0));
    for (size_t i = nest.dimensions.size() - 1; i-- > 0;) {
      const auto &dimension = nest.dimensions[i];
      // The outermost index needs no remainder: it is the rest of `row`.
      Value *index =
          i ? code.CreateURem(row, code.integer(dimension.size)) : row;
      row = code.CreateUDiv(row, code.integer(dimension.size));
      for (auto [offset, step] : zip(offsets, dimension.steps))
        if (step)
          offset = code.add(offset, code.times(index, step));
    }
    return offsets;
  }

  void emitRow(Value *row, Value *start, Value *size) {
    SmallVector<Value *> operands;
    for (auto [i, offset] : enumerate(rowOffsets(row))) {
      Value *begin = code.add(offset, code.times(start, inner.steps[i]));
      operands.push_back(
          elementAt(unsigned(i) + 1, inner.steps[i] ? begin : offset));
    }
    Value *out = elementAt(0, code.add(code.times(row, inner.size), start));
    // All pieces except the last of a row are multiples of 16, so that only the
    // last has a remainder.
    const int64_t lanes = code.lanes;
    Value *whole = code.CreateUDiv(size, code.integer(lanes));
    Value *first = code.integer(0);
    if (together > 1) {
      Value *groups = code.CreateUDiv(whole, code.integer(together));
      code.loop(
          first, groups,
          [&](Value *v) {
            emitVectors(operands, out, code.times(v, lanes * together), lanes,
                        together);
          },
          /*maybeNone=*/true);
      first = code.times(groups, together);
    }
    code.loop(
        first, whole,
        [&](Value *v) {
          emitVectors(operands, out, code.times(v, lanes), lanes, 1);
        },
        /*maybeNone=*/true);
    if (int64_t rest = inner.size % lanes)
      code.when(code.CreateICmpNE(code.times(whole, lanes), size), [&] {
        emitVectors(operands, out, code.times(whole, lanes), rest, 1);
      });
  }

  /// Emits the formula for `vectors` vectors from `place` on, each of `count`
  /// elements.
  void emitVectors(ArrayRef<Value *> operands, Value *out, Value *place,
                   int64_t count, int64_t vectors) {
    SmallVector<Value *> places = {place};
    while (int64_t(places.size()) < vectors)
      places.push_back(code.add(places.back(), code.integer(count)));
    SmallVector<Vectors> x;
    for (auto [operand, step, kind] :
         zip(operands, inner.steps, kinds.drop_front())) {
      Vectors loaded;
      for (Value *at : places)
        loaded.push_back(step ? loadReals(code, operand, at, kind, count)
                         : loaded.empty() ? loadReal(code, operand, kind)
                                          : loaded.front());
      x.push_back(std::move(loaded));
    }
    // Nodes around integers are rounded one by one.
    bool exact = any_of(kinds, [](ElementKind kind) { return !isFloat(kind); });
    Vectors results =
        emitFormulas(code, formula, x, places.size(),
                     exact ? Rounding::Exact : Rounding::Products);
    for (auto [result, at] : zip(results, places))
      storeElements(code,
                    toMemory(code, result, kinds[0], /*isUnsigned=*/false,
                             Beyond::Nearest),
                    out, at, count);
  }

  /// The address of an element of buffer `number`.
  Value *elementAt(unsigned number, Value *offset) {
    return code.CreateGEP(memoryType(code, kinds[number]), code.buffer(number),
                          offset);
  }

  Formula formula;
  LoopNest nest;
  ArrayRef<ElementKind> kinds;
  LoopNest::Dimension inner;
  Emitter code;
  int64_t rows = 1;
  int64_t piece, pieces; // elements of a row in a chunk, chunks of a row
  int64_t group;         // rows of a chunk
  int64_t together;      // vectors of an iteration
};

} // namespace

std::optional<NativeStep>
cpu::emitFusedElementwise(CodeModule &module,
                          const calls::CpuFusedLoopsCall &call,
                          const Twine &name) {
  if (!ir::isPointwise(call.formula))
    return std::nullopt;
  std::vector<Ints> shapes;
  std::vector<ElementKind> kinds = {call.out.kind()};
  for (const Operands &operands : {call.ins, call.others})
    for (size_t i = 0; i < operands.size(); ++i) {
      shapes.push_back(operands[i].shape());
      kinds.push_back(operands[i].kind());
    }
  return FusedElementwiseEmitter(module, call.formula,
                                 LoopNest(call.out.shape(), shapes), kinds,
                                 name)
      .emit();
}
