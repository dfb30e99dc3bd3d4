//===- Plugins.h - loading of plug-ins --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_CLI_PLUGINS_H
#define GLOW_TOOLS_GLOW_CLI_PLUGINS_H

#include "glow/Base/Status.h"
#include <string>

namespace glow::tool {

/// Loads a plug-in, before anything is done or printed. In the program that has
/// LLVM in itself this does not return: the one that shares LLVM's libraries
/// with plug-ins takes its place, with the same arguments. Fails as
/// loadPlugin, or with Code::NotFound where that one cannot be started.
Status loadPluginOf(const std::string &file);

/// The same of a plug-in with passes of MLIR.
Status loadPassesOf(const std::string &file);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_CLI_PLUGINS_H
