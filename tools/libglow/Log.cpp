//===- Log.cpp - log of the library ---------------------------------------===//
// SPDX-License-Identifier: MIT
//
// A library prints nothing by itself: the program may have no terminal, or use
// it for its own output.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include <cstdlib>

using namespace glow;
using namespace glow::capi;

static_assert(int(LogLevel::Off) == GLOW_LOG_OFF &&
                  int(LogLevel::Debug) == GLOW_LOG_DEBUG,
              "levels have the same numbers here and there");

/// Reads GLOW_LOG before any function can be called. An unknown word counts as
/// unset, since there is no way to report it.
[[maybe_unused]] static const bool isAsked = [] {
  const char *asked = std::getenv("GLOW_LOG");
  LogLevel most = LogLevel::Off;
  for (auto [name, level] : {std::pair("error", LogLevel::Error),
                             {"warning", LogLevel::Warning},
                             {"info", LogLevel::Info},
                             {"debug", LogLevel::Debug}})
    if (asked && std::string_view(asked) == name)
      most = level;
  setLog(most);
  return most != LogLevel::Off;
}();

glow_status glow_log_to(glow_log_level most, glow_log log, void *context) {
  return guarded([&] {
    if (unsigned(most) > GLOW_LOG_DEBUG)
      return failure(Code::InvalidArgument, "level ", int(most),
                     " is none, it should be from 0 to ", int(GLOW_LOG_DEBUG));
    if (!log) {
      setLog(LogLevel(most));
      return Status();
    }
    setLog(LogLevel(most), [=](LogLevel level, std::string_view text) {
      log(context, glow_log_level(level), MemoryFile::withNames(text).c_str());
    });
    return Status();
  });
}
