//===- FusedElementwise.cpp - fused nodes in one loop ---------------------===//
// SPDX-License-Identifier: MIT

#include "codegen/emit/ElementMemory.h"
#include "codegen/step/Step.h"
#include "glow/Base/Functions.h"
#include "glow/IR/FormulaLoops.h"

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
    code.loop(
        code.integer(0), whole,
        [&](Value *v) {
          emitVector(operands, out, code.times(v, lanes), lanes);
        },
        /*maybeNone=*/true);
    if (int64_t rest = inner.size % lanes)
      code.when(code.CreateICmpNE(code.times(whole, lanes), size), [&] {
        emitVector(operands, out, code.times(whole, lanes), rest);
      });
  }

  void emitVector(ArrayRef<Value *> operands, Value *out, Value *place,
                  int64_t count) {
    SmallVector<Value *> x;
    for (auto [operand, step, kind] :
         zip(operands, inner.steps, kinds.drop_front()))
      x.push_back(step ? loadReals(code, operand, place, kind, count)
                       : loadReal(code, operand, kind));
    // Nodes around integers are rounded one by one.
    bool exact = any_of(kinds, [](ElementKind kind) { return !isFloat(kind); });
    Value *result = emitFormula(code, formula, x,
                                exact ? Rounding::Exact : Rounding::Products);
    storeElements(
        code,
        toMemory(code, result, kinds[0], /*isUnsigned=*/false, Beyond::Nearest),
        out, place, count);
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
