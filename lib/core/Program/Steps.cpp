//===- Steps.cpp - checks of a program that is a list of instructions -----===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Steps.h"
#include "Calls.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Program/SizeValues.h"
#include <algorithm>
#include <map>
#include <set>

using namespace glow;

template <typename Kind>
static const TensorType *typeAt(const std::vector<Kind> &list, size_t index) {
  return index < list.size() ? &list[index].type : nullptr;
}

/// The type of the storage that `buffer` stands for; null if there is none.
static const TensorType *storageType(const Program &program,
                                     const StepCode &code,
                                     const BufferPlace &buffer) {
  switch (buffer.where) {
  case BufferPlace::Constant:
    return typeAt(program.constants, buffer.index);
  case BufferPlace::Input:
    return typeAt(program.inputs, buffer.index);
  case BufferPlace::Output:
    return typeAt(program.outputs, buffer.index);
  case BufferPlace::Port:
    return typeAt(code.ports, buffer.index);
  case BufferPlace::Arena:
    break;
  }
  return nullptr;
}

static Status checkBuffer(const Program &program, const StepCode &code,
                          const BufferPlace &buffer) {
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
  const TensorType *storage = storageType(program, code, buffer);
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

namespace {

/// Checks lengths, so that no size of a run is larger than its extent.
class LengthCheck {
public:
  /// Whether each length is within its extent; true without lengths.
  bool fits(const std::vector<Length> &lengths, const Ints &extents) {
    if (lengths.empty())
      return true;
    if (lengths.size() != extents.size())
      return false;
    for (size_t i = 0; i < lengths.size(); ++i) {
      const LengthRange range = lengths[i].range();
      if (range.low < 0 || range.high > extents[i] || !isConsistent(lengths[i]))
        return false;
    }
    return true;
  }

  /// The first variable that is no dimension of an input, and that no step
  /// computes; null if there is none. A run does not know its value.
  const SizeVariable *unknown(const std::vector<Binding> &inputs,
                              const StepCode &code) const {
    std::set<std::string_view> known;
    for (const Step &step : code.steps)
      if (step.lengthFrom && step.lengthFrom->length.variable())
        known.insert(step.lengthFrom->length.variable()->name);
    for (const Binding &input : inputs)
      for (const Length &length : input.lengths)
        if (const SizeVariable *variable = length.variable())
          known.insert(variable->name);
    for (const auto &[name, variable] : variables)
      if (!known.contains(name))
        return &variable;
    return nullptr;
  }

  /// Whether each variable has one range in the whole program.
  bool isConsistent(const Length &length) {
    bool isOne = true;
    length.visitVariables([&](const SizeVariable &variable) {
      auto [known, isNew] = variables.try_emplace(variable.name, variable);
      isOne &= isNew || known->second == variable;
    });
    return isOne;
  }

private:
  std::map<std::string, SizeVariable> variables;
};

} // namespace

static Status checkLengths(const Program &program, const StepCode &code) {
  LengthCheck check;
  for (const auto *list : {&program.inputs, &program.outputs})
    for (const Binding &binding : *list)
      if (!check.fits(binding.lengths, binding.type.shape))
        return failure(Code::InvalidArgument, "'", binding.name, "' ",
                       binding.type.text(), " has the sizes ",
                       lengthsText(binding.lengths), ", which do not fit");
  for (const BufferPlace &buffer : code.buffers)
    if (!check.fits(buffer.lengths, buffer.type.shape))
      return failure(Code::InvalidArgument, "buffer '", buffer.name, "' ",
                     buffer.type.text(), " has the sizes ",
                     lengthsText(buffer.lengths), ", which do not fit");
  for (const StepPort &port : code.ports)
    if (!port.type.isStatic() || !check.fits(port.lengths, port.type.shape))
      return failure(Code::InvalidArgument, "a port ", port.type.text(),
                     " has the sizes ", lengthsText(port.lengths),
                     ", which do not fit");
  for (const SizeCondition &condition : program.conditions)
    if (!check.isConsistent(condition.left) ||
        !check.isConsistent(condition.right))
      return failure(Code::InvalidArgument, "the condition ", condition.text(),
                     " has a size of another range");
  for (const Step &step : code.steps)
    for (const LengthList &list : step.lists) {
      bool isRight =
          list.attribute < step.attributes.size() &&
          std::holds_alternative<Ints>(step.attributes[list.attribute]);
      for (const Length &length : list.lengths)
        isRight = isRight && check.isConsistent(length);
      if (!isRight)
        return failure(Code::InvalidArgument, "node '", step.node,
                       "': attribute ", list.attribute, " has the sizes ",
                       lengthsText(list.lengths), ", which do not fit");
    }
  if (const SizeVariable *variable = check.unknown(program.inputs, code))
    return failure(Code::InvalidArgument, "the size ", variable->text(),
                   " is no dimension of an input");
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
  if (!step.calls.empty())
    return Status();
  Status status = KernelRegistry::instance().check(
      step.instruction, {{}, step.segments, step.attributes});
  return status.ok() ? status : fail(status.message());
}

namespace {

/// Checks the steps that compute sizes, one after the other.
class ComputedCheck {
public:
  ComputedCheck(const Program &program, const StepCode &code) : code(code) {
    for (const Binding &input : program.inputs)
      for (const Length &length : input.lengths)
        length.visitVariables(
            [&](const SizeVariable &one) { given.push_back(one.name); });
    for (const Step &step : code.steps)
      if (step.lengthFrom && step.lengthFrom->length.variable())
        later.push_back(step.lengthFrom->length.variable()->name);
  }

  Status check(const Step &step) {
    Status status = step.lengthFrom ? take(step) : Status();
    for (uint32_t buffer : step.buffers)
      checkGiven(step, code.buffers[buffer].lengths, status);
    for (const LengthList &list : step.lists)
      checkGiven(step, list.lengths, status);
    return status;
  }

private:
  using Names = std::vector<std::string>;
  static bool has(const Names &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  /// Takes the size that a step computes.
  Status take(const Step &step) {
    const auto &[operand, length] = *step.lengthFrom;
    const SizeVariable *variable = length.variable();
    const bool isNumber = operand < step.buffers.size() &&
                          code.buffers[step.buffers[operand]].type ==
                              TensorType{ElementKind::I64, {}};
    if (!isNumber || (!variable && !length.isFixed()) ||
        (variable && has(given, variable->name)))
      return failure(Code::InvalidArgument, "node '", step.node,
                     "' does not compute the size ", length.text());
    if (variable)
      given.push_back(variable->name);
    return Status();
  }

  void checkGiven(const Step &step, const std::vector<Length> &lengths,
                  Status &status) const {
    for (const Length &length : lengths)
      length.visitVariables([&](const SizeVariable &one) {
        if (status.ok() && has(later, one.name) && !has(given, one.name))
          status =
              failure(Code::InvalidArgument, "node '", step.node,
                      "' has the size ", one.name, ", which is computed later");
      });
  }

  const StepCode &code;
  Names given, later; ///< `later` has all sizes that steps compute
};

} // namespace

bool glow::computesLengths(const StepCode &code) {
  return std::any_of(
      code.steps.begin(), code.steps.end(), [](const Step &step) {
        return step.lengthFrom && step.lengthFrom->length.variable();
      });
}

bool glow::isOpen(const Program &program, const StepCode &code) {
  return hasLengths(program.inputs) || computesLengths(code);
}

bool glow::isOpen(const StepCode &code, const Step &step) {
  return !step.lists.empty() ||
         std::any_of(step.buffers.begin(), step.buffers.end(),
                     [&](uint32_t buffer) {
                       return !code.buffers[buffer].lengths.empty();
                     });
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
    if (Status status = checkBuffer(program, *code, buffer); !status.ok())
      return status;
  if (Status status = checkLengths(program, *code); !status.ok())
    return status;
  ComputedCheck computed(program, *code);
  for (const Step &step : code->steps) {
    Status status = checkStep(*code, step);
    if (status.ok())
      status = computed.check(step);
    if (!status.ok())
      return status;
  }
  return checkCalls(*code);
}
