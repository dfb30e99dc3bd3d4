//===- Parts.h - buffers within other buffers -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_MEMORY_PARTS_H
#define GLOW_MEMORY_PARTS_H

#include "glow/IR/Lifetimes.h"

#include <string>

namespace glow::ir {

/// Cache of the parts that the last queried instruction joins, since a whole
/// may have thousands.
class JoinedParts {
public:
  /// Whether the instruction writes the part at the offset that it already has.
  bool puts(mlir::Operation *instr, AllocOp part);

private:
  mlir::Operation *last = nullptr;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<uint64_t, 1>> places;
};

/// Checks a buffer that lies within another; "" if the two may share memory.
/// Either the first instruction of the part takes the bytes of the whole, or
/// the first instruction of the whole joins the part. In the second case the
/// whole must not be a binding with an initial value. From then on neither may
/// be written while the other is in use.
std::string faultOfPart(const Lifetimes &lifetimes, AllocOp part,
                        JoinedParts &joined);

} // namespace glow::ir

#endif // GLOW_MEMORY_PARTS_H
