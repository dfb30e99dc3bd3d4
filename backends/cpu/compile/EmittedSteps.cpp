//===- EmittedSteps.cpp - the code of equal instructions, once ------------===//
// SPDX-License-Identifier: MIT

#include "EmittedSteps.h"
#include "device/Threads.h"
#include "glow/Base/MemorySize.h"
#include "glow/Memory/MemoryPlan.h"

using namespace glow;
using namespace glow::cpu;

EmittedSteps::EmittedSteps(CodeModule &module, ir::FuncOp function,
                           const Program &program, const StepCode &steps)
    : module(module), steps(steps), arenaBytes(program.arenaBytes) {
  if (module.target.arenaLimit)
    limit = module.target.arenaLimit;
  else if (module.savesMemory)
    limit = std::max(arenaBytes, program.liveBytes + program.liveBytes / 20);
  if (uint64_t most = module.target.memoryLimit) {
    const ir::MemoryPlan plan = ir::MemoryPlan::of(function);
    const uint64_t kept = plan.constantBytes + plan.boundBytes;
    allLimit = most > kept ? most - kept : 1;
    // Runs of the greatest sizes are refused; others have memory.
    if (plan.least && plan.arenaBytes > allLimit)
      allLimit = 0;
    if (module.hosted)
      threads = std::max(1u, Threads::ofProcess());
  }
}

EmittedSteps::Key EmittedSteps::keyOf(mlir::Operation &op,
                                      IsConstant isConstant) {
  Key key = {op.getName().getAsOpaquePointer(),
             op.getAttrDictionary().getAsOpaquePointer()};
  for (mlir::Value operand : op.getOperands()) {
    key.push_back(operand.getType().getAsOpaquePointer());
    key.push_back(isConstant(operand) ? key.front() : nullptr);
  }
  return key;
}

uint64_t EmittedSteps::arenaWith(size_t index, int64_t shared, int64_t scratch,
                                 unsigned count) {
  if (!buffers)
    buffers.emplace(steps);
  return arenaWithStep(*buffers, index, arenaBytes, uint64_t(shared),
                       uint64_t(scratch) * count);
}

bool EmittedSteps::hasPlace(size_t index, int64_t shared, int64_t scratch,
                            int64_t more) {
  if (limit && arenaWith(index, shared, scratch, 1) > limit)
    return false;
  if (!allLimit)
    return true;
  const uint64_t arena = arenaWith(index, shared, scratch, threads);
  if (!more)
    return arena + grown <= allLimit;
  // Some memory is left to the kernels of later steps.
  return std::max(arena, mostArena) + grown + uint64_t(more) <=
         allLimit - allLimit / 16;
}

void EmittedSteps::countPacked(const NativeStep &step, size_t index) {
  for (const Packing &packing : step.packings) {
    const uint32_t buffer = steps.steps[index].buffers[packing.buffer];
    const uint64_t bytes = uint64_t(packing.elements) * 4,
                   before = steps.buffers[buffer].type.bytes();
    if (packed.insert({buffer, packing.form}).second && bytes > before)
      grown += bytes - before;
  }
  mostArena = std::max(mostArena, arenaWith(index, step.sharedBytes,
                                            step.scratchBytes, threads));
}

bool EmittedSteps::suits(const Emitted &emitted, size_t index) {
  return llvm::all_of(emitted.answers, [&](const Answer &answer) {
    return hasPlace(index, answer.shared, answer.scratch, answer.grown) ==
           answer.hasPlace;
  });
}

const std::optional<NativeStep> &EmittedSteps::find(mlir::Operation &op,
                                                    IsConstant isConstant,
                                                    size_t index, Emit emit) {
  std::vector<Emitted> &equal = known[keyOf(op, isConstant)];
  auto found = llvm::find_if(equal, [&](const Emitted &emitted) {
    return !module.separate && !module.plans && suits(emitted, index);
  });
  if (found == equal.end()) {
    found = equal.emplace(equal.end());
    if (limit || allLimit)
      module.hasPlace = [&](int64_t shared, int64_t scratch, int64_t more) {
        bool has = hasPlace(index, shared, scratch, more);
        found->answers.push_back({shared, scratch, more, has});
        return has;
      };
    found->step = emit();
    module.hasPlace = nullptr;
    if (found->step)
      for (Packing &packing : found->step->packings)
        packing.form = ++forms;
  }
  if (allLimit && found->step)
    countPacked(*found->step, index);
  return found->step;
}

Status cpu::checkArena(uint64_t arenaBytes, uint64_t limit,
                       const char *content) {
  if (!limit || arenaBytes <= limit)
    return Status();
  return failure(Code::InvalidArgument, content, " need an arena of ",
                 arenaBytes, " bytes; the limit is ", limit,
                 ": give another arena-limit");
}

Status cpu::checkGreatest(ir::FuncOp function, uint64_t limit) {
  const ir::MemoryPlan plan = ir::MemoryPlan::of(function);
  const uint64_t bytes = plan.arenaBytes + plan.constantBytes + plan.boundBytes,
                 most = limit ? limit : defaultMemoryLimit();
  if (!plan.least || bytes <= most)
    return Status();
  return failure(Code::OutOfMemory, "the greatest sizes need ", sizeText(bytes),
                 "; the limit is ", sizeText(most),
                 ": give another memory-limit");
}
