//===- InfoConstants.h - StepInfo as constants of a module ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_INFOCONSTANTS_H
#define GLOW_BACKENDS_CPU_AOT_INFOCONSTANTS_H

#include "device/StepInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace glow::cpu {

/// Makes constants of the parts of a StepInfo, in the form that the runtime
/// would make in memory.
class InfoConstants {
public:
  explicit InfoConstants(llvm::Module &ir) : ir(ir), code(ir.getContext()) {}

  /// The address of the whole StepInfo of a step.
  llvm::Constant *whole(const Step &step, const StepInfo &info);
  /// The address of its attributes; null for a step without any.
  llvm::Constant *attributes(const Step &step, const StepInfo &info);
  /// The address of a list of integers.
  llvm::Constant *integers(llvm::ArrayRef<int64_t> values);

private:
  llvm::Constant *attribute(const Attribute &value);
  llvm::Constant *list(llvm::ArrayRef<llvm::Constant *> values);
  llvm::Constant *global(llvm::Constant *value);

  llvm::Module &ir;
  llvm::IRBuilder<> code;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_INFOCONSTANTS_H
