//===- MemorySize.h - amounts of memory, for people -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_MEMORYSIZE_H
#define GLOW_BASE_MEMORYSIZE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glow {

/// "17 bytes", "1.5 GiB".
std::string sizeText(uint64_t bytes);

/// Parses "1048576", "64k", "1.5G" or "2GiB": a number, optionally followed by
/// k, M, G or T, with or without iB, which are powers of 1024. Only a number
/// with such a unit may have a fraction. Nothing for any other text such as
/// "1e9", for less than a byte, and for more than 63 bits.
std::optional<uint64_t> parseSize(std::string_view text);

/// The default memory limit of a model: three quarters of the memory of this
/// machine, which other processes need too, but at most 64 GiB.
uint64_t defaultMemoryLimit();

} // namespace glow

#endif // GLOW_BASE_MEMORYSIZE_H
