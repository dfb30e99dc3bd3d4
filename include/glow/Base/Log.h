//===- Log.h - what is said besides a status --------------------*- C++ -*-===//
//
// A compiler has more to say than a status holds: a diagnostic for each place
// in a model, warnings, what it found in its cache. Where it goes is up to the
// process: a tool prints it, a library tells its caller.
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
  Error,   ///< why something failed, with its place
  Warning, ///< it goes on, but not as was asked
  Info,    ///< what took time, once a model or so
  Debug,   ///< what explains time and memory, also of runs
};

/// Says a text of one or more lines, without the last end of line. Any thread.
void logText(LogLevel level, std::string_view text);

/// Whether a level is heard, for texts that take time to make.
bool isLogged(LogLevel level);

/// Hears what is logged, on the thread that says it.
using LogSink = std::function<void(LogLevel, std::string_view)>;

/// From now on, levels up to `most` go to `sink`, or to stderr if it is null.
/// At first stderr hears errors and warnings.
void setLog(LogLevel most, LogSink sink = nullptr);

/// While it lives, it keeps the errors that its thread logs, which are not
/// heard then: they become a part of a message. Of several, the last one
/// made keeps them.
class ErrorsOfThread {
public:
  ErrorsOfThread();
  ~ErrorsOfThread();
  ErrorsOfThread(const ErrorsOfThread &) = delete;
  ErrorsOfThread &operator=(const ErrorsOfThread &) = delete;

  /// What was logged, with an end of line after each.
  std::string text;

private:
  ErrorsOfThread *outer;
};

} // namespace glow

#endif // GLOW_BASE_LOG_H
