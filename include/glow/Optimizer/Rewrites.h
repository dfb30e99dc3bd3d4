//===- Rewrites.h - the equations that the records declare ------*- C++ -*-===//

#ifndef GLOW_OPTIMIZER_REWRITES_H
#define GLOW_OPTIMIZER_REWRITES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include <span>
#include <string>
#include <vector>

namespace glow {

/// A Rewrite record as a pattern.
struct RewriteInfo {
  const char *name;
  void (*add)(mlir::RewritePatternSet &);
  const char *place;   ///< of the record
  const char *backend; ///< "" for every backend
  bool beforeFolding;  ///< it sees nodes on constants
  /// Whether it makes nodes that rules lower: only of a graph that is not yet.
  bool raises = false;
  /// It serves backends that run one of these nodes, where there are any.
  std::vector<std::string_view> needs = {};
  /// The nodes of the left and of the right side, and the condition; empty for
  /// a rewrite that serves every backend.
  std::vector<std::string_view> takes = {}, makes = {};
  const char *condition = "";
};

/// What a record says of a DRR pattern.
struct PatternInfo {
  const char *name, *backend;
  bool beforeFolding;
};

/// Tables must live as long as the process.
void registerRewrites(std::span<const RewriteInfo> rewrites);
void registerPatterns(void (*add)(mlir::RewritePatternSet &),
                      std::span<const PatternInfo> table);

/// Which rewrites and patterns are meant: those that serve every backend and,
/// where one is named, its own.
struct RewriteChoice {
  llvm::StringRef backend = "";
  bool onlyBeforeFolding = false;
  bool onlyOwn = false; ///< of the backend
  /// Those, too, that make nodes which are lowered; a backend's own may always.
  bool raising = false;
  /// Of the nodes that rewrites need, those that the backend runs.
  llvm::ArrayRef<std::string> runs = {};

  bool has(llvm::StringRef servesBackend, bool beforeFolding) const;
};
void addRewrites(mlir::RewritePatternSet &patterns, RewriteChoice choice = {});
void addPatterns(mlir::RewritePatternSet &patterns, RewriteChoice choice = {});

/// The nodes that rewrites need.
std::vector<std::string> nodesNeeded();

/// Whether there are any.
bool hasRewrites(RewriteChoice choice);

/// The rewrites for `backend` alone that have `node` on their left side.
std::vector<const RewriteInfo *> rewritesOf(llvm::StringRef node,
                                            llvm::StringRef backend);

/// The backend that the rewrite or pattern of this name serves; "" for all.
llvm::StringRef backendOfRewrite(llvm::StringRef name);

/// The type of an operand in a message; "absent" where an optional operand is
/// missing.
std::string typeText(mlir::Value operand);

/// Of the rewrites that serve `backend` alone: which condition does not hold
/// where a left side is found, by the location of the node that it begins at:
/// "rewrite 'NAME' (PLACE) needs CONDITION". Leaves the module as it is.
using UnmetConditions =
    llvm::MapVector<mlir::Location, std::vector<std::string>>;
UnmetConditions unmetConditions(mlir::ModuleOp module, llvm::StringRef backend);

/// Applies the patterns to everything in `root` until none applies. When that
/// does not end after some dozens of rewrites for each node, reports which
/// pattern still applied, the record it is from, and where, and fails.
llvm::LogicalResult rewriteToTheEnd(mlir::Operation *root,
                                    mlir::RewritePatternSet patterns);

} // namespace glow

#endif // GLOW_OPTIMIZER_REWRITES_H
