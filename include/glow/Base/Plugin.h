//===- Plugin.h - operators and backends from shared libraries --*- C++ -*-===//

#ifndef GLOW_BASE_PLUGIN_H
#define GLOW_BASE_PLUGIN_H

#include "glow/Base/Status.h"

namespace glow {

/// Registers what a shared library has, for as long as the process runs. Fails
/// with Code::NotFound where it cannot be loaded.
Status loadPlugin(const std::string &file);

} // namespace glow

#endif // GLOW_BASE_PLUGIN_H
