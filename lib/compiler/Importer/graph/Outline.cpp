//===- Outline.cpp - graphs in nodes as functions -------------------------===//
// SPDX-License-Identifier: MIT
//
// The nodes of a graph are imported where the node is, so that they see all
// values around it, and then move to a function. Tensors of the file that they
// read first stay behind: nodes after the graph may read them, too.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "Sequences.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Format.h"

using namespace glow;
using namespace mlir;
using llvm::StringRef;

bool ImportContext::isForTraining() { return importer.isForTraining; }

bool ImportContext::isWholeModel() {
  const ImportScope *outermost = &scope;
  while (outermost->outer)
    outermost = outermost->outer;
  return !outermost->frame && !importer.forChanges;
}

bool ImportContext::mayCallFunctions() {
  return importer.computed && !importer.forChanges;
}

int64_t ImportContext::maxIterations() { return importer.maxIterations; }

LogicalResult ImportContext::leaveToHost(const Twine &why) {
  needsHost = true;
  whyHost = why.str();
  return fail(why.isTriviallyEmpty() ? "it runs on the host" : why);
}

namespace {

/// Moves operations at the end of a block to a function.
class Outliner {
public:
  Outliner(ModuleStorage &storage, FuncOp function)
      : storage(storage), function(function), builder(function.getContext()) {
    builder.setInsertionPointToStart(&function.block());
  }

  /// Moves a read of a parameter.
  void moveParameter(ReadOp read) {
    read->moveBefore(&function.block(), function.block().end());
    takes.push_back(read.getStorageAttr());
  }

  void move(Operation *op) {
    op->moveBefore(&function.block(), function.block().end());
    for (OpOperand &operand : op->getOpOperands())
      operand.set(inside(operand.get()));
  }

  void save(Value result, StringRef name) {
    Value value = inside(result);
    StringAttr port = storage.addPort(name, value.getType());
    builder.setInsertionPointToEnd(&function.block());
    auto symbol = FlatSymbolRefAttr::get(port);
    SaveOp::create(builder, value.getLoc(), value, symbol);
    gives.push_back(symbol);
  }

  llvm::SmallVector<Value> finish() {
    function.setTakesAttr(builder.getArrayAttr(takes));
    function.setGivesAttr(builder.getArrayAttr(gives));
    return captured;
  }

private:
  /// The value in the function: its own, a constant's, or a parameter for it.
  Value inside(Value value) {
    if (value.getParentBlock() == &function.block())
      return value;
    Value &known = insideOf[value];
    if (known)
      return known;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.block());
    Operation *origin = value.getDefiningOp();
    if (storage.constantRead(origin))
      return known = builder.clone(*origin)->getResult(0);
    StringRef name = nameIn(origin->getLoc());
    StringAttr port = storage.addPort(
        (function.getSymName() + "." + (name.empty() ? "value" : name)).str(),
        value.getType());
    takes.push_back(FlatSymbolRefAttr::get(port));
    captured.push_back(value);
    return known = ReadOp::create(builder, value.getLoc(), value.getType(),
                                  FlatSymbolRefAttr::get(port));
  }

  ModuleStorage &storage;
  FuncOp function;
  OpBuilder builder;
  llvm::SmallVector<Attribute> takes, gives;
  llvm::SmallVector<Value> captured;
  llvm::DenseMap<Value, Value> insideOf;
};

} // namespace

FailureOr<ImportContext::Function>
ImportContext::outlineGraph(StringRef attribute, TypeRange types,
                            Prepare prepare, Choose choose) {
  const std::string base = nodeName(node) + "." + attribute.str();
  ModuleStorage &storage = importer.storage;
  Operation *before = importer.lastMade();
  llvm::SmallVector<Value> parameters;
  for (auto [index, type] : llvm::enumerate(types))
    parameters.push_back(
        ReadOp::create(builder(), location(), type,
                       FlatSymbolRefAttr::get(storage.addPort(
                           base + "." + std::to_string(index), type))));
  const Failures failures = importer.failures;
  FailureOr<llvm::SmallVector<Value>> results =
      inlineGraph(attribute, prepare(parameters));
  const bool isChosen = succeeded(results) && succeeded(choose(*results));
  if (isChosen && llvm::any_of(*results, isSequence))
    return leaveToHost("graph '" + attribute + "' gives a sequence");
  if (!isChosen) {
    // The host runs the node, whatever failed.
    importer.failures = failures;
    const std::string why = std::exchange(reason, "");
    if (std::exchange(innerFailed, false))
      return leaveToHost("a node of graph '" + attribute +
                         "' cannot be imported: " + importer.lastReason);
    return leaveToHost(why);
  }
  ++*importer.computed; // other ways are tried if a later phase refuses it
  FuncOp function = storage.addFunction(base, location());
  Outliner outliner(storage, function);
  Block *block = builder().getInsertionBlock();
  auto first = before ? std::next(before->getIterator()) : block->begin();
  for (Operation &op :
       llvm::make_early_inc_range(llvm::make_range(first, block->end())))
    if (llvm::is_contained(parameters,
                           op.getNumResults() == 1 ? op.getResult(0) : Value()))
      outliner.moveParameter(llvm::cast<ReadOp>(op));
    else if (!llvm::isa<ReadOp>(op))
      outliner.move(&op);
  for (auto [index, result] : llvm::enumerate(*results))
    outliner.save(result, base + ".result." + std::to_string(index));
  Function made{FlatSymbolRefAttr::get(function.getSymNameAttr()), {}, {}};
  for (Value result : *results)
    made.results.push_back(result.getType());
  made.captured = outliner.finish();
  return made;
}
