//===- FunctionSplitter.cpp - one function into several -------------------===//
// SPDX-License-Identifier: MIT

#include "FunctionSplitter.h"
#include "glow/Graph/Shape.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace glow;

namespace {

/// Splits one function into several.
class FunctionSplitter {
public:
  FunctionSplitter(FuncOp source, SymbolTable &symbols, ArrayRef<Nodes> parts)
      : source(source), symbols(symbols), builder(source) {
    for (auto [index, nodes] : llvm::enumerate(parts)) {
      auto function =
          FuncOp::create(builder, source.getLoc(),
                         (source.getSymName() + "." + Twine(index)).str());
      symbols.insert(function);
      functions.push_back(function);
      for (Operation *node : nodes)
        placeOf[node] = index;
    }
  }

  SmallVector<FuncOp> run() {
    placeSaves();
    for (Operation &op : llvm::make_early_inc_range(source.block()))
      if (auto place = placeOf.find(&op); place != placeOf.end())
        op.moveBefore(&functions[place->second].block(),
                      functions[place->second].block().end());
    for (auto [index, function] : llvm::enumerate(functions))
      for (Operation &op : llvm::make_early_inc_range(function.block()))
        for (OpOperand &operand : op.getOpOperands())
          operand.set(valueIn(index, operand.get(), &op));
    symbols.erase(source);
    return functions;
  }

private:
  /// Assigns each save to the function with its value. If the storage is also
  /// read, the save goes to the last function.
  void placeSaves() {
    llvm::StringSet<> read;
    for (auto op : source.block().getOps<ReadOp>())
      read.insert(op.getStorage());
    for (auto save : source.block().getOps<SaveOp>()) {
      auto place = placeOf.find(save.getIn().getDefiningOp());
      // All reads of saved storage must see its value from before the run.
      placeOf[save] = read.contains(save.getStorage()) ? functions.size() - 1
                      : place == placeOf.end()         ? 0
                                                       : place->second;
    }
  }

  /// The value as seen in one of the functions, for use by a node or a save of
  /// it.
  Value valueIn(size_t index, Value value, Operation *user) {
    Operation *origin = value.getDefiningOp();
    auto place = placeOf.find(origin);
    if (origin->getBlock() == &functions[index].block())
      return value;
    // Each function reads a value once.
    if (Value here = known.lookup({value, index}))
      return here;
    auto read = dyn_cast<ReadOp>(origin);
    Value here = read || place != placeOf.end()
                     ? readIn(index, value,
                              read ? read.getStorageAttr()
                                   : between(value, functions[place->second]))
                     : madeAgain(index, cast<OpResult>(value), user);
    known[{value, index}] = here;
    return here;
  }

  Value readIn(size_t index, Value value, FlatSymbolRefAttr storage) {
    builder.setInsertionPointToStart(&functions[index].block());
    return ReadOp::create(builder, value.getLoc(), value.getType(), storage);
  }

  /// The result of a copy of a node outside of all parts.
  Value madeAgain(size_t index, OpResult value, Operation *user) {
    IRMapping operands;
    for (Value operand : value.getOwner()->getOperands())
      operands.map(operand, valueIn(index, operand, user));
    builder.setInsertionPoint(user);
    Operation *node = builder.clone(*value.getOwner(), operands);
    for (OpResult old : value.getOwner()->getResults())
      known[{old, index}] = node->getResult(old.getResultNumber());
    return node->getResult(value.getResultNumber());
  }

  /// The storage in which the function that computes a value passes it on.
  FlatSymbolRefAttr between(Value value, FuncOp origin) {
    FlatSymbolRefAttr &storage = handedOn[value];
    if (storage)
      return storage;
    builder.setInsertionPoint(functions.front());
    auto placeholder =
        PlaceholderOp::create(builder, value.getLoc(), source.getSymNameAttr(),
                              value.getType(), PlaceholderRole::Between);
    storage = FlatSymbolRefAttr::get(symbols.insert(placeholder));
    builder.setInsertionPointToEnd(&origin.block());
    SaveOp::create(builder, value.getLoc(), value, storage);
    return storage;
  }

  FuncOp source;
  SymbolTable &symbols;
  OpBuilder builder;
  SmallVector<FuncOp> functions;
  DenseMap<Operation *, size_t> placeOf; ///< of nodes and saves
  DenseMap<std::pair<Value, size_t>, Value> known;
  DenseMap<Value, FlatSymbolRefAttr> handedOn;
};

} // namespace

/// Calls `visit` with the size variables of a value.
static void visitSizes(Value value,
                       llvm::function_ref<void(const SizeVariable &)> visit) {
  for (const Size &size :
       glow::sizesOf(cast<RankedTensorType>(value.getType())))
    size.length().visitVariables(visit);
}

/// Reports a node whose results have a size that no input has.
static LogicalResult checkGivenSizes(FuncOp function) {
  llvm::StringSet<> given;
  for (auto read : function.block().getOps<ReadOp>())
    visitSizes(read.getOut(),
               [&](const SizeVariable &size) { given.insert(size.name); });
  for (Operation &op : function.block())
    for (Value result : op.getResults()) {
      bool isComputed = false;
      visitSizes(result, [&](const SizeVariable &size) {
        isComputed |= !given.contains(size.name);
      });
      if (isComputed)
        return op.emitError(
            "computes a size, which no part of a model takes from another");
    }
  return success();
}

FailureOr<SmallVector<FuncOp>> glow::splitFunction(FuncOp source,
                                                   SymbolTable &symbols,
                                                   ArrayRef<Nodes> parts) {
  if (failed(checkGivenSizes(source)))
    return mlir::failure();
  return FunctionSplitter(source, symbols, parts).run();
}
