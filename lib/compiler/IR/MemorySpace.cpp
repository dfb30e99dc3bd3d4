//===- MemorySpace.cpp - memories of a backend beside the arena -----------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/MemorySpace.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace glow::ir;

std::string glow::ir::textOf(const MemorySpace &memory) {
  std::string text = memory.name + ":" + std::to_string(memory.bytes) + ":" +
                     std::to_string(memory.alignment);
  return memory.bandwidth ? text + ":" + std::to_string(memory.bandwidth)
                          : text;
}

std::string glow::ir::textOf(const DmaEngine &engine) {
  return engine.name + ":" + std::to_string(engine.channels) + ":" +
         std::to_string(engine.bytesPerCycle) + ":" +
         std::to_string(engine.latency) +
         (engine.perRun ? ":" + std::to_string(engine.perRun) : "");
}

/// The parts of NAME:NUMBER:NUMBER..., with `least` to `most` numbers; nullopt
/// for other text.
static std::optional<std::pair<std::string, SmallVector<uint64_t>>>
splitText(StringRef text, size_t least, size_t most) {
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  SmallVector<uint64_t> numbers(parts.size() - 1);
  for (size_t i = 0; i < numbers.size(); ++i)
    if (parts[i + 1].getAsInteger(10, numbers[i]))
      return std::nullopt;
  if (parts[0].empty() || numbers.size() < least || numbers.size() > most)
    return std::nullopt;
  return std::pair(parts[0].str(), numbers);
}

FailureOr<std::vector<MemorySpace>>
glow::ir::memorySpacesOf(FuncOp function, ArrayRef<std::string> texts) {
  std::vector<MemorySpace> memories;
  for (const std::string &text : texts) {
    auto split = splitText(text, 2, 3);
    if (!split || !llvm::isPowerOf2_64(split->second[1]))
      return function.emitOpError("is given memory '")
             << text
             << "', which should be NAME:BYTES:ALIGNMENT[:BANDWIDTH], the "
                "alignment a power of two";
    split->second.resize(3);
    auto &[name, numbers] = *split;
    memories.push_back({name, numbers[0], numbers[1], numbers[2]});
  }
  return memories;
}

FailureOr<std::vector<DmaEngine>>
glow::ir::dmaEnginesOf(FuncOp function, ArrayRef<std::string> texts) {
  std::vector<DmaEngine> engines;
  for (const std::string &text : texts) {
    auto split = splitText(text, 3, 4);
    if (!split || split->second[0] == 0 || split->second[1] == 0)
      return function.emitOpError("is given DMA engine '")
             << text
             << "', which should be NAME:CHANNELS:BYTES:LATENCY[:RUN], the "
                "first "
                "two numbers 1 or more";
    split->second.resize(4);
    auto &[name, numbers] = *split;
    engines.push_back({name, numbers[0], numbers[1], numbers[2], numbers[3]});
  }
  return engines;
}

StringRef glow::ir::memoryOf(Value buffer) {
  StringAttr space = cast<BufferType>(buffer.getType()).getSpace();
  return space ? space.getValue() : "";
}

std::string glow::ir::describeMemory(StringRef name) {
  return name.empty() ? "the arena" : ("memory '" + name + "'").str();
}
