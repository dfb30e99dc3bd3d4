//===- Native.h - a program whose steps are LLVM IR -----------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_COMPILE_NATIVE_H
#define GLOW_BACKENDS_CPU_COMPILE_NATIVE_H

#include "codegen/loops/LoopSteps.h"
#include "device/Code.h"
#include "glow/Backend/Backend.h"

namespace glow::cpu {

/// What is made of a model before its code is: it may be loaded here
/// (Image.h), or written to files (Bundle.h).
struct NativeProgram {
  Program program; ///< without code; constants are packed as the code has them
  StepCode steps;
  std::vector<StepSymbols> symbols; ///< one a step; functions of the module
  uint64_t arenaLimit = 0;          ///< in bytes, where one is given; else 0
};

/// Makes code of the module that the program's steps are in.
using MakeCode = std::function<Status(const NativeProgram &)>;

/// Adds the code of a program to a module; names of its symbols begin with
/// `prefix`. Constants are packed after `generate` has made code of the module:
/// packed, they take more memory than all else. Errors are told to the
/// diagnostic engine.
mlir::FailureOr<NativeProgram> buildProgram(CodeModule &unit,
                                            ir::FuncOp function,
                                            std::shared_ptr<const void> owner,
                                            const std::string &prefix,
                                            MakeCode generate = {});

/// What the record of its instruction calls each buffer of a step: "ins2" is one
/// of several that an operand has.
std::vector<std::string> namesOfBuffers(const Step &step);

/// Asks the measures of the library, compiled for this machine, into how many
/// chunks steps are cut, and how much scratch they need.
Status measureHere(NativeProgram &native);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_NATIVE_H
