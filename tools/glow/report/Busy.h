//===- Busy.h - load of the machine during a measurement --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_REPORT_BUSY_H
#define GLOW_TOOLS_GLOW_REPORT_BUSY_H

#include "cli/Tool.h"
#include <optional>

namespace glow::tool {

/// Counts the time of the processors that this process may use, from when the
/// object is made on. Times are in milliseconds.
class BusyWatch {
public:
  BusyWatch();

  /// Of this process, over all its threads.
  double ownTime() const;

  /// Processors that other processes, and other machines on the same hardware,
  /// used on average; nothing where the system does not report it, as without
  /// /proc.
  std::optional<double> otherProcessors() const;

  /// Whether others used so much that a measurement is too long: above what
  /// the system's ticks can be wrong by, and a tenth of a processor.
  bool isDisturbed() const;

private:
  Stopwatch watch;
  double ownBefore;
  std::optional<double> allBefore;
};

/// "other processes used 1.3 of 2 processors".
std::string othersText(double processors);

/// The processors that this process may use.
unsigned usableProcessors();

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_REPORT_BUSY_H
