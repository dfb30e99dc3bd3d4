//===- Step.cpp - from an instruction to its code -------------------------===//
// SPDX-License-Identifier: MIT

#include "Step.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

std::optional<BroadcastKind> cpu::broadcastKindOf(const Ints &extra,
                                                  const Ints &out,
                                                  size_t channel,
                                                  bool blocked) {
  if (extra == out)
    return BroadcastKind::Elementwise;
  if (llvm::all_of(extra, [](int64_t size) { return size == 1; }))
    return BroadcastKind::Scalar;
  if (extra.size() != out.size())
    return std::nullopt;
  for (size_t i = 0; i < extra.size(); ++i) {
    bool isChannel = i == channel || (blocked && i + 1 == extra.size());
    if (extra[i] != (isChannel ? out[i] : 1))
      return std::nullopt;
  }
  return BroadcastKind::PerChannel;
}

Epilogue cpu::epilogueOf(bool bias, const Formula &formula,
                         const Operands &extras, const Ints &out,
                         size_t channel, bool blocked) {
  Epilogue epilogue;
  epilogue.bias = bias;
  epilogue.formula = formula;
  for (size_t i = 0; i < extras.size(); ++i)
    epilogue.extras.push_back(
        *broadcastKindOf(extras[i].shape(), out, channel, blocked));
  return epilogue;
}

SmallVector<llvm::Value *> cpu::extrasAt(Emitter &code, const Operands &extras,
                                         const Epilogue &epilogue,
                                         llvm::Value *out,
                                         llvm::Value *channel) {
  SmallVector<llvm::Value *> places;
  for (auto [i, kind] : llvm::enumerate(epilogue.extras)) {
    auto *extra = code.buffer(extras[i]);
    places.push_back(kind == BroadcastKind::Elementwise ? code.at(extra, out)
                     : kind == BroadcastKind::PerChannel
                         ? code.at(extra, channel)
                         : extra);
  }
  return places;
}
