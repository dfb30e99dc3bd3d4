//===- EntryCalls.cpp - branches and loops in an entry point --------------===//
// SPDX-License-Identifier: MIT

#include "EntryCalls.h"
#include "glow/Program/Updates.h"
#include <limits>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

EntryCalls::EntryCalls(Emitter &code, Function *function, const StepCode &steps,
                       Others others)
    : code(code), function(function), steps(steps), others(std::move(others)),
      ports(code.CreateAlloca(code.getPtrTy(),
                              code.getInt32(uint32_t(steps.ports.size())))) {}

Value *EntryCalls::portAddress(uint32_t port) {
  return code.CreateLoad(code.getPtrTy(),
                         code.CreateConstGEP1_64(code.getPtrTy(), ports, port));
}

void EntryCalls::bind(uint32_t port, Value *address) {
  code.CreateStore(address,
                   code.CreateConstGEP1_64(code.getPtrTy(), ports, port));
}

BasicBlock *EntryCalls::block(const char *name) {
  return BasicBlock::Create(function->getContext(), name, function);
}

Value *EntryCalls::loadFlag(uint32_t buffer) {
  return code.CreateIsNotNull(
      code.CreateLoad(code.getInt8Ty(), others.address(buffer)));
}

void EntryCalls::emit(const Step &step) {
  if (step.instruction == "if")
    emitIf(step);
  else
    emitLoop(step);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void EntryCalls::emitIf(const Step &step) {
  const IfOperands operands(step);
  BasicBlock *then = block("then"), *otherwise = block("else"),
             *end = block("join");
  code.CreateCondBr(loadFlag(operands.condition[0]), then, otherwise);
  auto emitBranch = [&](BasicBlock *start, const StepCall &call,
                        BufferList captured) {
    code.SetInsertPoint(start);
    for (size_t i = 0; i < captured.size(); ++i)
      bind(call.takes[i], others.address(captured[i]));
    for (size_t i = 0; i < operands.values.size(); ++i)
      bind(call.gives[i], others.address(operands.values[i]));
    others.steps(call.first, call.count);
    code.CreateBr(end);
  };
  emitBranch(then, step.calls[0], operands.captured);
  emitBranch(otherwise, step.calls[1], operands.others);
  code.SetInsertPoint(end);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value *EntryCalls::sizeOf(uint32_t buffer, size_t axis) {
  const BufferPlace &place = steps.buffers[buffer];
  if (place.lengths.empty())
    return code.integer(place.type.shape[axis]);
  return others.size(place.lengths[axis]);
}

/// The bytes of all axes from one on.
Value *EntryCalls::bytesOf(uint32_t buffer, size_t firstAxis) {
  const TensorType &type = steps.buffers[buffer].type;
  Value *bytes = code.integer(int64_t(byteSize(type.kind)));
  for (size_t axis = firstAxis; axis < type.shape.size(); ++axis)
    bytes = code.CreateMul(bytes, sizeOf(buffer, axis));
  return bytes;
}

Value *EntryCalls::sliceOf(uint32_t buffer, Value *slice) {
  return code.CreateGEP(code.getInt8Ty(), others.address(buffer),
                        code.CreateMul(slice, bytesOf(buffer, 1)));
}

void EntryCalls::copyUnlessSame(uint32_t to, Value *from) {
  Value *address = others.address(to);
  BasicBlock *copy = block("move"), *end = block("moved");
  code.CreateCondBr(code.CreateICmpNE(from, address), copy, end);
  code.SetInsertPoint(copy);
  const Align align(byteSize(steps.buffers[to].type.kind));
  code.CreateMemCpy(address, align, from, align, bytesOf(to, 0));
  code.CreateBr(end);
  code.SetInsertPoint(end);
}

Value *EntryCalls::tripLimit(const Step &step) {
  const LoopOperands operands(step);
  auto least = [&](Value *one, Value *other) {
    return code.CreateSelect(code.CreateICmpSLT(other, one), other, one);
  };
  Value *limit = code.integer(std::numeric_limits<int64_t>::max());
  if (!operands.trips.empty())
    limit =
        code.CreateLoad(code.getInt64Ty(), others.address(operands.trips[0]));
  for (const LengthList &list : step.lists)
    for (const Length &length : list.lengths)
      limit = least(limit, others.size(length));
  if (step.lists.empty())
    for (int64_t count : std::get<Ints>(step.attributes[1]))
      limit = least(limit, code.integer(count));
  for (BufferList list : {operands.sliced, operands.stacked()})
    for (uint32_t buffer : list)
      limit = least(limit, sizeOf(buffer, 0));
  if (!operands.condition.empty())
    limit = code.CreateSelect(loadFlag(operands.condition[0]), limit,
                              code.integer(0));
  Value *none = code.integer(0);
  return code.CreateSelect(code.CreateICmpSLT(limit, none), none, limit);
}

/// Whether trips update the carried value `i` where it is.
static bool isInPlace(const StepCode &steps, const LoopOperands &operands,
                      const StepCall &call, size_t i) {
  return updatesInPlace(steps, call, call.takes[1 + i],
                        call.gives[operands.going.size() + i]);
}

void EntryCalls::beginCarried(const LoopOperands &operands,
                              const StepCall &call) {
  for (size_t i = 0; i < operands.carried(); ++i) {
    Value *initial = others.address(operands.initial[i]);
    bind(call.takes[1 + i], initial);
    if (!isInPlace(steps, operands, call, i))
      continue;
    copyUnlessSame(operands.values[i], initial);
    bind(call.takes[1 + i], others.address(operands.values[i]));
    bind(call.gives[operands.going.size() + i],
         others.address(operands.values[i]));
  }
}

/// Binds the slices of a trip, and the buffers of the next carried values: the
/// last trip of all that are possible writes the results.
void EntryCalls::bindTrip(const Step &step, Value *limit, Value *trip) {
  const LoopOperands operands(step);
  const StepCall &call = step.calls[0];
  const auto &backwards = std::get<Ints>(step.attributes[2]);
  const size_t carried = operands.carried(), sliced = operands.sliced.size(),
               going = operands.going.size();
  auto placeOf = [&](size_t i) {
    return backwards[i]
               ? code.CreateSub(code.CreateSub(limit, code.integer(1)), trip)
               : trip;
  };
  for (size_t i = 0; i < sliced; ++i)
    bind(call.takes[1 + carried + i], sliceOf(operands.sliced[i], placeOf(i)));
  const BufferList stacked = operands.stacked();
  for (size_t i = 0; i < stacked.size(); ++i)
    bind(call.gives[going + carried + i],
         sliceOf(stacked[i], placeOf(sliced + i)));
  Value *isOdd =
      code.CreateTrunc(code.CreateSub(limit, trip), code.getInt1Ty());
  for (size_t i = 0; i < carried; ++i)
    if (!isInPlace(steps, operands, call, i))
      bind(call.gives[going + i],
           code.CreateSelect(isOdd, others.address(operands.values[i]),
                             others.address(operands.next[i])));
}

/// Makes what a trip gave the values before the next one.
void EntryCalls::endCarried(const LoopOperands &operands,
                            const StepCall &call) {
  for (size_t i = 0; i < operands.carried(); ++i)
    bind(call.takes[1 + i], portAddress(call.gives[operands.going.size() + i]));
}

/// Ends the run if another trip follows the last one that sizes permit.
void EntryCalls::checkEnd(const Step &step, Value *limit) {
  const LoopOperands operands(step);
  Value *trip =
      code.CreateLoad(code.getInt64Ty(), others.address(operands.trip[0]));
  Value *isWrong = code.CreateICmpEQ(trip, limit);
  auto require = [&](Value *isTrue) {
    isWrong = code.CreateAnd(isWrong, isTrue);
  };
  if (!operands.going.empty())
    require(
        code.CreateOr(code.CreateIsNull(trip), loadFlag(operands.going[0])));
  if (!operands.condition.empty())
    require(loadFlag(operands.condition[0]));
  if (!operands.trips.empty())
    require(code.CreateICmpSGT(
        code.CreateLoad(code.getInt64Ty(), others.address(operands.trips[0])),
        limit));
  others.failIf(isWrong);
}

void EntryCalls::emitLoop(const Step &step) {
  const LoopOperands operands(step);
  const StepCall &call = step.calls[0];
  Value *limit = tripLimit(step);
  beginCarried(operands, call);
  bind(call.takes[0], others.address(operands.trip[0]));
  if (!operands.going.empty())
    bind(call.gives[0], others.address(operands.going[0]));
  const size_t captures = 1 + operands.carried() + operands.sliced.size();
  for (size_t i = 0; i < operands.captured.size(); ++i)
    bind(call.takes[captures + i], others.address(operands.captured[i]));

  Type *integer = code.getInt64Ty();
  code.CreateStore(code.integer(0), others.address(operands.trip[0]));
  BasicBlock *test = block("loop"), *body = block("trip"), *end = block("done");
  code.CreateBr(test);
  code.SetInsertPoint(test);
  Value *trip = code.CreateLoad(integer, others.address(operands.trip[0]));
  code.CreateCondBr(code.CreateICmpSLT(trip, limit), body, end);
  code.SetInsertPoint(body);
  bindTrip(step, limit, trip);
  others.steps(call.first, call.count);
  endCarried(operands, call);
  code.CreateStore(code.CreateAdd(trip, code.integer(1)),
                   others.address(operands.trip[0]));
  if (operands.going.empty())
    code.CreateBr(test);
  else
    code.CreateCondBr(loadFlag(operands.going[0]), test, end);
  code.SetInsertPoint(end);
  if (isChecked(step))
    checkEnd(step, limit);
  for (size_t i = 0; i < operands.carried(); ++i)
    copyUnlessSame(operands.values[i], portAddress(call.takes[1 + i]));
  code.CreateStore(code.CreateLoad(integer, others.address(operands.trip[0])),
                   others.address(operands.done()));
}
