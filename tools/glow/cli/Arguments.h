//===- Arguments.h - the command line before it is parsed -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_CLI_ARGUMENTS_H
#define GLOW_TOOLS_GLOW_CLI_ARGUMENTS_H

#include "Tool.h"

namespace glow::tool {

/// Parses what main was given. The values of `--random`, `--json` and
/// `--cache-dir=` may be left out, but are not the next word, which may be the
/// model: only of `--json` they are, where it is `-` or ends in `.json`. No
/// option has a flag as its value. Throws CLI::Error.
void parse(CLI::App &glow, int count, char **arguments);

/// Adds --load-backend, --load-pass-plugin, --passes and --quiet, which may
/// stand after the command too.
void addLoadOption(CLI::App &glow);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_CLI_ARGUMENTS_H
