//===- MemorySpace.cpp - memories of a backend beside the arena -----------===//

#include "glow/IR/MemorySpace.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace glow::ir;

std::string glow::ir::textOf(const MemorySpace &memory) {
  return memory.name + ":" + std::to_string(memory.bytes) + ":" +
         std::to_string(memory.alignment);
}

FailureOr<std::vector<MemorySpace>>
glow::ir::memorySpacesOf(FuncOp function, ArrayRef<std::string> texts) {
  std::vector<MemorySpace> memories;
  for (StringRef text : texts) {
    MemorySpace memory;
    auto [name, rest] = text.split(':');
    auto [bytes, alignment] = rest.split(':');
    memory.name = name.str();
    if (name.empty() || bytes.getAsInteger(10, memory.bytes) ||
        alignment.getAsInteger(10, memory.alignment) ||
        !llvm::isPowerOf2_64(memory.alignment))
      return function.emitOpError("is given memory '")
             << text
             << "', which should be NAME:BYTES:ALIGNMENT, the last a power of "
                "two";
    memories.push_back(memory);
  }
  return memories;
}

StringRef glow::ir::memoryOf(Value buffer) {
  StringAttr space = cast<BufferType>(buffer.getType()).getSpace();
  return space ? space.getValue() : "";
}

std::string glow::ir::describeMemory(StringRef name) {
  return name.empty() ? "the arena" : ("memory '" + name + "'").str();
}
