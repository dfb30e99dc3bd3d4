//===- Step.cpp - from an instruction to its code -------------------------===//

#include "Step.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

std::optional<Reach> cpu::reachOf(const Ints &extra, const Ints &out,
                                  size_t channel, bool blocked) {
  if (extra == out)
    return Reach::Same;
  if (llvm::all_of(extra, [](int64_t size) { return size == 1; }))
    return Reach::Single;
  if (extra.size() != out.size())
    return std::nullopt;
  for (size_t i = 0; i < extra.size(); ++i) {
    bool isChannel = i == channel || (blocked && i + 1 == extra.size());
    if (extra[i] != (isChannel ? out[i] : 1))
      return std::nullopt;
  }
  return Reach::Channel;
}

Epilogue cpu::epilogueOf(bool bias, const Formula &formula,
                         const Operands &extras, const Ints &out,
                         size_t channel, bool blocked) {
  Epilogue epilogue;
  epilogue.bias = bias;
  epilogue.formula = formula;
  for (size_t i = 0; i < extras.size(); ++i)
    epilogue.extras.push_back(
        *reachOf(extras[i].shape(), out, channel, blocked));
  return epilogue;
}

SmallVector<llvm::Value *> cpu::extrasAt(Emitter &code, const Operands &extras,
                                         const Epilogue &epilogue,
                                         llvm::Value *out,
                                         llvm::Value *channel) {
  SmallVector<llvm::Value *> places;
  for (auto [i, reach] : llvm::enumerate(epilogue.extras)) {
    auto *extra = code.buffer(extras[i]);
    places.push_back(reach == Reach::Same      ? code.at(extra, out)
                     : reach == Reach::Channel ? code.at(extra, channel)
                                               : extra);
  }
  return places;
}
