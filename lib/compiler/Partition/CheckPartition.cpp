//===- CheckPartition.cpp - verification after Partition ------------------===//
// SPDX-License-Identifier: MIT

#include "MemoryEstimate.h"
#include "glow/Base/MemorySize.h"
#include "glow/Partition/Passes.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_CHECKPARTITION
#include "glow/Partition/Passes.h.inc"

namespace {

/// Checks that the functions of a module can run in its order, each on a device
/// of `memory` bytes.
///
/// Pinned at the end of the partition phase. Ends because it visits each node
/// once.
struct CheckPartition : impl::CheckPartitionBase<CheckPartition> {
  using CheckPartitionBase::CheckPartitionBase;

  void runOnOperation() override {
    for (auto placeholder : getOperation().getOps<PlaceholderOp>())
      if (placeholder.getRole() == PlaceholderRole::Between)
        handedOn[placeholder.getSymName()] = FuncOp();
    for (auto function : getOperation().getOps<FuncOp>())
      if (function.isCalled()) // a call sets its parameters
        for (Attribute name : function.getTakesAttr())
          handedOn.erase(cast<FlatSymbolRefAttr>(name).getValue());
    bool good = true;
    for (auto function : getOperation().getOps<FuncOp>()) {
      good &= areReadsInOrder(function); // all of them say what is wrong
      good &= isTheOnlyOne(function);
      good &= fits(function);
    }
    if (!good)
      signalPassFailure();
  }

private:
  bool areReadsInOrder(FuncOp function) {
    bool good = true;
    for (auto read : function.block().getOps<ReadOp>()) {
      auto found = handedOn.find(read.getStorage());
      if (found == handedOn.end() || found->second)
        continue;
      read.emitError() << "@" << function.getSymName() << " reads @"
                       << read.getStorage()
                       << ", which no function before it saves";
      good = false;
    }
    return good;
  }

  /// Whether no other function saves a value that this function passes on.
  bool isTheOnlyOne(FuncOp function) {
    bool good = true;
    for (auto save : function.block().getOps<SaveOp>()) {
      auto found = handedOn.find(save.getStorage());
      if (found == handedOn.end())
        continue;
      if (!found->second) {
        found->second = function;
        continue;
      }
      save.emitError() << "@" << function.getSymName() << " saves @"
                       << save.getStorage() << ", and so does @"
                       << found->second.getSymName();
      good = false;
    }
    return good;
  }

  bool fits(FuncOp function) {
    MemoryEstimate need;
    for (Operation &op : function.block())
      if (!isa<ReadOp>(op))
        need.add(op);
    if (memory == 0 || need.bytes() <= memory)
      return true;
    function.emitError() << "@" << function.getSymName() << " needs "
                         << sizeText(need.bytes())
                         << " or more, but a device has " << sizeText(memory);
    return false;
  }

  llvm::StringMap<FuncOp> handedOn; ///< by the function that saves it, or null
};

} // namespace
} // namespace glow
