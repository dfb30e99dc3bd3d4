//===- Literal.cpp - integers that a run gives ----------------------------===//
// SPDX-License-Identifier: MIT
//
// A literal of fixed numbers is a constant of the program. A literal of lengths
// is written in each run. A literal of an open shape has the numbers of the
// greatest sizes alone, and is refused.
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/OpenSizes.h"
#include "codegen/step/Step.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// Null for a kind that LLVM does not convert to as it is.
static llvm::Type *typeOf(LLVMContext &context, ElementKind kind) {
  if (kind == ElementKind::F32)
    return llvm::Type::getFloatTy(context);
  if (kind == ElementKind::F64)
    return llvm::Type::getDoubleTy(context);
  if (isFloat(kind) || isSmall(kind) || kind == ElementKind::Bool)
    return nullptr;
  return llvm::Type::getIntNTy(context, unsigned(byteSize(kind)) * 8);
}

std::optional<NativeStep> cpu::emitLiteral(CodeModule &module,
                                           const calls::LiteralCall &call,
                                           const Twine &name) {
  llvm::Type *type = typeOf(module.ir->getContext(), call.kind);
  if (!type || call.out.instr->isOpen())
    return std::nullopt;
  Emitter code(module, module.addStep(name));
  const Sizes values = call.out.instr->list("values");
  for (size_t i = 0; i < values.size(); ++i) {
    Value *value = valueOf(code, values[i].length());
    code.CreateAlignedStore(type->isFloatingPointTy()
                                ? code.CreateSIToFP(value, type)
                                : code.CreateTrunc(value, type),
                            code.bytesAt(code.buffer(call.out),
                                         int64_t(i) * call.out.elementBytes()),
                            Align(byteSize(call.kind)));
  }
  code.CreateRetVoid();
  NativeStep step;
  step.phases.push_back({code.function, 1});
  return step;
}
