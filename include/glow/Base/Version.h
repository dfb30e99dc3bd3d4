//===- Version.h - version of Glow ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_VERSION_H
#define GLOW_BASE_VERSION_H

#include <string_view>

namespace glow {

/// Version as three numbers, "1.2.3"; docs/Versions.md defines their promises.
std::string_view version();

} // namespace glow

#endif // GLOW_BASE_VERSION_H
