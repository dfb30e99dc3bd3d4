//===- Flatten.h - linking an object file into one block ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_FLATTEN_H
#define GLOW_BACKENDS_CPU_COMPILE_FLATTEN_H

#include "device/FlatImage.h"
#include <optional>

namespace glow::cpu {

/// Links an object file of x86-64 as this backend makes them. Nothing for one
/// of another processor, or that has data which a run changes.
std::optional<FlatCode> flatten(const std::string &object);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_FLATTEN_H
