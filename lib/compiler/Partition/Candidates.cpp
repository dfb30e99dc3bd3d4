//===- Candidates.cpp - backends and the nodes that they refuse -----------===//
// SPDX-License-Identifier: MIT
//
// To find out whether a backend can run a node, a copy of the module is lowered
// for the backend and thrown away. So rules and conditions see the same nodes
// as in the later lowering.
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include "glow/Backend/Steps.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Lowering/Passes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace glow;

namespace {

/// Records the refused nodes of a module's copy, by the nodes of the module.
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

/// Adds the nodes that call functions with refused nodes: a call runs as a
/// whole.
static void addCalls(ModuleOp module, Refusals &refused) {
  const SymbolTable symbols(module);
  Refusals calls;
  module.walk([&](Operation *op) {
    for (FuncOp called : neededBy(op, symbols))
      for (Operation &node : called.block())
        if (auto found = refused.find(&node); found != refused.end())
          for (const std::string &reason : found->second)
            calls[op].push_back("in @" + called.getSymName().str() +
                                ", which it calls, '" +
                                modelName(node.getLoc()) + "': " + reason);
  });
  for (auto &[op, reasons] : calls)
    refused[op].append(reasons);
}

Refusals glow::refusalsOf(ModuleOp module, const BackendInfo &backend) {
  IRMapping copies;
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone(copies)));
  Refused observer(copies);
  (void)lowerForBackend(*copy, backend.name, &observer);
  addCalls(module, observer.found);
  return std::move(observer.found);
}

static LogicalResult refuse(Operation &node, ArrayRef<Candidate> candidates) {
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

LogicalResult glow::checkNodes(FuncOp function,
                               ArrayRef<Candidate> candidates) {
  LogicalResult good = success();
  for (Operation &op : function.block())
    if (llvm::all_of(candidates, [&](const Candidate &candidate) {
          return candidate.refused.contains(&op);
        }))
      good = refuse(op, candidates);
  return good;
}
