//===- StageCache.cpp - stages that were compiled -------------------------===//
// SPDX-License-Identifier: MIT
//
// The key consists of the graph, the nodes that are done, the types of all
// values that the stage used, and the assumed values. The least recently used
// stage is evicted first.
//
//===----------------------------------------------------------------------===//

#include "StageCache.h"
#include <algorithm>

using namespace glow;

bool CompiledStage::takesTypes(const GraphFrame &frame) const {
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

StageCache::~StageCache() {
  while (!entries.empty())
    dropLast();
}

void StageCache::dropLast() {
  if (entries.back().stage.network)
    host.unload(*entries.back().stage.network);
  entries.pop_back();
}

const CompiledStage *StageCache::find(const GraphFrame &frame) {
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    if (!entry->isAt(frame) || !entry->stage.takesTypes(frame) ||
        !entry->stage.takesValues(frame))
      continue;
    // A list, so that entries keep their addresses when others move.
    entries.splice(entries.begin(), entries, entry);
    return &entries.front().stage;
  }
  return nullptr;
}

size_t StageCache::variants(const GraphFrame &frame) const {
  return size_t(std::ranges::count_if(entries, [&](const Entry &entry) {
    return entry.isAt(frame) && entry.stage.takesTypes(frame);
  }));
}

const CompiledStage &StageCache::add(const GraphFrame &frame,
                                     CompiledStage stage) {
  constexpr size_t most = 64;
  if (entries.size() >= most)
    dropLast();
  entries.push_front({frame.graph, frame.done, std::move(stage)});
  return entries.front().stage;
}

void StageCache::shrink() {
  // The first stage stays, since it is about to run.
  while (entries.size() > 1)
    dropLast();
}
