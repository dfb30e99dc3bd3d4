//===- EmittedSteps.cpp - the code of equal instructions, once ------------===//
// SPDX-License-Identifier: MIT

#include "EmittedSteps.h"

using namespace glow;
using namespace glow::cpu;

EmittedSteps::EmittedSteps(CodeModule &module, const Program &program,
                           const StepCode &steps)
    : module(module), steps(steps), arenaBytes(program.arenaBytes) {
  if (module.target.arenaLimit)
    limit = module.target.arenaLimit;
  else if (module.savesMemory)
    limit = std::max(arenaBytes, program.liveBytes + program.liveBytes / 20);
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

bool EmittedSteps::hasPlace(size_t index, int64_t shared, int64_t scratch) {
  if (!buffers)
    buffers.emplace(steps);
  return arenaWithStep(*buffers, index, arenaBytes, uint64_t(shared),
                       uint64_t(scratch)) <= limit;
}

bool EmittedSteps::suits(const Emitted &emitted, size_t index) {
  return llvm::all_of(emitted.answers, [&](const Answer &answer) {
    return hasPlace(index, answer.shared, answer.scratch) == answer.hasPlace;
  });
}

const std::optional<NativeStep> &EmittedSteps::find(mlir::Operation &op,
                                                    IsConstant isConstant,
                                                    size_t index, Emit emit) {
  std::vector<Emitted> &equal = known[keyOf(op, isConstant)];
  auto found = llvm::find_if(equal, [&](const Emitted &emitted) {
    return !module.separate && !module.plans && suits(emitted, index);
  });
  if (found != equal.end())
    return found->step;
  Emitted &emitted = equal.emplace_back();
  if (limit)
    module.hasPlace = [&](int64_t shared, int64_t scratch) {
      bool has = hasPlace(index, shared, scratch);
      emitted.answers.push_back({shared, scratch, has});
      return has;
    };
  emitted.step = emit();
  module.hasPlace = nullptr;
  if (emitted.step)
    for (Packing &packing : emitted.step->packings)
      packing.form = ++forms;
  return emitted.step;
}

Status cpu::checkArena(uint64_t arenaBytes, uint64_t limit,
                       const char *content) {
  if (!limit || arenaBytes <= limit)
    return Status();
  return failure(Code::InvalidArgument, content, " need an arena of ",
                 arenaBytes, " bytes; the limit is ", limit,
                 ": give another arena-limit");
}
