//===- Plugin.h - operators and backends from shared libraries --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_PLUGIN_H
#define GLOW_BASE_PLUGIN_H

#include "glow/Base/Status.h"

namespace glow {

/// Loads a plug-in and registers its operators and backends for the lifetime of
/// the process. A name without a slash is a file of the working directory.
/// Loading the same file again does nothing.
///
/// Before its code runs, the stamp of the file (PluginStamp.h) is compared with
/// that of this program. Fails with Code::NotFound where the file cannot be
/// loaded. Fails with Code::InvalidArgument if it is no plug-in, was built
/// against another interface, or registers a name that is already registered.
/// The process should then end, since the registration stays.
///
/// A plug-in names no library of Glow: its functions are those of the program.
/// Where Glow is a library whose functions only its users see, `scope` is a
/// library that needs Glow's and the plug-in, in this order, and is opened in
/// place of the plug-in.
Status loadPlugin(const std::string &file, const std::string &scope = "");

/// Whether loadPlugin has loaded the file, by whatever path.
bool isPluginLoaded(const std::string &file);

/// Records that the plug-in being loaded registers a name that is already
/// registered: "backend 'chip'".
void noteTakenName(const std::string &what);

} // namespace glow

#endif // GLOW_BASE_PLUGIN_H
