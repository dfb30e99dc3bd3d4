//===- Reducer.h - the smallest module that a test still finds --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_REDUCE_REDUCER_H
#define GLOW_TOOLS_REDUCE_REDUCER_H

#include "Edits.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace glow::reduce {

/// A program that says of a file, by exit status 0, that it is interesting.
class Test {
public:
  /// The file comes after the arguments. After `seconds` the program is ended,
  /// and the file is not interesting; 0 is no limit.
  static llvm::Expected<Test> find(llvm::StringRef program,
                                   std::vector<std::string> arguments,
                                   unsigned seconds);

  /// Fails when the file cannot be written or the program not be run.
  llvm::Expected<bool> isInteresting(mlir::ModuleOp module) const;

private:
  std::string program;
  std::vector<std::string> arguments;
  unsigned seconds = 0;
};

/// Applies edits to ever smaller parts of a module, and keeps what the test
/// still finds interesting, until no edit of a single operation is.
class Reducer {
public:
  Reducer(const Test &test, mlir::OwningOpRef<mlir::ModuleOp> module)
      : test(test), best(std::move(module)) {}

  /// Fails when the test cannot be run, or the module is not interesting.
  llvm::Error run();

  mlir::ModuleOp result() { return *best; }
  size_t tests() const { return count; }

private:
  llvm::Expected<bool> exhaust(const Edit &edit);
  llvm::Expected<bool> tryOn(const Edit &edit, size_t begin, size_t length);

  const Test &test;
  mlir::OwningOpRef<mlir::ModuleOp> best;
  size_t count = 0;
};

} // namespace glow::reduce

#endif // GLOW_TOOLS_REDUCE_REDUCER_H
