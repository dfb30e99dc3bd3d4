//===- StepConstants.cpp - constants of a loaded program ------------------===//
// SPDX-License-Identifier: MIT

#include "StepConstants.h"
#include "glow/Base/MappedFiles.h"
#include "glow/Values/Tensor.h"

using namespace glow;

/// The address of a constant's elements, which stays valid as long as `owner`
/// lives. A constant without an owner, or misaligned, is copied.
static Result<const void *> keepConstant(const Constant &constant,
                                         std::shared_ptr<const void> &owner) {
  // A mapped model file may have a tensor at any byte offset.
  auto address = reinterpret_cast<uintptr_t>(constant.data);
  bool aligned = address % byteSize(constant.type.kind) == 0;
  if ((constant.owner && aligned) || constant.type.bytes() == 0) {
    owner = constant.owner;
    return constant.data;
  }
  Result<Tensor> copy = Tensor::copyOf(
      {const_cast<void *>(constant.data), &constant.type}); // only read
  if (!copy)
    return copy.status().prefixed("constant '" + constant.name + "': ");
  auto kept = std::make_shared<Tensor>(copy.take());
  owner = kept;
  return kept->data();
}

Status glow::keepConstants(const Program &program,
                           std::vector<const void *> &constants,
                           std::vector<std::shared_ptr<const void>> &owners) {
  owners.resize(program.constants.size());
  for (size_t i = 0; i < owners.size(); ++i) {
    Result<const void *> data = keepConstant(program.constants[i], owners[i]);
    if (!data)
      return data.status();
    constants.push_back(*data);
  }
  return Status();
}

std::vector<const void *>
glow::filesOf(const std::vector<Constant> &constants) {
  std::vector<const void *> places;
  for (const Constant &constant : constants)
    places.push_back(constant.data);
  return MappedFiles::instance().holding(places);
}
