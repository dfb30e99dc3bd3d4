//===- PartitionGraph.cpp - one function into one a device ----------------===//

#include "FunctionSplitter.h"
#include "MemoryEstimate.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Partition/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_PARTITIONGRAPH
#include "glow/Partition/Passes.h.inc"

namespace {

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
        for (auto [index, part] :
             llvm::enumerate(splitFunction(function, symbols, parts)))
          part->setAttr(ofDevice, Builder(part).getI64IntegerAttr(index));
    }
  }
};

} // namespace
} // namespace glow
