//===- RoundOnce.cpp - operators on f16 and bf16 round results once -------===//
// SPDX-License-Identifier: MIT
//
// A record may make several nodes of an operator, each of which rounds its
// result. Where nodes compute with numbers that others of them rounded, the
// record runs once more, on operands in f32, and its results are rounded.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Halves.h"
#include "glow/Graph/Nodes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace glow;
using namespace mlir;

static bool isHalfValue(Value value) {
  return value && isHalf(value.getType());
}

/// Whether the end of the import erases an operation that has no users.
static bool isRemovable(Operation *op) {
  return llvm::isa<ReadOp>(op) || isPure(op);
}

/// The nodes of `made` that results depend on, in their order.
static llvm::SmallVector<Operation *>
neededFor(llvm::ArrayRef<Value> results, llvm::ArrayRef<Operation *> made) {
  llvm::DenseSet<Operation *> needed;
  for (Value result : results)
    if (result)
      needed.insert(result.getDefiningOp());
  for (Operation *node : llvm::reverse(made))
    if (needed.contains(node))
      for (Value operand : node->getOperands())
        needed.insert(operand.getDefiningOp());
  llvm::SmallVector<Operation *> nodes;
  llvm::copy_if(made, std::back_inserter(nodes),
                [&](Operation *node) { return needed.contains(node); });
  return nodes;
}

/// Sets the inputs to those of another context, each of f16 or bf16 as f32.
static void widenInputs(OpBuilder &builder, Location location,
                        llvm::ArrayRef<Value> inputs,
                        llvm::SmallVectorImpl<Value> &wide) {
  llvm::DenseMap<Value, Value> casts;
  for (Value input : inputs) {
    if (isHalfValue(input) && !casts.contains(input))
      casts[input] = createCast(builder, location, input, builder.getF32Type());
    wide.push_back(isHalfValue(input) ? casts[input] : input);
  }
}

/// Results that are elements of inputs stay as they are. Layers stay, too:
/// backends multiply their operands as 16 bits, and add to a sum of products
/// before it is rounded. The nodes of the first run lose their users, so that
/// the end of the import erases them.
void GraphImporter::roundOnce(ImportContext &context) {
  if (context.readsMore || context.entry.bf16From ||
      llvm::none_of(context.inputs, isHalfValue) ||
      !llvm::all_of(context.made, isRemovable))
    return;
  llvm::SmallVector<Value> results = context.results;
  for (unsigned i = 0; i < results.size(); ++i)
    if (!context.wantsOutput(i))
      results[i] = Value();
  const HalfRoundings roundings = roundingsOf(neededFor(results, context.made));
  if (!roundings.between)
    return;
  ImportContext wide(*this, context.scope, context.node, context.entry,
                     context.theOpset, context.theLocation);
  widenInputs(storage.builder(), context.location(), context.inputs,
              wide.inputs);
  if (!runEntry(wide))
    return;
  for (auto [i, result] : llvm::enumerate(results)) {
    Value now = wide.results[i];
    if (!result || !now || !roundings.nodes.contains(result.getDefiningOp()))
      continue;
    if (now.getType() != result.getType())
      now = createCast(storage.builder(), context.location(), now,
                       kindOfElements(result));
    context.results[i] = now;
  }
}
