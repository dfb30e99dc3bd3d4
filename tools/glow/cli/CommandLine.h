//===- CommandLine.h - arguments of this process, and notes -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_CLI_COMMANDLINE_H
#define GLOW_TOOLS_GLOW_CLI_COMMANDLINE_H

#include <cstdio>
#include <string>

namespace glow::tool {

/// The arguments of this process, as main was given them; null until it says.
char **&commandLine();

/// Prints "glow: note: ..." as one line to stderr, unless the user wants none.
void note(const std::string &text);
/// Keeps notes until `releaseNotes`: what becomes another program prints them
/// there.
void holdNotes();
void releaseNotes();
/// No notes, and no progress, from here on.
void beQuiet();
bool isQuiet();

/// `text` in a colour where that is a terminal and the user has not set
/// NO_COLOR, else as it is.
enum class Colour { Red = 31, Green = 32, Cyan = 36 };
std::string coloured(std::FILE *where, Colour colour, const std::string &text);

/// A word as a shell takes it whole.
std::string quotedForShell(const std::string &word);

/// The command line, for a shell: "glow run model.onnx --random".
std::string commandText();

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_CLI_COMMANDLINE_H
