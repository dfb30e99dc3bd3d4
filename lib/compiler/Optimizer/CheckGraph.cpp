//===- CheckGraph.cpp - verification after Graph and Optimizer ------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Shape.h"
#include "glow/Graph/Storage.h"
#include "glow/Optimizer/Passes.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_CHECKGRAPH
#include "glow/Optimizer/Passes.h.inc"

namespace {

struct CheckGraph : impl::CheckGraphBase<CheckGraph> {
  CheckGraph() = default;
  explicit CheckGraph(std::shared_ptr<Signature> signature)
      : signature(std::move(signature)) {}

  void runOnOperation() override {
    if (failed(checkUses()) || failed(checkSignature()))
      signalPassFailure();
  }

private:
  LogicalResult checkUses() {
    bool good = true;
    SymbolTable symbols(getOperation());
    DenseSet<StringRef> saved;
    getOperation().walk([&](Operation *op) {
      good &= succeeded(verifyStorageUse(op, symbols));
      if (auto save = dyn_cast<SaveOp>(op))
        saved.insert(save.getStorage());
    });
    // Instructions write to outputs of their own.
    bool hasNodes = !getOperation().getOps<FuncOp>().empty();
    for (auto placeholder : getOperation().getOps<PlaceholderOp>())
      if (hasNodes && placeholder.getRole() == PlaceholderRole::Output &&
          !saved.contains(placeholder.getSymName())) {
        placeholder.emitError()
            << "no function saves the output @" << placeholder.getSymName();
        good = false;
      }
    return success(good);
  }

  LogicalResult checkSignature() {
    Signature now;
    for (auto placeholder : getOperation().getOps<PlaceholderOp>())
      if (placeholder.getRole() != PlaceholderRole::Between)
        now.emplace_back(placeholder.getSymNameAttr(), stored(placeholder));
    if (!signature || signature->empty())
      return remember(std::move(now));
    // Names and types are compared before counts, so that the message names the
    // first placeholder that changed.
    for (auto [was, is] : llvm::zip(*signature, now))
      if (was != is)
        return getOperation().emitError()
               << "a pass made of the placeholder @" << was.first.strref()
               << " of " << was.second << " the placeholder @"
               << is.first.strref() << " of " << is.second;
    if (signature->size() != now.size())
      return getOperation().emitError()
             << "passes made of " << signature->size() << " placeholders "
             << now.size();
    return success();
  }
  /// The type for callers, which do not see the scale of a quantised element.
  static RankedTensorType stored(PlaceholderOp placeholder) {
    auto type = cast<RankedTensorType>(placeholder.getType());
    return type.clone(storageOf(type.getElementType()));
  }
  LogicalResult remember(Signature now) {
    if (signature)
      *signature = std::move(now);
    return success();
  }

  std::shared_ptr<Signature> signature;
};

} // namespace

std::unique_ptr<Pass> createCheckGraph(std::shared_ptr<Signature> signature) {
  return std::make_unique<CheckGraph>(std::move(signature));
}

} // namespace glow
