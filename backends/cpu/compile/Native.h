//===- Native.h - a program of LLVM IR steps --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_NATIVE_H
#define GLOW_BACKENDS_CPU_COMPILE_NATIVE_H

#include "codegen/loops/LoopSteps.h"
#include "device/Code.h"
#include "glow/Backend/Backend.h"

namespace glow::cpu {

/// A compiled model before its machine code is made. It may then be loaded here
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
/// packed, they take more memory than all else. Errors are reported to the
/// diagnostic engine.
mlir::FailureOr<NativeProgram> buildProgram(CodeModule &module,
                                            ir::FuncOp function,
                                            std::shared_ptr<const void> owner,
                                            const std::string &prefix,
                                            MakeCode generate = {});

/// The name of each buffer of a step in the record of its instruction. "ins2"
/// is one buffer of a variadic operand.
std::vector<std::string> namesOfBuffers(const Step &step);

/// Calls the measures of the library, compiled for this machine, to get the
/// number of chunks of each step, and its scratch bytes.
Status measureHere(NativeProgram &native);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_NATIVE_H
