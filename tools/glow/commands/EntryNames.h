//===- EntryNames.h - names of functions in a bundle ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_COMMANDS_ENTRYNAMES_H
#define GLOW_TOOLS_GLOW_COMMANDS_ENTRYNAMES_H

#include <string>

namespace glow::tool {

/// Whether a name may be that of a function in C and in C++.
bool isIdentifier(const std::string &name);

/// The name of a file without its ending, as a name of C.
std::string identifierOf(const std::string &path);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_COMMANDS_ENTRYNAMES_H
