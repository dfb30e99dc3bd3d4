//===- Guard.cpp - shared parts of glow.h's functions ---------------------===//
// SPDX-License-Identifier: MIT

#include "Guard.h"
#include <algorithm>
#include <cstring>

using namespace glow;

glow_status capi::statusOf(Code code) {
  switch (code) {
  case Code::Ok:
    return GLOW_OK;
  case Code::InvalidArgument:
  case Code::Reported:
  case Code::WrongTarget:
    return GLOW_INVALID_ARGUMENT;
  case Code::ShapeMismatch:
    return GLOW_SHAPE_MISMATCH;
  case Code::NotFound:
    return GLOW_NOT_FOUND;
  case Code::OutOfMemory:
    return GLOW_OUT_OF_MEMORY;
  case Code::Unsupported:
  case Code::InStages:
    return GLOW_UNSUPPORTED;
  case Code::Internal:
    break;
  case Code::DeviceLost:
    return GLOW_DEVICE_LOST;
  case Code::Overloaded:
    return GLOW_OVERLOADED;
  case Code::Deadline:
    return GLOW_DEADLINE;
  case Code::Cancelled:
    return GLOW_CANCELLED;
  case Code::Poison:
    return GLOW_POISON;
  }
  return GLOW_INTERNAL;
}

glow_status capi::keep(const Status &status, const std::string &reasons) {
  if (status.ok()) {
    lastMessage.clear();
    return GLOW_OK;
  }
  std::string message = status.message();
  if (!reasons.empty())
    message += ":\n" + reasons.substr(0, reasons.size() - 1);
  message = MemoryFile::withNames(message);
  // The log may call functions, which have messages of their own.
  logText(LogLevel::Error, message);
  lastMessage = std::move(message);
  return statusOf(status.code());
}

capi::Infos::Infos(const std::vector<Binding> &given) : bindings(given) {
  for (Binding &binding : bindings) {
    for (size_t i = 0; i < binding.lengths.size(); ++i)
      if (!binding.lengths[i].isFixed())
        binding.type.shape[i] = -1;
    std::vector<const char *> &of = names.emplace_back();
    if (std::ranges::any_of(binding.dimensions,
                            [](const auto &name) { return !name.empty(); }))
      for (const std::string &name : binding.dimensions)
        of.push_back(name.c_str());
  }
}

Status capi::Infos::at(size_t index, glow_tensor_info *info) const {
  if (Status status = checkPointers({info}); !status.ok())
    return status;
  if (index >= bindings.size())
    return failure(Code::NotFound, "there are ", bindings.size(),
                   " of them, none has number ", index);
  const Binding &binding = bindings[index];
  *info = {binding.name.c_str(),
           kindOf(binding),
           binding.type.shape.size(),
           binding.type.shape.data(),
           names[index].empty() ? nullptr : names[index].data(),
           binding.other.empty() ? size_t(binding.type.bytes()) : 0};
  return Status();
}

glow_status capi::failedBy(const std::exception &error) noexcept {
  try {
    lastMessage = error.what();
  } catch (const std::bad_alloc &) {
    lastMessage = "out of memory";
  }
  return GLOW_INTERNAL;
}

Status capi::checkPointers(std::initializer_list<const void *> pointers) {
  for (const void *pointer : pointers)
    if (!pointer)
      return failure(Code::InvalidArgument,
                     "an argument is null, it should point to something");
  return Status();
}

Status capi::describe(const std::string &name, const Tensor &tensor,
                      glow_tensor_info *info, const void **data) {
  if (Status status = checkPointers({info, data}); !status.ok())
    return status;
  const TensorType &type = tensor.type();
  *info = {name.c_str(),      glow_kind(type.kind),
           type.shape.size(), type.shape.data(),
           nullptr,           size_t(type.bytes())};
  *data = tensor.data();
  return Status();
}

Status capi::noOutput(size_t count, size_t index) {
  return failure(Code::NotFound, "there are ", count,
                 " outputs, none has number ", index);
}

glow_kind capi::kindOf(const Binding &binding) {
  if (binding.other.empty())
    return glow_kind(binding.type.kind);
  for (auto [other, kind] : {std::pair("strings", GLOW_STRING),
                             {"a sequence", GLOW_SEQUENCE},
                             {"a map", GLOW_MAP}})
    if (binding.other == other)
      return kind;
  return GLOW_OPTIONAL;
}

Result<TensorType> capi::typeOf(const glow_tensor &tensor) {
  int kind; // which C may give any value
  std::memcpy(&kind, &tensor.kind, sizeof kind);
  if (kind >= GLOW_STRING && kind <= GLOW_OPTIONAL)
    return failure(Code::InvalidArgument, "kind ", kind,
                   " has no elements of bytes; a glow_value has such");
  if (kind < 0 || kind > GLOW_F6E3M2FN)
    return failure(Code::InvalidArgument, "kind ", kind, " is none");
  if (tensor.rank)
    if (Status status = checkPointers({tensor.shape}); !status.ok())
      return status;
  return TensorType{ElementKind(kind),
                    Ints(tensor.shape, tensor.shape + tensor.rank)};
}

Result<Tensor> capi::copyOf(const TensorType &type, const void *data) {
  if (!type.isStatic())
    return failure(Code::InvalidArgument, "a tensor is ", type.text(),
                   ", which has no size in bytes");
  if (type.bytes())
    if (Status status = checkPointers({data}); !status.ok())
      return status;
  return Tensor::copyOf({const_cast<void *>(data), &type});
}
