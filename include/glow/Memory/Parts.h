//===- Parts.h - buffers that lie within another ----------------*- C++ -*-===//

#ifndef GLOW_MEMORY_PARTS_H
#define GLOW_MEMORY_PARTS_H

#include "glow/IR/Lifetimes.h"

#include <string>

namespace glow::ir {

/// Where the instruction that was asked of last puts its parts: a whole may
/// have thousands.
class JoinedParts {
public:
  /// Whether the instruction puts the part where it lies already.
  bool puts(mlir::Operation *instr, AllocOp part);

private:
  mlir::Operation *last = nullptr;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<uint64_t, 1>> places;
};

/// What is wrong with a buffer that lies within another; nothing if its memory
/// may be that of the whole. The first instruction of the part must take the
/// bytes of the whole, or the first one of the whole must put the part there,
/// unless that is a binding that has a value when the program begins. From then
/// on none may write the one while the other is in use.
std::string faultOfPart(const Lifetimes &lifetimes, AllocOp part,
                        JoinedParts &joined);

} // namespace glow::ir

#endif // GLOW_MEMORY_PARTS_H
