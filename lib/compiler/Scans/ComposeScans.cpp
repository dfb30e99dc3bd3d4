//===- ComposeScans.cpp - loops that become index notation ----------------===//
// SPDX-License-Identifier: MIT

#include "BodyLoops.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Scan.h"
#include "glow/Program/BackendRecord.h"
#include "glow/Scans/Passes.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_COMPOSESCANS
#include "glow/Scans/Passes.h.inc"

namespace {

/// Makes one node of each loop whose function is index notation.
///
/// Pinned at the end of the optimizer: loops are simplified, have gradients and
/// profiles as loops, and no other pass has to know the node. It stands before
/// partition, so that the node runs on any backend with code of index notation.
/// Ends because it visits each loop once.
struct ComposeScans : impl::ComposeScansBase<ComposeScans> {
  using ComposeScansBase::ComposeScansBase;

  void runOnOperation() override {
    std::vector<ElementKind> kinds;
    if (!findKinds(kinds))
      return;
    SymbolTable symbols(getOperation());
    // Callers come first in a module, and a loop in a loop is composed first.
    SmallVector<LoopOp> loops;
    getOperation().walk([&](LoopOp loop) { loops.push_back(loop); });
    for (LoopOp loop : loops)
      replace(loop, kinds, symbols);
    eraseUncalled(getOperation());
  }

private:
  /// The element kinds for which all backends have code of index notation;
  /// false if there are none.
  bool findKinds(std::vector<ElementKind> &kinds) {
    for (auto [number, name] : llvm::enumerate(backends)) {
      const BackendInfo *info = findBackendInfo(name);
      if (!info)
        return false;
      std::vector<ElementKind> own;
      for (std::string_view kind : info->loops)
        own.push_back(*elementKindNamed(kind));
      if (number == 0)
        kinds = own;
      llvm::erase_if(kinds, [&](ElementKind kind) {
        return !llvm::is_contained(own, kind);
      });
    }
    return backends.empty() || !kinds.empty();
  }

  /// Whether the trips are known before a run.
  static bool isCounted(LoopOp loop, FuncOp body) {
    auto count = dyn_cast_or_null<DenseI64ArrayAttr>(loop.getCountAttr());
    return count && count[0] > 1 && !loop.getChecked() &&
           !loop.mayEndEarly(body);
  }

  void replace(LoopOp loop, LoopKinds kinds, SymbolTable &symbols) {
    CalledBody body(symbols.lookup<FuncOp>(loop.getBody()), symbols);
    if (!isCounted(loop, body.function))
      return;
    BodyNodes nodes(body);
    if (!nodes.find(kinds))
      return;
    std::optional<ComposedLoop> composed = compose(loop, body, nodes);
    if (!composed)
      return;
    OpBuilder builder(loop);
    SmallVector<Value> inputs = composed->inputs;
    for (ReadOp read : composed->constants)
      inputs.push_back(cast<ReadOp>(builder.clone(*read)).getOut());
    SmallVector<Type> results(loop.getResultTypes());
    results.pop_back();
    auto scan = ScanOp::create(
        builder, loop.getLoc(), results, builder.getStringAttr(composed->text),
        inputs, nodes.jumps() ? builder.getUnitAttr() : UnitAttr());
    SmallVector<Value> values(scan.getValues());
    Value trips = loop->getResults().back();
    if (!trips.use_empty()) {
      auto count = cast<DenseI64ArrayAttr>(loop.getCountAttr());
      values.push_back(createLiteral(builder, loop.getLoc(), Sizes{count[0]},
                                     Sizes(), builder.getI64Type()));
    } else {
      values.push_back(scan.getValues().front());
    }
    for (auto [from, to] : llvm::zip_equal(loop.getResults(), values))
      if (!from.use_empty())
        from.replaceAllUsesWith(to);
    loop.erase();
  }
};

} // namespace
} // namespace glow
