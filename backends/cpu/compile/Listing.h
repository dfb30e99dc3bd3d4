//===- Listing.h - code that a debugger can follow ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_LISTING_H
#define GLOW_BACKENDS_CPU_COMPILE_LISTING_H

#include "codegen/emit/Emit.h"
#include "glow/IR/Structure.h"
#include "llvm/IR/DIBuilder.h"

namespace glow::cpu {

/// The text of a function's instructions in a file, and debug information of
/// their code that refers to it: a function has the `name` of its node, the
/// place of its instruction, and a variable for each of its tensors, named as
/// the record names the operand.
class Listing {
public:
  /// The module must outlive it.
  Listing(CodeModule &module, const std::string &path)
      : module(module), path(path) {}

  /// Writes the file. Fails with Code::InvalidArgument.
  Status write(ir::FuncOp function);

  /// Describes the code of instruction `index`, in their order, when it is
  /// emitted. Tensors that are `hidden` lie in another order than they look.
  void describe(llvm::Function &code, size_t index, mlir::Operation *instr,
                llvm::StringRef name, llvm::ArrayRef<unsigned> hidden);

  /// Before the module is compiled.
  void finish();

private:
  void addTensors(llvm::Function &code, llvm::DISubprogram *subprogram,
                  mlir::Operation *instr, llvm::ArrayRef<unsigned> hidden);
  llvm::DIType *typeOf(mlir::Type buffer);

  CodeModule &module;
  std::string path;
  std::vector<unsigned> lines; // of the instructions
  std::unique_ptr<llvm::DIBuilder> debug;
  llvm::DIFile *file = nullptr;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_LISTING_H
