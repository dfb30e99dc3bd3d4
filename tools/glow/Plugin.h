//===- Plugin.h - operators and backends from shared libraries --*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_PLUGIN_H
#define GLOW_TOOLS_GLOW_PLUGIN_H

#include "glow/Base/Status.h"

namespace glow::tool {

/// Registers what a shared library has, for as long as the process runs. Fails
/// with Code::NotFound where it cannot be loaded.
Status loadPlugin(const std::string &file);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_PLUGIN_H
