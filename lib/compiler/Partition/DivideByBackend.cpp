//===- DivideByBackend.cpp - partition by backend legality ----------------===//
// SPDX-License-Identifier: MIT

#include "Division.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Partition/Passes.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_DIVIDEBYBACKEND
#include "glow/Partition/Passes.h.inc"

namespace {

/// Assigns a backend to each function. If no single backend runs a function,
/// the function is first cut into parts.
///
/// Pinned after the optimizer and the first backend's own rewrites, whose nodes
/// it takes, and before lowering, which differs by backend. Ends because it
/// moves each node once.
struct DivideByBackend : impl::DivideByBackendBase<DivideByBackend> {
  using DivideByBackendBase::DivideByBackendBase;

  void runOnOperation() override {
    candidates.clear();
    for (const BackendInfo *one : withFallbacks(backend)) {
      candidates.push_back({one, refusalsOf(getOperation(), *one)});
      if (candidates.back().refused.empty())
        break; // nothing is left for others
    }
    if (candidates.empty()) {
      getOperation().emitError() << "no backend is named '" << backend << "'";
      return signalPassFailure();
    }
    SymbolTable symbols(getOperation());
    for (FuncOp function : entriesOf(getOperation()))
      if (!function->hasAttr(ofBackend) && failed(divide(function, symbols)))
        signalPassFailure(); // all that cannot run is reported
  }

private:
  LogicalResult divide(FuncOp function, SymbolTable &symbols) {
    if (failed(checkNodes(function, candidates)))
      return mlir::failure();
    auto parts = Division(function, symbols, candidates).parts();
    SmallVector<FuncOp> functions = {function};
    if (parts.size() > 1) {
      auto split = splitFunction(
          function, symbols,
          llvm::map_to_vector(parts, [](auto &part) { return part.nodes; }));
      if (failed(split))
        return mlir::failure();
      functions = *split;
    }
    for (auto [index, one] : llvm::enumerate(functions)) {
      const size_t owner = parts.empty() ? 0 : parts[index].owner;
      one->setAttr(ofBackend,
                   Builder(one).getStringAttr(candidates[owner].backend->name));
    }
    return success();
  }

  SmallVector<Candidate> candidates;
};

} // namespace
} // namespace glow
