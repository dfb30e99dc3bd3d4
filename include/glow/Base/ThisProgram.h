//===- ThisProgram.h - the file that this process runs ----------*- C++ -*-===//

#ifndef GLOW_BASE_THISPROGRAM_H
#define GLOW_BASE_THISPROGRAM_H

#include <string>

namespace glow {

/// The path of the program's file, by the system's link to it. Without /proc,
/// as in some containers, by the name that the process was started by; "" where
/// that leads to no file.
const std::string &thisProgram();

/// For the end of a message about a file that was looked for beside the
/// program: "" where its place is known.
std::string whyNoProgram();

} // namespace glow

#endif // GLOW_BASE_THISPROGRAM_H
