//===- Key.h - keys of functions that steps share -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A function that several steps may call has a key: the text of all properties
// that determine its code.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_KEY_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_KEY_H

#include "llvm/Support/raw_ostream.h"
#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

namespace glow::cpu {

/// Appends a property, behind a dot.
template <std::integral T> void addToKey(llvm::raw_ostream &os, T property) {
  os << "." << int64_t(property);
}
template <typename T>
  requires std::is_enum_v<T>
void addToKey(llvm::raw_ostream &os, T property) {
  addToKey(os, int64_t(property));
}
inline void addToKey(llvm::raw_ostream &os,
                     const std::vector<std::pair<int64_t, int64_t>> &ranges) {
  for (auto [from, to] : ranges)
    os << "." << from << "-" << to;
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_KEY_H
