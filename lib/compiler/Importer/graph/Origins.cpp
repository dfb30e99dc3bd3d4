//===- Origins.cpp - a module by which the file will be changed -----------===//
// SPDX-License-Identifier: MIT
//
// Each operation gets the node of the file that made it. The file reads values
// beside the module: operands of a node that was not imported or was computed
// while importing, and values that a body reads. They are outputs of the
// module, so that no pass removes or changes them.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/File/Origin.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/TextName.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace mlir;
using llvm::StringRef;

/// The operations of a block behind one of them, or all.
static llvm::iterator_range<Block::iterator> opsAfter(Block &block,
                                                      Operation *before) {
  return {before ? std::next(before->getIterator()) : block.begin(),
          block.end()};
}

/// The place of each value in a list; -1 if it is not there.
template <typename Values>
static llvm::SmallVector<int64_t> placesOf(Values values,
                                           llvm::ArrayRef<Value> list) {
  llvm::SmallVector<int64_t> places;
  for (Value value : values) {
    auto found = llvm::find(list, value);
    places.push_back(found == list.end() ? -1 : found - list.begin());
  }
  return places;
}

static StringRef firstOutput(const onnx::NodeProto &node) {
  for (const std::string &output : node.output())
    if (!output.empty())
      return output;
  return "";
}

void GraphImporter::addOrigins(ImportContext &context, Operation *before) {
  Block &block = *storage.builder().getInsertionBlock();
  const bool isInner = context.scope.outer != nullptr;
  // The nodes of a function are not in the file, but the results of a call are.
  const bool isOfFile =
      !isInner && !model.functionOpsets.nodes.contains(&context.node);
  const llvm::ArrayRef<Value> results(context.results);
  for (Operation &op : opsAfter(block, before))
    if (!originOf(&op) && !llvm::isa<ReadOp>(op))
      setOrigin(&op, {isOfFile ? firstOutput(context.node) : StringRef(),
                      context.node.op_type(),
                      placesOf(op.getOperands(), context.inputs),
                      placesOf(op.getResults(),
                               isInner ? llvm::ArrayRef<Value>() : results)});
  if (isInner)
    return;
  // A result of a graph inside of the node has the name of the node's result.
  for (auto [i, value] : llvm::enumerate(context.results)) {
    auto result = llvm::dyn_cast_or_null<OpResult>(value);
    const std::optional<Origin> origin =
        result ? originOf(result.getOwner()) : std::nullopt;
    if (!origin || !origin->output.empty() || outputOfFile(result) >= 0 ||
        context.node.output(int(i)).empty())
      continue;
    llvm::SmallVector<int64_t> outputs(result.getOwner()->getNumResults(), -1);
    outputs[result.getResultNumber()] = int64_t(i);
    setOrigin(result.getOwner(),
              {"", origin->op, origin->inputs, llvm::ArrayRef(outputs)});
    setValueName(result, context.node.output(int(i)));
  }
}

/// A value that a pass might change.
static bool mayChange(Value value) {
  auto type = value ? llvm::dyn_cast<RankedTensorType>(value.getType())
                    : RankedTensorType();
  return type && llvm::isa<FloatType>(type.getElementType()) &&
         findNode(value.getDefiningOp()->getName().getStringRef());
}

void GraphImporter::keepReads(ImportScope &scope, const onnx::NodeProto &node,
                              Operation *before) {
  const bool isThere =
      llvm::all_of(node.output(), [&](const std::string &name) {
        return name.empty() || !scope.used.contains(name) ||
               scope.values.lookup(name);
      });
  Block &block = *storage.builder().getInsertionBlock();
  llvm::DenseSet<Value> read;
  if (isThere)
    for (Operation &op : opsAfter(block, before))
      read.insert_range(op.getOperands());
  llvm::StringSet<> inputs;
  inputs.insert_range(node.input());
  forNamesRead(node, [&](const std::string &name) {
    Value value = scope.values.lookup(name);
    if (mayChange(value) && !(inputs.contains(name) && read.contains(value)))
      kept.push_back(name);
  });
}

/// The type of a result that is known for this import alone: another run may
/// take another branch of the node, whose values are others.
static std::optional<glow::TensorType> typeOfBranch(const onnx::NodeProto &node,
                                                    Value value) {
  if (node.op_type() != "If" || !value || constantOf(value))
    return std::nullopt;
  const RankedTensorType type = tensorType(value);
  if (!llvm::isa<FloatType>(type.getElementType()))
    return std::nullopt;
  return glow::TensorType{*kindOf(type.getElementType()),
                          Ints(type.getShape().begin(), type.getShape().end())};
}

/// Adds results of a node that was not imported, or whose branch may be another
/// one, as inputs.
Status GraphImporter::addGiven(ImportScope &scope,
                               const onnx::NodeProto &node) {
  for (const std::string &name : node.output()) {
    if (name.empty() || !scope.used.contains(name))
      continue;
    Value known = scope.values.lookup(name);
    std::optional<glow::TensorType> type = typeOfBranch(node, known);
    if (known && !type)
      continue;
    if (auto given = forChanges->given.find(name);
        given != forChanges->given.end())
      type = given->second;
    if (!type) {
      if (forChanges->missing && inputsOf(scope, node))
        forChanges->missing->push_back(name);
      continue;
    }
    Result<Value> input = storage.addStageInput(name, *type);
    if (!input)
      return input.status();
    storage.newestPort().setPort(name);
    setOrigin(storage.newestPort(), {});
    scope.values[name] = *input;
  }
  return Status();
}

Status GraphImporter::saveKept(ImportScope &scope,
                               const ModelInterface &interface) {
  llvm::StringSet<> saved;
  for (const ModelPort &port : interface.outputs)
    saved.insert(port.name);
  for (const std::string &name : kept) {
    if (!saved.insert(name).second)
      continue;
    if (Status status = storage.addOutput({name, {}, false, {}, {}, {}},
                                          scope.values.lookup(name),
                                          /*isReadElsewhere=*/true);
        !status.ok())
      return status;
    setOrigin(storage.newestPort(), {});
  }
  return Status();
}
