//===- PartitionGraph.cpp - one function into one a device ----------------===//

#include "MemoryEstimate.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Partition/Passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_PARTITIONGRAPH
#include "glow/Partition/Passes.h.inc"

namespace {

using Nodes = SmallVector<Operation *>;

/// Nodes in their order, each part as long as it needs at most `limit` bytes; a
/// node that needs more has a part of its own.
SmallVector<Nodes> cutAt(ArrayRef<Operation *> nodes, uint64_t limit) {
  SmallVector<Nodes> parts;
  MemoryEstimate need;
  for (Operation *node : nodes) {
    need.add(*node);
    // The need of a part grows with each node, so that the longest part that
    // fits is found by adding.
    if (parts.empty() || need.bytes() > limit) {
      parts.emplace_back();
      need = MemoryEstimate();
      need.add(*node);
    }
    parts.back().push_back(node);
  }
  return parts;
}

/// At most `count` parts, the largest as small as a search by halves finds.
SmallVector<Nodes> cutInto(ArrayRef<Operation *> nodes, size_t count) {
  MemoryEstimate all;
  for (Operation *node : nodes)
    all.add(*node);
  uint64_t tooSmall = 0, enough = all.bytes();
  while (enough - tooSmall > 1) {
    uint64_t middle = tooSmall + (enough - tooSmall) / 2;
    // More memory never takes more parts: the least limit that is enough is
    // found by halves.
    (cutAt(nodes, middle).size() <= count ? enough : tooSmall) = middle;
  }
  return cutAt(nodes, enough);
}

/// One function on its way to several.
class FunctionSplitter {
public:
  FunctionSplitter(FuncOp source, SymbolTable &symbols, ArrayRef<Nodes> parts)
      : source(source), symbols(symbols), builder(source) {
    for (auto [index, nodes] : llvm::enumerate(parts)) {
      auto function =
          FuncOp::create(builder, source.getLoc(),
                         (source.getSymName() + "." + Twine(index)).str());
      function.getBody().emplaceBlock();
      function->setAttr(ofDevice, builder.getI64IntegerAttr(index));
      symbols.insert(function);
      functions.push_back(function);
      for (Operation *node : nodes)
        placeOf[node] = index;
    }
  }

  void run() {
    placeSaves();
    for (Operation &op : llvm::make_early_inc_range(source.block()))
      if (auto place = placeOf.find(&op); place != placeOf.end())
        op.moveBefore(&functions[place->second].block(),
                      functions[place->second].block().end());
    for (auto [index, function] : llvm::enumerate(functions))
      for (Operation &op : llvm::make_early_inc_range(function.block()))
        for (OpOperand &operand : op.getOpOperands())
          operand.set(valueIn(index, operand.get()));
    symbols.erase(source);
  }

private:
  /// A save stands with the value it saves, but behind the last read of what
  /// its storage had before.
  void placeSaves() {
    llvm::StringSet<> read;
    for (auto op : source.block().getOps<ReadOp>())
      read.insert(op.getStorage());
    for (auto save : source.block().getOps<SaveOp>()) {
      auto place = placeOf.find(save.getIn().getDefiningOp());
      // What a function reads of storage that is saved too, it reads as it was
      // before the run.
      placeOf[save] = read.contains(save.getStorage()) ? functions.size() - 1
                      : place == placeOf.end()         ? 0
                                                       : place->second;
    }
  }

  /// What a value is in one of the functions.
  Value valueIn(size_t index, Value value) {
    Operation *origin = value.getDefiningOp();
    auto place = placeOf.find(origin);
    if (origin->getBlock() == &functions[index].block())
      return value;
    // One read of a value for each function that needs it.
    Value &here = known[{value, index}];
    if (here)
      return here;
    FlatSymbolRefAttr storage = place == placeOf.end()
                                    ? cast<ReadOp>(origin).getStorageAttr()
                                    : between(value, functions[place->second]);
    builder.setInsertionPointToStart(&functions[index].block());
    return here = ReadOp::create(builder, value.getLoc(), value.getType(),
                                 storage);
  }

  /// The storage in which the function that computes a value hands it on.
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

/// Cuts each function into one a device, in the order in which they run, so
/// that the largest need of memory is small. Values go from one to the next in
/// placeholders.
///
/// Pinned after the optimizer, whose nodes are the model's, and before
/// lowering, which may differ by device. Ends because it moves each node once.
struct PartitionGraph : impl::PartitionGraphBase<PartitionGraph> {
  using PartitionGraphBase::PartitionGraphBase;
  void runOnOperation() override {
    if (devices < 1) {
      getOperation().emitError()
          << "the number of devices is " << devices.getValue()
          << ", but it must be at least 1";
      return signalPassFailure();
    }
    SymbolTable symbols(getOperation());
    for (FuncOp function :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
      Nodes nodes;
      for (Operation &op : function.block())
        if (!isa<ReadOp, SaveOp>(op))
          nodes.push_back(&op);
      SmallVector<Nodes> parts = cutInto(nodes, devices);
      if (parts.size() > 1)
        FunctionSplitter(function, symbols, parts).run();
    }
  }
};

} // namespace
} // namespace glow
