//===- Log.h - diagnostics and progress of a process ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The log carries the output that a Status cannot hold: a diagnostic for each
// location in a model, warnings, and reports of the cache. The process chooses
// its destination: a tool prints the log, a library passes it to its caller.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_LOG_H
#define GLOW_BASE_LOG_H

#include <functional>
#include <string>
#include <string_view>

namespace glow {

enum class LogLevel {
  Off,
  Error,   ///< the reason of a failure, with its location
  Warning, ///< the work goes on, but differs from the request
  Info,    ///< steps that take time, about once for each model
  Debug,   ///< details of time and memory, also of runs
};

/// Logs a text of one or more lines, without the last end of line. Any thread.
void logText(LogLevel level, std::string_view text);

/// Whether a level has a listener; ask before making a costly text.
bool isLogged(LogLevel level);

/// Receives the log, on the thread that logs.
using LogSink = std::function<void(LogLevel, std::string_view)>;

/// From now on, levels up to `most` go to `sink`, or to stderr if it is null.
/// The initial setting sends errors and warnings to stderr.
void setLog(LogLevel most, LogSink sink = nullptr);

/// Captures the errors that its thread logs during its lifetime, so that they
/// become part of a message. The log's listener does not receive them. If
/// several are alive, the newest captures them.
class ErrorsOfThread {
public:
  ErrorsOfThread();
  ~ErrorsOfThread();
  ErrorsOfThread(const ErrorsOfThread &) = delete;
  ErrorsOfThread &operator=(const ErrorsOfThread &) = delete;

  /// The captured errors, with an end of line after each.
  std::string text;

private:
  ErrorsOfThread *outer;
};

} // namespace glow

#endif // GLOW_BASE_LOG_H
