//===- Guard.cpp - what the functions of glow.h share ---------------------===//

#include "Guard.h"

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
  case Code::DeviceLost:
  case Code::Overloaded:
  case Code::Deadline:
  case Code::Cancelled:
  case Code::Poison:
    break;
  }
  return GLOW_INTERNAL;
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
