//===- MemoryEstimate.cpp - the memory that nodes need --------------------===//
// SPDX-License-Identifier: MIT
//
// A lower bound of the memory of a function: all values that it reads, saves or
// receives, each once, and the results of its largest node. Other values share
// memory, and placement determines how.
//
//===----------------------------------------------------------------------===//

#include "MemoryEstimate.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Storage.h"
#include "glow/Program/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace glow;

uint64_t glow::tensorBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  glow::TensorType stored{*kindOf(tensor.getElementType()),
                          Ints(tensor.getShape())};
  return stored.isStatic() ? stored.bytes() : UINT64_MAX;
}

void MemoryEstimate::addStored(const void *name, Type type) {
  if (known.insert(name).second)
    // Sizes come from a file: a sum must not wrap around to a small number.
    stored = llvm::SaturatingAdd(stored, tensorBytes(type));
}

void MemoryEstimate::add(Operation &op) {
  for (Value operand : op.getOperands())
    if (auto read = operand.getDefiningOp<ReadOp>())
      addStored(read.getStorageAttr().getAsOpaquePointer(), operand.getType());
    else if (!computed.contains(operand))
      addStored(operand.getAsOpaquePointer(), operand.getType());
  if (auto save = dyn_cast<SaveOp>(op))
    addStored(save.getStorageAttr().getAsOpaquePointer(),
              save.getIn().getType());
  uint64_t results = 0;
  for (Value result : op.getResults()) {
    computed.insert(result);
    results = llvm::SaturatingAdd(results, tensorBytes(result.getType()));
  }
  largest = std::max(largest, results);
}
