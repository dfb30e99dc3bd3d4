//===- Gather.cpp - rows at indices ---------------------------------------===//
// SPDX-License-Identifier: MIT
//
// A chunk is a group of rows. An index that is out of range copies row 0 and
// sets a flag in the memory that threads share. Along an inner axis the same
// indices serve for each place before it: a first phase checks them, and writes
// the offsets of the rows behind the flag.
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
    if (outer > 1 && row <= 64 && size * row <= INT32_MAX)
      return emitInner();
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                Value *first = code.times(chunk, group);
                Value *end = code.smaller(code.add(first, code.integer(group)),
                                          code.integer(outer * indices));
                code.loop(first, end, [&](Value *place) { copyRow(place); });
              });
    code.CreateRetVoid();
    NativeStep step = stepOf((outer * indices + group - 1) / group);
    step.sharedBytes = NativeStep::flagBytes;
    return step;
  }

private:
  NativeStep stepOf(int64_t chunks) const {
    NativeStep step;
    step.phases.push_back({code.function, chunks});
    step.work = Work();
    step.work->gathers = double(outer * indices);
    step.work->isMove = true;
    step.failure = "an index is out of the range of the " +
                   std::to_string(size) + " places it counts";
    return step;
  }

  /// The rows of one place before the axis, for each of `group` places.
  NativeStep emitInner() {
    group = std::clamp<int64_t>(65536 / std::max<int64_t>(indices * row, 1), 1,
                                outer);
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                Value *first = code.times(chunk, group);
                Value *end = code.smaller(code.add(first, code.integer(group)),
                                          code.integer(outer));
                code.loop(first, end, [&](Value *place) { copySlab(place); });
              });
    code.CreateRetVoid();
    NativeStep step = stepOf((outer + group - 1) / group);
    step.sharedBytes = NativeStep::flagBytes + indices * 4;
    Emitter checks(code.module,
                   code.module.addStep(code.function->getName() + ".indices"));
    checks.loop(
        checks.integer(0), checks.integer(indices),
        [&](Value *which) {
          Value *offset = checks.times(checkedIndex(checks, which), row);
          checks.CreateAlignedStore(
              checks.CreateTrunc(offset, checks.getInt32Ty()),
              offsetAt(checks, which), Align(4));
        },
        /*maybeNone=*/true);
    checks.CreateRetVoid();
    step.phases.insert(step.phases.begin(), {checks.function, 1});
    return step;
  }

  Value *offsetAt(Emitter &code, Value *which) {
    return code.bytesAt(
        code.buffer(call.in.shared()),
        code.add(code.times(which, 4), code.integer(NativeStep::flagBytes)));
  }

  void copySlab(Value *place) {
    constexpr int64_t together = 4;
    Value *from =
        code.bytesAt(code.buffer(call.in), code.times(place, size * row));
    Value *to = code.bytesAt(code.buffer(0), code.times(place, indices * row));
    auto copy = [&](Value *which) {
      Value *offset = code.CreateZExt(
          code.CreateAlignedLoad(code.getInt32Ty(), offsetAt(code, which),
                                 Align(4)),
          code.getInt64Ty());
      code.CreateMemCpy(code.bytesAt(to, code.times(which, row)), MaybeAlign(1),
                        code.bytesAt(from, offset), MaybeAlign(1),
                        uint64_t(row));
    };
    code.loop(
        code.integer(0), code.integer(indices / together),
        [&](Value *four) {
          for (int64_t i = 0; i < together; ++i)
            copy(code.add(code.times(four, together), code.integer(i)));
        },
        /*maybeNone=*/true);
    for (int64_t i = indices / together * together; i < indices; ++i)
      copy(code.integer(i));
  }

  /// The index at a place of the list, or 0 where it is out of range.
  Value *checkedIndex(Emitter &code, Value *which) {
    auto bytes = uint64_t(call.indices.elementBytes());
    llvm::Type *type = code.getIntNTy(unsigned(bytes) * 8);
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
    return code.CreateSelect(outside, code.integer(0), index);
  }

  void copyRow(Value *place) {
    Value *which = code.CreateURem(place, code.integer(indices));
    Value *index = checkedIndex(code, which);
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
