//===- Gather.cpp - rows at indices ---------------------------------------===//
// SPDX-License-Identifier: MIT
//
// A chunk is a group of rows. An index that is out of range copies row 0 and
// sets a flag in the memory that threads share.
//
//===----------------------------------------------------------------------===//

#include "codegen/step/Step.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::GatherCall;

namespace {

class GatherEmitter {
public:
  GatherEmitter(CodeModule &module, const GatherCall &call, const Twine &name)
      : call(call), code(module, module.addStep(name)) {
    Ints in = call.in.shape();
    int64_t axis = call.axis;
    size = in[size_t(axis)];
    outer = expr::prod(expr::take(in, axis));
    row = expr::prod(expr::drop(in, axis + 1)) * call.in.elementBytes();
    indices = expr::prod(call.indices.shape());
    group = std::clamp<int64_t>(65536 / std::max<int64_t>(row, 1), 1,
                                outer * indices);
  }

  NativeStep emit() {
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                Value *first = code.times(chunk, group);
                Value *end = code.smaller(code.add(first, code.integer(group)),
                                          code.integer(outer * indices));
                code.loop(first, end, [&](Value *place) { copyRow(place); });
              });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back(
        {code.function, (outer * indices + group - 1) / group});
    step.work = Work();
    step.work->gathers = double(outer * indices);
    step.work->isMove = true;
    step.sharedBytes = 64;
    step.failure = "an index is out of the range of the " +
                   std::to_string(size) + " places it counts";
    return step;
  }

private:
  void copyRow(Value *place) {
    auto bytes = uint64_t(call.indices.elementBytes());
    llvm::Type *type = code.getIntNTy(unsigned(bytes) * 8);
    Value *which = code.CreateURem(place, code.integer(indices));
    Value *index = code.CreateSExt(
        code.CreateAlignedLoad(
            type, code.CreateGEP(type, code.buffer(call.indices), which),
            Align(bytes)),
        code.getInt64Ty());
    Value *below = code.CreateICmpSLT(index, code.integer(0));
    index =
        code.CreateSelect(below, code.add(index, code.integer(size)), index);
    // Unsigned, so that negative indices are out of range as well.
    Value *outside = code.CreateICmpUGE(index, code.integer(size));
    code.when(outside, [&] {
      Value *flag = code.buffer(call.in.shared());
      code.CreateAlignedStore(code.getInt64(1), flag, Align(8))
          // Several threads may write the same value at once; the step ends
          // with a barrier.
          ->setAtomic(AtomicOrdering::Monotonic);
    });
    index = code.CreateSelect(outside, code.integer(0), index);
    Value *slab =
        code.times(code.CreateUDiv(place, code.integer(indices)), size);
    Value *from = code.CreateGEP(code.getInt8Ty(), code.buffer(call.in),
                                 code.times(code.add(slab, index), row));
    Value *to = code.CreateGEP(code.getInt8Ty(), code.buffer(0),
                               code.times(place, row));
    code.CreateMemCpy(to, MaybeAlign(1), from, MaybeAlign(1), uint64_t(row));
  }

  const GatherCall &call;
  Emitter code;
  int64_t outer, size, row, indices; // `row` is in bytes
  int64_t group;                     // rows of a chunk
};

} // namespace

NativeStep cpu::emitGather(CodeModule &module, const GatherCall &call,
                           const Twine &name) {
  return GatherEmitter(module, call, name).emit();
}
