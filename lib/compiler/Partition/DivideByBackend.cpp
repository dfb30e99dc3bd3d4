//===- DivideByBackend.cpp - parts by what backends can run ---------------===//
//
// Whether a backend can run a node is found by lowering the module for it, a
// copy of which is thrown away: rules and conditions then see what they will
// see.
//
//===----------------------------------------------------------------------===//

#include "Division.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Lowering/Passes.h"
#include "glow/Partition/Passes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_DIVIDEBYBACKEND
#include "glow/Partition/Passes.h.inc"

namespace {

/// Notes what is refused of a copy of a module, by the nodes of the module.
class Refused : public LoweringObserver {
public:
  explicit Refused(const IRMapping &copies) {
    for (auto [node, copy] : copies.getOperationMap())
      nodes[copy] = node;
  }
  Refusals found;

private:
  void lowered(const Operation *, const RuleInfo &,
               ArrayRef<Operation *>) override {}
  void refused(const Operation *origin, Operation *,
               ArrayRef<std::string> reasons) override {
    found[nodes.lookup(origin)].append(reasons.begin(), reasons.end());
  }

  llvm::DenseMap<const Operation *, Operation *> nodes;
};

} // namespace

Refusals refusalsOf(ModuleOp module, const BackendInfo &backend) {
  IRMapping copies;
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone(copies)));
  Refused observer(copies);
  (void)lowerForBackend(*copy, backend.name, &observer);
  return std::move(observer.found);
}

namespace {

LogicalResult refuse(Operation &node, ArrayRef<Candidate> candidates) {
  std::string names;
  for (const Candidate &candidate : candidates)
    names += (names.empty() ? "'" : ", '") +
             std::string(candidate.backend->name) + "'";
  InFlightDiagnostic error = emitError(node.getLoc())
                             << "none of the backends " << names << " can run '"
                             << node.getName() << "'";
  for (const Candidate &candidate : candidates)
    for (const std::string &reason : candidate.refused.lookup(&node))
      error.attachNote() << "'" << candidate.backend->name << "': " << reason;
  return error;
}

/// Gives each function the backend that runs it, after it was cut into parts
/// where no single one does.
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
    for (FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>()))
      if (!function->hasAttr(ofBackend) && failed(divide(function, symbols)))
        signalPassFailure(); // all that cannot run is told
  }

private:
  LogicalResult divide(FuncOp function, SymbolTable &symbols) {
    LogicalResult good = success();
    for (Operation &op : function.block())
      if (llvm::all_of(candidates, [&](const Candidate &candidate) {
            return candidate.refused.contains(&op);
          }))
        good = refuse(op, candidates);
    if (failed(good))
      return good;
    auto parts = Division(function, symbols, candidates).parts();
    SmallVector<FuncOp> functions = {function};
    if (parts.size() > 1)
      functions = splitFunction(
          function, symbols,
          llvm::map_to_vector(parts, [](auto &part) { return part.nodes; }));
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
