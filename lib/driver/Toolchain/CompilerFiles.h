//===- CompilerFiles.h - files of the compiler's code -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOOLCHAIN_COMPILERFILES_H
#define GLOW_LIB_TOOLCHAIN_COMPILERFILES_H

#include "glow/Cache/FileBytes.h"
#include <vector>

namespace glow {

/// The files of the code that makes programs, in the order of their paths: the
/// one that has the compiler, those that link it, such as plug-ins, and the
/// libraries of all. Other files of the process, such as the modules of a
/// Python program, make no difference to a program.
std::vector<FileState> filesOfCompiler();

/// Whether no code of the compiler, such as a backend, was loaded since it was.
bool isAsStarted();

} // namespace glow

#endif // GLOW_LIB_TOOLCHAIN_COMPILERFILES_H
