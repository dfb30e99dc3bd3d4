//===- Program.cpp - a compiled model -------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Program.h"
#include <cstring>

using namespace glow;

bool Constant::sameAs(TensorView tensor) const {
  // A tensor of no bytes may have a null pointer.
  return tensor.type && *tensor.type == type &&
         (type.bytes() == 0 || !std::memcmp(data, tensor.data, type.bytes()));
}

uint64_t Program::constantBytes() const {
  uint64_t bytes = 0;
  for (const Constant &constant : constants)
    bytes += constant.type.bytes();
  return bytes;
}
