//===- PackConstants.cpp - constants packed for their kernels -------------===//
// SPDX-License-Identifier: MIT

#include "PackConstants.h"
#include "glow/Base/Memory.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/LastReader.h"
#include "glow/Graph/Storage.h"
#include "glow/Values/Tensor.h"
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

  /// Packs a constant to `place`, in `block`. Fails with Code::OutOfMemory.
  Status pack(const StepPacking &packing, char *place,
              const std::shared_ptr<Tensor> &block) {
    uint32_t &buffer = bufferOf(packing);
    size_t from = steps.buffers[buffer].index;
    Result<const float *> elements = aligned(program.constants[from]);
    if (!elements)
      return elements.status();
    packing.write(*elements, reinterpret_cast<float *>(place));
    glow::TensorType type{ElementKind::F32, {packing.elements}};
    BufferPlace packed{BufferPlace::Constant,
                       uint32_t(program.constants.size()), 0, type,
                       program.constants[from].name};
    program.constants.push_back({packed.name, type, place, block});
    if (last)
      sources.release(buffer, program.constants[from]);
    buffer = uint32_t(steps.buffers.size());
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

Status cpu::packConstants(llvm::ArrayRef<StepPacking> packings,
                          ir::FuncOp function, StepCode &steps,
                          Program &program) {
  Packer packer(function, steps, program);
  int64_t bytes = 0;
  std::vector<int64_t> offsets;
  std::vector<std::pair<uint64_t, size_t>> order;
  for (const StepPacking &packing : packings) {
    order.push_back({packer.sourceBytes(packing), order.size()});
    offsets.push_back(bytes);
    // Each packed constant begins at a cache line.
    bytes += (packing.elements * 4 + 63) / 64 * 64;
  }
  releaseCompiler(bytes);
  Result<Tensor> memory = Tensor::zeros({ElementKind::U8, {bytes}});
  if (!memory)
    return memory.status().prefixed("packed constants: ");
  auto block = std::make_shared<Tensor>(memory.take());
  // During packing a constant is in memory in both forms. The largest is packed
  // first, while little else is packed.
  llvm::sort(order, std::greater<>());
  for (auto [sourceBytes, i] : order)
    if (Status status =
            packer.pack(packings[i],
                        static_cast<char *>(block->data()) + offsets[i], block);
        !status.ok())
      return status.prefixed("packed constants: ");
  return Status();
}
