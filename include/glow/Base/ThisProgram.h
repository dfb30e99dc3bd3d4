//===- ThisProgram.h - path of the running executable -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_THISPROGRAM_H
#define GLOW_BASE_THISPROGRAM_H

#include <string>

namespace glow {

/// Path of the running executable, from the link in /proc. Without /proc, as in
/// some containers, it is the name that started the process; "" if no file has
/// that name.
const std::string &thisProgram();

/// Text for the end of a message about a file that was expected beside the
/// program. "" if the path of the program is known.
std::string whyNoProgram();

} // namespace glow

#endif // GLOW_BASE_THISPROGRAM_H
