//===- PluginStamp.h - interface and build of a plug-in ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A plug-in is C++ and shares classes with the program that loads it, so both
// must be built from the same headers and records. The stamp is an ELF note, so
// it can be read without running code of the plug-in.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_PLUGINSTAMP_H
#define GLOW_BASE_PLUGINSTAMP_H

#include "glow/Base/Interface.h"
#include <cstddef>
#include <cstdint>
#include <version>

namespace glow {

#ifdef _LIBCPP_VERSION
#define GLOW_CXX_LIBRARY "libc++"
#elif defined(_GLIBCXX_DEBUG)
#define GLOW_CXX_LIBRARY "libstdc++ with debug containers"
#else
#define GLOW_CXX_LIBRARY "libstdc++"
#endif

/// Interface and build of the code that includes this header: a hash of Glow's
/// headers, records and generators, and the libraries whose classes cross the
/// interface.
#define GLOW_PLUGIN_BUILD                                                      \
  "glow " GLOW_INTERFACE_VERSION ", interface " GLOW_INTERFACE                 \
  ", LLVM " GLOW_INTERFACE_LLVM ", " GLOW_CXX_LIBRARY

inline constexpr uint32_t pluginNoteType = 1;
inline constexpr char pluginNoteName[8] = "Glow";

/// An ELF note whose text has two lines: the build and the name of the plug-in.
template <size_t size> struct PluginStamp {
  uint32_t nameSize = 5;
  uint32_t textSize = size;
  uint32_t type = pluginNoteType;
  char name[8] = "Glow";
  alignas(4) char text[size];
};

} // namespace glow

/// Defines the stamp of a plug-in; `plugin` is its name, a string literal.
#define GLOW_STAMP_PLUGIN(plugin)                                              \
  extern "C"                                                                   \
      [[gnu::used, gnu::section(".note.glow"), gnu::visibility("default")]]    \
      const ::glow::PluginStamp<sizeof(GLOW_PLUGIN_BUILD "\n" plugin)>         \
          glowPluginStamp = {.text = GLOW_PLUGIN_BUILD "\n" plugin};

#endif // GLOW_BASE_PLUGINSTAMP_H
