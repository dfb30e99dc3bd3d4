//===- SimplifyGraph.cpp - rewrites and dead nodes ------------------------===//
// SPDX-License-Identifier: MIT

#include "MoveIntegers.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Storage.h"
#include "glow/Optimizer/Passes.h"
#include "glow/Optimizer/Rewrites.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_SIMPLIFYGRAPH
#include "glow/Optimizer/Passes.h.inc"

namespace {

/// Applies the rewrites and patterns of the records, and removes unused nodes
/// and storage.
///
/// Pinned after constant folding, which creates constants that rewrites look
/// for. Rewrites that look for nodes on constants also run before it. Ends
/// because every rewrite and every pattern leaves fewer nodes that depend on an
/// input, or replaces a node by a cheaper one. A rewrite of a plug-in that does
/// neither is an error.
struct SimplifyGraph : impl::SimplifyGraphBase<SimplifyGraph> {
  using SimplifyGraphBase::SimplifyGraphBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    RewriteChoice choice{backend, beforeFolding};
    choice.raising = raising;
    choice.runs = runs;
    addRewrites(patterns, choice);
    addPatterns(patterns, choice);
    if (!runs.empty())
      addIntegerMoves(patterns);
    if (failed(simplify(std::move(patterns))))
      return signalPassFailure();
    removeUnread();
  }

private:
  LogicalResult simplify(RewritePatternSet patterns) {
    ConstantTable constants(getOperation());
    return rewriteToTheEnd(getOperation(), std::move(patterns));
  }

  /// The names that nodes and later operations, such as instructions, use.
  /// Nodes are queried directly: a search through all their attributes would
  /// build a dictionary for each.
  std::optional<llvm::DenseSet<StringAttr>> namesUsed() {
    llvm::DenseSet<StringAttr> used;
    for (Operation &op : *getOperation().getBody()) {
      if (auto function = dyn_cast<FuncOp>(op)) {
        function.walk([&](Operation *inside) {
          if (FlatSymbolRefAttr storage = storageNamed(inside))
            used.insert(storage.getAttr());
        });
      } else if (!isa<ConstantOp, PlaceholderOp>(op)) {
        auto uses = SymbolTable::getSymbolUses(&op);
        if (!uses)
          return std::nullopt;
        for (SymbolTable::SymbolUse use : *uses)
          used.insert(use.getSymbolRef().getRootReference());
      }
    }
    return used;
  }

  void removeUnread() {
    auto used = namesUsed();
    if (!used)
      return;
    llvm::DenseSet<Attribute> kept, erased;
    for (auto placeholder : getOperation().getOps<PlaceholderOp>())
      kept.insert(placeholder.getAssumedAttr());
    for (ConstantOp constant :
         llvm::make_early_inc_range(getOperation().getOps<ConstantOp>())) {
      bool keep = used->contains(constant.getSymNameAttr());
      (keep ? kept : erased).insert(constant.getValue());
      if (!keep)
        constant.erase();
    }
    // Otherwise, the context would keep the bytes until the program ends.
    for (Attribute value : erased)
      if (!kept.contains(value))
        releaseBytes(cast<ElementsAttr>(value));
  }
};

} // namespace
} // namespace glow
