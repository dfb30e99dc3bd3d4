//===- SimplifyGraph.cpp - rewrites, and what nothing needs ---------------===//

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

/// Applies the rewrites and patterns of the records, and removes nodes and
/// storage that nothing needs.
///
/// Pinned after folding of constants, which makes what they look for; those
/// that look for nodes on constants are applied before that as well. Ends
/// because every rewrite and every pattern leaves fewer nodes that depend on an
/// input, or as many and a cheaper one in place of another; one of a plug-in
/// that does not is an error.
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

  /// By nodes, and by what is there already behind this room, as instructions
  /// are: to search all of their attributes takes a dictionary for each.
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
    // The context would keep the bytes until the program ends.
    for (Attribute value : erased)
      if (!kept.contains(value))
        releaseBytes(cast<ElementsAttr>(value));
  }
};

} // namespace
} // namespace glow
