//===- Serial.cpp - programs as bytes -------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Serial.h"

using namespace glow;

static_assert(std::endian::native == std::endian::little,
              "numbers are written as they lie in memory");

static constexpr uint64_t alignment = 64;

ProgramLengths glow::lengthsOf(const Program &program, const StepCode &code) {
  ProgramLengths lengths;
  for (const Binding &input : program.inputs)
    lengths.inputs.push_back(input.lengths);
  for (const Binding &output : program.outputs)
    lengths.outputs.push_back(output.lengths);
  for (const BufferPlace &buffer : code.buffers)
    lengths.buffers.push_back(buffer.lengths);
  for (const Step &step : code.steps) {
    lengths.lists.push_back(step.lists);
    std::vector<LengthFrom> &from = lengths.from.emplace_back();
    if (step.lengthFrom)
      from.push_back(*step.lengthFrom);
  }
  lengths.conditions = program.conditions;
  return lengths;
}

bool glow::setLengths(const ProgramLengths &lengths, Program &program,
                      StepCode &code) {
  if (lengths.inputs.size() != program.inputs.size() ||
      lengths.outputs.size() != program.outputs.size() ||
      lengths.buffers.size() != code.buffers.size() ||
      lengths.lists.size() != code.steps.size() ||
      lengths.from.size() != code.steps.size())
    return false;
  for (size_t i = 0; i < lengths.inputs.size(); ++i)
    program.inputs[i].lengths = lengths.inputs[i];
  for (size_t i = 0; i < lengths.outputs.size(); ++i)
    program.outputs[i].lengths = lengths.outputs[i];
  for (size_t i = 0; i < lengths.buffers.size(); ++i)
    code.buffers[i].lengths = lengths.buffers[i];
  for (size_t i = 0; i < lengths.lists.size(); ++i) {
    code.steps[i].lists = lengths.lists[i];
    if (!lengths.from[i].empty())
      code.steps[i].lengthFrom = lengths.from[i].front();
  }
  program.conditions = lengths.conditions;
  return true;
}

ProgramCalls glow::callsOf(const StepCode &code) {
  ProgramCalls calls;
  for (const Step &step : code.steps)
    calls.calls.push_back(step.calls);
  calls.ports = code.ports;
  return calls;
}

bool glow::setCalls(const ProgramCalls &calls, StepCode &code) {
  if (calls.calls.size() != code.steps.size())
    return false;
  for (size_t i = 0; i < code.steps.size(); ++i)
    code.steps[i].calls = calls.calls[i];
  code.ports = calls.ports;
  return true;
}

static uint64_t paddedBytes(const Constant &constant) {
  return (constant.type.bytes() + alignment - 1) / alignment * alignment;
}

bool glow::isLarge(const Constant &constant) {
  return constant.type.bytes() >= largeConstant;
}

/// Whether a block of this kind has the constant.
static bool has(BlockOf kept, const Constant &constant) {
  return kept == BlockOf::All || !isLarge(constant);
}

std::optional<uint64_t> glow::blockBytes(const Program &program, BlockOf kept) {
  uint64_t bytes = 0;
  for (const Constant &constant : program.constants) {
    if (!constant.type.isStatic())
      return std::nullopt;
    if (has(kept, constant))
      bytes += paddedBytes(constant);
    if (bytes >> 63)
      return std::nullopt;
  }
  return bytes;
}

void glow::writeBlock(const Program &program,
                      const std::function<void(std::string_view)> &append,
                      BlockOf kept) {
  static constexpr char zeros[alignment] = {};
  for (const Constant &constant : program.constants) {
    if (!has(kept, constant))
      continue;
    uint64_t bytes = constant.type.bytes();
    append({static_cast<const char *>(constant.data), size_t(bytes)});
    append({zeros, size_t(paddedBytes(constant) - bytes)});
  }
}

bool glow::bindBlock(Program &program, const StoredProgram &stored) {
  std::optional<uint64_t> bytes = blockBytes(program, stored.kept);
  if (!bytes || *bytes > stored.constants.size())
    return false;
  const char *place = stored.constants.data();
  auto large = stored.large.begin();
  for (Constant &constant : program.constants) {
    if (has(stored.kept, constant)) {
      constant.data = place;
      constant.owner = stored.owner;
      place += paddedBytes(constant);
      continue;
    }
    if (large == stored.large.end() ||
        large->bytes.size() != constant.type.bytes())
      return false;
    constant.data = large->bytes.data();
    constant.owner = large->owner;
    ++large;
  }
  return true;
}
