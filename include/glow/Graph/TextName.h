//===- TextName.h - names in text -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_TEXTNAME_H
#define GLOW_GRAPH_TEXTNAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace glow {

/// Turns a name into one that the parser reads back unchanged: only digits, or
/// letters, digits and `_$.-` without a leading digit. Any other character
/// becomes `_`.
std::string textName(llvm::StringRef name);

} // namespace glow

#endif // GLOW_GRAPH_TEXTNAME_H
