//===- Rewrites.h - the equations that the records declare ------*- C++ -*-===//

#ifndef GLOW_OPTIMIZER_REWRITES_H
#define GLOW_OPTIMIZER_REWRITES_H

#include "mlir/IR/PatternMatch.h"
#include <span>

namespace glow {

/// A Rewrite record as a pattern.
struct RewriteInfo {
  const char *name;
  void (*add)(mlir::RewritePatternSet &);
  const char *place; ///< of the record
};

/// Tables must live as long as the process.
void registerRewrites(std::span<const RewriteInfo> rewrites);
/// Adds DRR patterns to those of the records.
void registerPatterns(void (*add)(mlir::RewritePatternSet &));
void addPatterns(mlir::RewritePatternSet &patterns);

void addRewrites(mlir::RewritePatternSet &patterns);

/// Applies the patterns to everything in `root` until none applies. When that
/// does not end after some dozens of rewrites for each node, reports which
/// pattern still applied, the record it is from, and where, and fails.
llvm::LogicalResult rewriteToTheEnd(mlir::Operation *root,
                                    mlir::RewritePatternSet patterns);

} // namespace glow

#endif // GLOW_OPTIMIZER_REWRITES_H
