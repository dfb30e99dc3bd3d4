//===- Status.cpp - success, or an error with its code --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Status.h"

using namespace glow;

std::string_view glow::name(Code code) {
  switch (code) {
  case Code::Ok:
    return "ok";
  case Code::InvalidArgument:
    return "invalid argument";
  case Code::ShapeMismatch:
    return "shape mismatch";
  case Code::NotFound:
    return "not found";
  case Code::OutOfMemory:
    return "out of memory";
  case Code::Unsupported:
    return "unsupported";
  case Code::Internal:
    return "internal error";
  case Code::DeviceLost:
    return "device lost";
  case Code::WrongTarget:
    return "wrong target";
  case Code::InStages:
    return "in stages";
  case Code::Reported:
    return "reported";
  case Code::Overloaded:
    return "overloaded";
  case Code::Deadline:
    return "deadline passed";
  case Code::Cancelled:
    return "cancelled";
  case Code::Poison:
    return "poison";
  }
  return "unknown";
}

Status Status::prefixed(std::string_view where) const {
  if (ok())
    return *this;
  return Status(theCode, std::string(where) + theMessage);
}
