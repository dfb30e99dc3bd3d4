//===- Plugin.h - operators and backends from shared libraries --*- C++ -*-===//

#ifndef GLOW_BASE_PLUGIN_H
#define GLOW_BASE_PLUGIN_H

#include "glow/Base/Status.h"

namespace glow {

/// Registers the operators and backends of a plug-in for as long as the process
/// runs. A name without a slash is a file of the working directory. Loading the
/// same file again does nothing.
///
/// Before its code runs, the stamp of the file (PluginStamp.h) is compared with
/// that of this program. Fails with Code::NotFound where the file cannot be
/// loaded, and with Code::InvalidArgument where it is no plug-in, was built
/// against another interface, or registers a name that is registered already;
/// the process should then end, since the registration stays.
Status loadPlugin(const std::string &file);

/// Whether loadPlugin has loaded the file, by whatever path.
bool isPluginLoaded(const std::string &file);

/// Notes that a record of the plug-in that is being loaded has a name that is
/// registered already: "backend 'chip'".
void noteTakenName(const std::string &what);

} // namespace glow

#endif // GLOW_BASE_PLUGIN_H
