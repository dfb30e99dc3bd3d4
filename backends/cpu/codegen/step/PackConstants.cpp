//===- PackConstants.cpp - constants packed for their kernels -------------===//
// SPDX-License-Identifier: MIT

#include "PackConstants.h"
#include "glow/Base/Memory.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/LastReader.h"
#include "glow/Graph/Storage.h"
#include "glow/Values/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <cstring>

using namespace glow;
using namespace glow::cpu;
using namespace mlir;

namespace {

/// Frees the memory of constants that only packings read, after their last
/// packing.
class Sources {
public:
  Sources(const StepCode &steps, ir::FuncOp function)
      : uses(steps.buffers.size()) {
    for (const Step &step : steps.steps)
      for (uint32_t buffer : step.buffers)
        ++uses[buffer];
    for (auto constant :
         function->getParentOfType<ModuleOp>().getOps<ConstantOp>()) {
      values[constant.getSymName()] = constant.getValue();
      ++users[constant.getValue()];
    }
  }
  void release(uint32_t buffer, Constant &constant) {
    ElementsAttr value = values.lookup(constant.name);
    // Equal constants share one attribute: its bytes are freed for all of them
    // at once.
    if (--uses[buffer] || users.lookup(value) != 1)
      return;
    constant.data = nullptr;
    constant.owner.reset();
    releaseBytes(value);
  }

private:
  std::vector<unsigned> uses; // number of uses of each buffer by steps
  llvm::StringMap<ElementsAttr> values;
  llvm::DenseMap<ElementsAttr, unsigned> users;
};

class Packer {
public:
  Packer(ir::FuncOp function, StepCode &steps, Program &program)
      : steps(steps), program(program), sources(steps, function),
        last(function->getParentOp()->hasAttr(lastReader)) {}

  uint64_t sourceBytes(const StepPacking &packing) {
    return steps.buffers[bufferOf(packing)].type.bytes();
  }

  /// The number of a packing's constant, and its form.
  std::pair<uint32_t, size_t> contentOf(const StepPacking &packing) {
    return {steps.buffers[bufferOf(packing)].index, packing.form};
  }

  /// Packs a constant to `place`, in `block`, for all `packings`, which have
  /// one content. Fails with Code::OutOfMemory.
  Status pack(llvm::ArrayRef<StepPacking> packings,
              llvm::ArrayRef<size_t> numbers, char *place,
              const std::shared_ptr<Tensor> &block) {
    const StepPacking &packing = packings[numbers.front()];
    size_t from = steps.buffers[bufferOf(packing)].index;
    Result<const float *> elements = aligned(program.constants[from]);
    if (!elements)
      return elements.status();
    packing.write(*elements, reinterpret_cast<float *>(place));
    glow::TensorType type{ElementKind::F32, {packing.elements}};
    BufferPlace packed{BufferPlace::Constant,
                       uint32_t(program.constants.size()), 0, type,
                       program.constants[from].name};
    program.constants.push_back({packed.name, type, place, block});
    for (size_t number : numbers) {
      uint32_t &buffer = bufferOf(packings[number]);
      if (last)
        sources.release(buffer, program.constants[from]);
      buffer = uint32_t(steps.buffers.size());
    }
    steps.buffers.push_back(std::move(packed));
    return Status();
  }

private:
  uint32_t &bufferOf(const StepPacking &packing) {
    return steps.steps[packing.step].buffers[packing.buffer];
  }

  /// The elements of a constant at an aligned address. A mapped file may have
  /// tensors at any byte offset.
  Result<const float *> aligned(const Constant &constant) {
    if (reinterpret_cast<uintptr_t>(constant.data) % alignof(float) == 0)
      return static_cast<const float *>(constant.data);
    copy = Tensor();
    Result<Tensor> fresh = Tensor::copyOf(
        {const_cast<void *>(constant.data), &constant.type}); // only read
    if (!fresh)
      return fresh.status();
    copy = fresh.take();
    return static_cast<const float *>(copy.data());
  }

  StepCode &steps;
  Program &program;
  Sources sources;
  const bool last;
  Tensor copy; // the aligned copy of the last constant
};

} // namespace

/// Releases memory of the compiler, of which little is used after code is made.
/// This takes some milliseconds, and pays only for large constants.
static void releaseCompiler(int64_t constantBytes) {
  if (constantBytes < int64_t(64) << 20)
    return;
  releaseLibrary("libLLVM");
  releaseLibrary("libMLIR");
  releaseOwnCode();
}

/// Packings with one content, the largest constants first: during packing a
/// constant is in memory in both forms, while little else is packed.
static std::vector<std::vector<size_t>>
groupsOf(llvm::ArrayRef<StepPacking> packings, Packer &packer) {
  llvm::MapVector<std::pair<uint32_t, size_t>, std::vector<size_t>> groups;
  for (auto [number, packing] : llvm::enumerate(packings))
    groups[packer.contentOf(packing)].push_back(number);
  std::vector<std::vector<size_t>> order;
  for (auto &[content, numbers] : groups)
    order.push_back(std::move(numbers));
  llvm::sort(order, [&](const auto &a, const auto &b) {
    const uint64_t first = packer.sourceBytes(packings[a.front()]);
    const uint64_t second = packer.sourceBytes(packings[b.front()]);
    return std::pair(first, a.front()) > std::pair(second, b.front());
  });
  return order;
}

Status cpu::packConstants(llvm::ArrayRef<StepPacking> packings,
                          ir::FuncOp function, StepCode &steps,
                          Program &program) {
  Packer packer(function, steps, program);
  const std::vector<std::vector<size_t>> groups = groupsOf(packings, packer);
  int64_t bytes = 0;
  std::vector<int64_t> offsets(packings.size(), -1);
  for (const std::vector<size_t> &group : groups)
    offsets[group.front()] = 0;
  for (auto [packing, offset] : llvm::zip(packings, offsets)) {
    if (offset < 0)
      continue; // as an earlier one
    offset = bytes;
    // Each packed constant begins at a cache line.
    bytes += (packing.elements * 4 + 63) / 64 * 64;
  }
  releaseCompiler(bytes);
  const auto behind = bytes ? int64_t(prefetchedBehind) : 0;
  Result<Tensor> memory = Tensor::zeros({ElementKind::U8, {bytes + behind}});
  if (!memory)
    return memory.status().prefixed("packed constants: ");
  touchPages(static_cast<const char *>(memory->data()) + bytes, size_t(behind));
  auto block = std::make_shared<Tensor>(memory.take());
  for (const std::vector<size_t> &group : groups)
    if (Status status = packer.pack(
            packings, group,
            static_cast<char *>(block->data()) + offsets[group.front()], block);
        !status.ok())
      return status.prefixed("packed constants: ");
  return Status();
}
