//===- Names.h - the names of buffers and instructions ----------*- C++ -*-===//
//
// A name is the outermost NameLoc of a location, so that it outlives text,
// bytecode and every pass. It is the model's own name where there is one.
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

/// The names of one function, as SSA names: valid, and each given once.
class NameTable {
public:
  /// A name not given before, made from `wanted`: a character that no SSA name
  /// has becomes `_`, and a number is added to what is taken.
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
