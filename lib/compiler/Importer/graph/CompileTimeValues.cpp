//===- CompileTimeValues.cpp - values that no input changes ---------------===//
// SPDX-License-Identifier: MIT
//
// Both walks keep their own stack: a chain of nodes may exceed the depth of the
// machine's stack.
//
//===----------------------------------------------------------------------===//

#include "CompileTimeValues.h"
#include "file/Tensors.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/Verify.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace glow;
using namespace mlir;

/// The operation itself, when constants or given values among its operands
/// cannot make it known; else null.
Operation *CompileTimeValues::ownSource(Operation *op, bool given) const {
  if (storage.constantRead(op) || (given && storage.looksThrough(op)))
    return nullptr;
  return llvm::isa<ReadOp>(op) || isControlFlow(op) || !isPure(op) ||
                 takesLengths(op)
             ? op
             : nullptr;
}

/// The walk visits each operation once for all queries, as many nodes ask about
/// the same shapes.
Operation *CompileTimeValues::sourceOf(Value value, Sources &sources,
                                       bool given) {
  llvm::SmallVector<Operation *> stack{value.getDefiningOp()};
  while (!stack.empty()) {
    Operation *op = stack.back(), *source = ownSource(op, given);
    if (sources.contains(op)) {
      stack.pop_back();
      continue;
    }
    size_t depth = stack.size();
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      auto found = sources.find(producer);
      if (found == sources.end())
        stack.push_back(producer);
      else if (!source)
        source = found->second;
    }
    if (stack.size() > depth)
      continue;
    sources[op] = source;
    stack.pop_back();
  }
  return sources.lookup(value.getDefiningOp());
}

Result<CompileTimeValues::Values> CompileTimeValues::compute(Operation *op) {
  if (ElementsAttr constant = storage.constantRead(op))
    return Values{constant};
  if (ElementsAttr given = storage.givenRead(op)) {
    // From here on, the stage holds only for this value.
    storage.assume(op);
    return Values{given};
  }
  // The bound applies at compile time as well: a `Tile` by a constant may be of
  // any size, and no run has begun that bounds it.
  constexpr uint64_t mostBytes = uint64_t(64) << 20;
  for (Value result : op->getResults()) {
    auto type = llvm::cast<RankedTensorType>(result.getType());
    std::optional<ElementKind> kind = kindOf(type.getElementType());
    Result<uint64_t> bytes = checkedBytes(*kind, Ints(type.getShape()));
    if (!bytes || *bytes > mostBytes)
      return failure(Code::Unsupported, "depends on a ", typeText(type),
                     ", which is too large for that");
  }
  auto valueOf = [&](Value operand) {
    return values.find(operand.getDefiningOp())
        ->second[llvm::cast<OpResult>(operand).getResultNumber()];
  };
  const NodeEvaluator *evaluator = NodeEvaluator::of(op->getContext());
  if (!evaluator)
    return failure(Code::Internal, "depends on nodes, and nothing here "
                                   "evaluates them");
  FailureOr<llvm::SmallVector<ElementsAttr>> results =
      evaluator->evaluate(op, valueOf);
  if (failed(results))
    return failure(Code::Unsupported, "depends on '",
                   op->getName().getStringRef().str(), "', which failed there");
  return Values(results->begin(), results->end());
}

Result<ElementsAttr> CompileTimeValues::evaluate(Value value) {
  llvm::SmallVector<Operation *> stack{value.getDefiningOp()};
  while (!stack.empty()) {
    Operation *op = stack.back();
    if (values.contains(op)) {
      stack.pop_back();
      continue;
    }
    size_t depth = stack.size();
    if (!storage.constantRead(op))
      for (Value operand : op->getOperands())
        if (!values.contains(operand.getDefiningOp()))
          stack.push_back(operand.getDefiningOp());
    if (stack.size() > depth)
      continue;
    Result<Values> results = compute(op);
    if (!results)
      return results.status();
    values[op] = results.take();
    stack.pop_back();
  }
  auto result = llvm::cast<OpResult>(value);
  return values[result.getOwner()][result.getResultNumber()];
}
