//===- TimeText.h - times for people ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_TIMETEXT_H
#define GLOW_BASE_TIMETEXT_H

#include <cstdio>
#include <string>

namespace glow {

/// A time as "1.23 ms", with four significant digits; in s from one second on.
inline std::string timeText(double milliseconds) {
  const bool isLong = milliseconds >= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s",
                isLong ? milliseconds / 1000 : milliseconds,
                isLong ? "s" : "ms");
  return text;
}

} // namespace glow

#endif // GLOW_BASE_TIMETEXT_H
