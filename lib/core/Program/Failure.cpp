//===- Failure.cpp - failures in rare code --------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Failure.h"

using namespace glow;

Status glow::failureOf(Code code,
                       std::initializer_list<std::string_view> parts) {
  std::string message;
  for (std::string_view part : parts)
    message += part;
  return Status(code, std::move(message));
}
