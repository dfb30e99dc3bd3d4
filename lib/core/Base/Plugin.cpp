//===- Plugin.cpp - operators and backends from shared libraries ----------===//

#include "glow/Base/Plugin.h"
#include "glow/Base/InputFile.h"
#include <dlfcn.h>

using namespace glow;

/// Its globals register what it has. Never closed: its code is in use until the
/// process ends.
Status glow::loadPlugin(const std::string &file) {
  // The loader would wait at a pipe; a name without a slash is the system's.
  bool isPath = file.find('/') != std::string::npos;
  Status found = isPath ? InputFile::open(file).status() : Status();
  if (!found.ok())
    return found.prefixed("cannot load backend '" + file + "': ");
  if (!::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
    return failure(Code::NotFound, "cannot load backend '", file,
                   "': ", ::dlerror());
  return Status();
}
