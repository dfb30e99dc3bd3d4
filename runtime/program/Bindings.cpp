//===- Bindings.cpp - tensors against the names and types of a program ----===//
// SPDX-License-Identifier: MIT
//
// Checks of tensors in the order of the program, the only form that devices
// take, and the order of named tensors, for users.
//
//===----------------------------------------------------------------------===//

#include "glow/Program/SizeValues.h"
#include "glow/Runtime/Host.h"
#include <algorithm>

using namespace glow;

static Status checkAll(const char *what, const std::vector<Binding> &bindings,
                       const std::vector<TensorView> &tensors,
                       const std::vector<DeviceBuffer *> &buffers,
                       const SizeValues &sizes) {
  if (tensors.size() != bindings.size())
    return failure(Code::ShapeMismatch, "a run has ", tensors.size(), " ", what,
                   "s, the program has ", bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Binding &binding = bindings[i];
    // A copy of a type takes memory: only a binding with lengths needs one.
    TensorType open;
    if (!binding.lengths.empty())
      open = sizes.typeOf(binding.type, binding.lengths);
    const TensorType &type = binding.lengths.empty() ? binding.type : open;
    if (!tensors[i].type || *tensors[i].type != type)
      return failure(Code::ShapeMismatch, what, " '", binding.name, "' is ",
                     tensors[i].type ? tensors[i].type->text() : "untyped",
                     ", the program has ", type.text());
    const uint64_t bytes = type.bytes();
    const DeviceBuffer *buffer = i < buffers.size() ? buffers[i] : nullptr;
    if (buffer ? buffer->bytes() < bytes : !tensors[i].data && bytes != 0)
      return failure(Code::ShapeMismatch, what, " '", binding.name,
                     "' has no memory");
  }
  return Status();
}

Status glow::checkTensors(const std::vector<Binding> &inputs,
                          const std::vector<Binding> &outputs,
                          const Tensors &tensors, SizeValues *given) {
  SizeValues own;
  SizeValues &sizes = given ? *given : own;
  Status status = sizes.bind(inputs, tensors.inputs);
  if (status.ok())
    status =
        checkAll("input", inputs, tensors.inputs, tensors.inputBuffers, sizes);
  return status.ok() ? checkAll("output", outputs, tensors.outputs,
                                tensors.outputBuffers, sizes)
                     : status;
}

static std::string namesOf(const std::vector<Binding> &bindings) {
  std::string names;
  for (const Binding &binding : bindings)
    names += (names.empty() ? "'" : ", '") + binding.name + "'";
  return names.empty() ? "none" : names;
}

static Status checkNames(const std::vector<Binding> &bindings,
                         std::span<const NamedTensor> tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string &name = tensors[i].name;
    auto isNamed = [&](const auto &other) { return other.name == name; };
    if (std::none_of(bindings.begin(), bindings.end(), isNamed))
      return failure(Code::NotFound, "the model has no input named '", name,
                     "'; its inputs are ", namesOf(bindings));
    auto earlier = tensors.first(i);
    if (std::any_of(earlier.begin(), earlier.end(), isNamed))
      return failure(Code::InvalidArgument, "input '", name,
                     "' is given twice");
  }
  return Status();
}

Result<std::vector<TensorView>>
glow::bindInputs(const std::vector<Binding> &bindings,
                 std::span<const NamedTensor> tensors) {
  if (Status status = checkNames(bindings, tensors); !status.ok())
    return status;
  std::vector<TensorView> views;
  for (const Binding &binding : bindings) {
    auto given = std::find_if(
        tensors.begin(), tensors.end(),
        [&](const NamedTensor &tensor) { return tensor.name == binding.name; });
    if (given == tensors.end())
      return failure(Code::NotFound, "input '", binding.name,
                     "' is not given; it should be ", binding.type.text());
    views.push_back(given->tensor.view());
  }
  return views;
}
