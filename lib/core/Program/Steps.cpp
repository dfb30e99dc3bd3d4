//===- Steps.cpp - checks of a program that is a list of instructions -----===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Steps.h"
#include "glow/Program/KernelRegistry.h"

using namespace glow;

template <typename Kind>
static const TensorType *typeAt(const std::vector<Kind> &list, size_t index) {
  return index < list.size() ? &list[index].type : nullptr;
}

/// The type of the storage that `buffer` stands for; null if there is none.
static const TensorType *storageType(const Program &program,
                                     const BufferPlace &buffer) {
  switch (buffer.where) {
  case BufferPlace::Constant:
    return typeAt(program.constants, buffer.index);
  case BufferPlace::Input:
    return typeAt(program.inputs, buffer.index);
  case BufferPlace::Output:
    return typeAt(program.outputs, buffer.index);
  case BufferPlace::Arena:
    break;
  }
  return nullptr;
}

static Status checkBuffer(const Program &program, const BufferPlace &buffer) {
  auto fail = [&](const auto &...what) {
    return failure(Code::InvalidArgument, "buffer '", buffer.name, "' ",
                   what...);
  };
  if (!buffer.type.isStatic())
    return fail("has the type ", buffer.type.text(),
                ", whose size is not known");
  uint64_t bytes = buffer.type.bytes();
  if (buffer.offset % byteSize(buffer.type.kind) != 0)
    return fail("starts at byte ", buffer.offset,
                ", which is no multiple of its element's size");
  if (buffer.where == BufferPlace::Arena) {
    uint64_t arena = program.arenaBytes;
    if (bytes > arena || buffer.offset > arena - bytes)
      return fail("ends at byte ", buffer.offset, " + ", bytes,
                  " of an arena of ", arena, " bytes");
    return Status();
  }
  const TensorType *storage = storageType(program, buffer);
  if (!storage)
    return fail("has index ", buffer.index,
                ", which is past the last of its storage");
  if (!storage->isStatic() || storage->bytes() < bytes ||
      buffer.offset > storage->bytes() - bytes ||
      byteSize(storage->kind) != byteSize(buffer.type.kind))
    return fail("has the type ", buffer.type.text(), " from byte ",
                buffer.offset, " on, its storage is ", storage->text());
  return Status();
}

static Status checkStep(const StepCode &code, const Step &step) {
  auto fail = [&](const auto &...what) {
    return failure(Code::InvalidArgument, "node '", step.node,
                   "': instruction '", step.instruction, "' ", what...);
  };
  for (uint32_t buffer : step.buffers)
    if (buffer >= code.buffers.size())
      return fail("names buffer ", buffer, " of ", code.buffers.size());
  uint64_t sum = 0;
  for (int32_t count : step.segments) {
    if (count < 0)
      return fail("has a segment of ", count, " buffers");
    sum += uint64_t(count);
  }
  if (sum != step.buffers.size())
    return fail("has ", step.buffers.size(), " buffers, its segments have ",
                sum);
  Status status = KernelRegistry::instance().check(
      step.instruction, {{}, step.segments, step.attributes});
  return status.ok() ? status : fail(status.message());
}

Status glow::checkSteps(const Program &program) {
  const auto *code = dynamic_cast<const StepCode *>(program.code.get());
  if (!code)
    return failure(Code::InvalidArgument, "program '", program.entry,
                   "' has no steps");
  for (const Constant &constant : program.constants)
    if (!constant.data && constant.type.bytes() != 0)
      return failure(Code::InvalidArgument, "constant '", constant.name,
                     "' has no data");
  for (const BufferPlace &buffer : code->buffers)
    if (Status status = checkBuffer(program, buffer); !status.ok())
      return status;
  for (const Step &step : code->steps)
    if (Status status = checkStep(*code, step); !status.ok())
      return status;
  return Status();
}
