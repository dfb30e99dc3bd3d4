//===- Names.h - the names of buffers and instructions ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A name is the outermost NameLoc of a location, so that text, bytecode and
// every pass keep it. The model's own name is used where it exists.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IR_NAMES_H
#define GLOW_IR_NAMES_H

#include "mlir/IR/Location.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace glow::ir {

/// The name of an instruction: that of its location, else its mnemonic.
std::string nameOf(mlir::Operation *instr);

/// The name of a buffer: that of its location, else "buffer" or "binding".
std::string nameOf(mlir::Value buffer);

/// The names in one function, as valid and unique SSA names.
class NameTable {
public:
  /// Makes a new name from `wanted`. A character that is invalid in SSA names
  /// becomes `_`, and a name that is taken gets a number.
  std::string add(llvm::StringRef wanted);

private:
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> counts;
};

/// The name closest to a mistyped one; empty if none is close.
llvm::StringRef nearest(llvm::StringRef name,
                        const std::vector<llvm::StringRef> &names);

} // namespace glow::ir

#endif // GLOW_IR_NAMES_H
