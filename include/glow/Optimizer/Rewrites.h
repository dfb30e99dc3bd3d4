//===- Rewrites.h - rewrites from records -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

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
  const char *place;   ///< location of the record
  const char *backend; ///< "" for every backend
  bool beforeFolding;  ///< runs before folding, so it sees nodes on constants
  /// Whether it makes nodes that rules lower; it then runs only before
  /// lowering.
  bool raises = false;
  /// The rewrite applies to backends that run one of these nodes; empty: to
  /// all.
  std::vector<std::string_view> needs = {};
  /// The nodes of the left and of the right side, and the condition; empty for
  /// a rewrite that serves every backend.
  std::vector<std::string_view> takes = {}, makes = {};
  const char *condition = "";
};

/// The properties of a DRR pattern's record.
struct PatternInfo {
  const char *name, *backend;
  bool beforeFolding;
};

/// Add generated tables, which must live as long as the process.
void registerRewrites(std::span<const RewriteInfo> rewrites);
void registerPatterns(void (*add)(mlir::RewritePatternSet &),
                      std::span<const PatternInfo> table);

/// A selection of rewrites and patterns: those for every backend and, if a
/// backend is named, its own.
struct RewriteChoice {
  llvm::StringRef backend = "";
  bool onlyBeforeFolding = false;
  bool onlyOwn = false; ///< only those of the backend
  /// Whether to include rewrites with `raises`. A backend's own are always
  /// included.
  bool raising = false;
  /// The nodes in some rewrite's `needs` that the backend runs.
  llvm::ArrayRef<std::string> runs = {};

  bool has(llvm::StringRef servesBackend, bool beforeFolding) const;
};
void addRewrites(mlir::RewritePatternSet &patterns, RewriteChoice choice = {});
void addPatterns(mlir::RewritePatternSet &patterns, RewriteChoice choice = {});

/// All nodes in the `needs` of rewrites.
std::vector<std::string> nodesNeeded();

/// Whether the selection is not empty.
bool hasRewrites(RewriteChoice choice);

/// The rewrites for `backend` alone that have `node` on their left side.
std::vector<const RewriteInfo *> rewritesOf(llvm::StringRef node,
                                            llvm::StringRef backend);

/// The backend that the rewrite or pattern of this name serves; "" for all.
llvm::StringRef backendOfRewrite(llvm::StringRef name);

/// The type of an operand in a message; "absent" for a missing optional
/// operand.
std::string typeText(mlir::Value operand);

/// Finds left sides of the rewrites for `backend` alone whose condition does
/// not hold. They are keyed by the location of the matched node: "rewrite
/// 'NAME' (PLACE) needs CONDITION". The module stays unchanged.
using UnmetConditions =
    llvm::MapVector<mlir::Location, std::vector<std::string>>;
UnmetConditions unmetConditions(mlir::ModuleOp module, llvm::StringRef backend);

/// Applies the patterns to everything in `root` until none applies or, with
/// `only`, to these nodes and to those that patterns make. If that takes more
/// than some dozens of rewrites for each node, fails after a report of the
/// pattern that still applied, its record, and the location.
llvm::LogicalResult
rewriteToTheEnd(mlir::Operation *root, mlir::RewritePatternSet patterns,
                llvm::ArrayRef<mlir::Operation *> only = {});

} // namespace glow

#endif // GLOW_OPTIMIZER_REWRITES_H
