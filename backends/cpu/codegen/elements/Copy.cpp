//===- Copy.cpp - the bytes of one buffer in another ----------------------===//
// SPDX-License-Identifier: MIT

#include "codegen/emit/OpenSizes.h"
#include "codegen/step/Step.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

NativeStep cpu::emitCopy(CodeModule &module, const calls::CopyCall &call,
                         const Twine &name) {
  constexpr int64_t piece = 1 << 16;
  Length bytes = call.dest.bytes();
  if (Length elements = expr::prod(call.dest.sizes()).length();
      !elements.isFixed())
    bytes = elements * call.dest.elementBytes();
  Emitter code(module, module.addStep(name));
  Value *to = code.buffer(call.dest), *from = code.buffer(call.src);
  code.loop(code.function->getArg(2), code.function->getArg(3),
            [&](Value *chunk) {
              Value *start = code.times(chunk, piece);
              Value *size =
                  code.smaller(code.CreateNSWSub(valueOf(code, bytes), start),
                               code.integer(piece));
              auto at = [&](Value *buffer) {
                return code.CreateGEP(code.getInt8Ty(), buffer, start);
              };
              // Both may be the same buffer.
              code.CreateMemMove(at(to), Align(1), at(from), Align(1), size);
            });
  code.CreateRetVoid();
  Length chunks = greater(quotient(bytes + (piece - 1), piece), 1);
  emitMeasure(code, chunks);
  NativeStep step;
  step.phases.push_back({code.function, chunks.range().high});
  return step;
}
