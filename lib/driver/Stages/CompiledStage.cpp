//===- CompiledStage.cpp - stages that were compiled ----------------------===//
// SPDX-License-Identifier: MIT
//
// The key consists of the graph, the nodes that are done, the types of all
// values that the stage used, and the assumed values.
//
//===----------------------------------------------------------------------===//

#include "CompiledStage.h"
#include <algorithm>

using namespace glow;

bool CompiledStage::isFor(const GraphFrame &frame) const {
  if (graph != frame.graph || done != frame.done)
    return false;
  for (auto &[name, type] : looked) {
    const HostValue *value = frame.find(name);
    const Tensor *tensor = value ? value->tensor() : nullptr;
    if (!value || bool(tensor) != type.has_value() ||
        (tensor && tensor->type() != *type))
      return false;
  }
  return true;
}

bool CompiledStage::takesValues(const GraphFrame &frame) const {
  return std::ranges::all_of(assumed, [&](const Constant &value) {
    return value.sameAs(frame.find(value.name)->tensor()->view());
  });
}
