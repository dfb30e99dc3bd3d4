//===- Status.h - success, or an error with its code ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Error reporting for failures that a file, a flag or a user can cause, below
// the compiler. Messages are lower case without a full stop: the actual state,
// then the required one.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_STATUS_H
#define GLOW_BASE_STATUS_H

#include <cassert>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace glow {

enum class Code {
  Ok,
  InvalidArgument, ///< an argument or a file makes no sense
  ShapeMismatch,   ///< a tensor has the wrong shape or kind
  NotFound,        ///< no file, input, kernel or backend has that name
  OutOfMemory,     ///< the host or a device lacks the free bytes
  Unsupported,     ///< valid, but this build cannot do it
  Internal,        ///< an error in Glow itself
  DeviceLost,      ///< the device must be loaded again
  WrongTarget,     ///< the program was compiled for another target
  InStages,        ///< a model is no single program; run it by ModelRunner
  Reported,        ///< the reason, with its location, was logged already
  Overloaded,      ///< a request was refused: full queue or too little time
  Deadline,        ///< a request was not done at its deadline
  Cancelled,       ///< a request was cancelled
  Poison,          ///< a request broke devices, and is not run again
};

/// "invalid argument", "shape mismatch" ...
std::string_view name(Code code);

/// The prefix of each note in a message.
inline constexpr const char *noteMark = "\n  note: ";

/// Success, or a code and a message.
class [[nodiscard]] Status {
public:
  /// Success.
  Status() = default;
  Status(Code code, std::string message)
      : theCode(code), theMessage(std::move(message)) {}

  bool ok() const { return theCode == Code::Ok; }
  Code code() const { return theCode; }
  const std::string &message() const { return theMessage; }

  /// The same failure with `where` in front of its message; success stays
  /// success.
  Status prefixed(std::string_view where) const;

private:
  Code theCode = Code::Ok;
  std::string theMessage;
};

/// Makes a failure whose message is `parts`, printed one after the other.
template <typename... Parts> Status failure(Code code, const Parts &...parts) {
  std::ostringstream message;
  (message << ... << parts);
  return Status(code, std::move(message).str());
}

/// A value, or a Status with the reason why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}

  /// `status` is a failure; a success without a value becomes Code::Internal.
  Result(Status status) : why(std::move(status)) {
    if (why.ok())
      why = Status(Code::Internal, "a result has neither value nor failure");
  }

  explicit operator bool() const { return value.has_value(); }

  /// Ok when there is a value.
  const Status &status() const { return why; }

  T &operator*() { return check(), *value; }
  const T &operator*() const { return check(), *value; }
  T *operator->() { return check(), &*value; }
  const T *operator->() const { return check(), &*value; }

  /// Moves the value out.
  T take() { return check(), std::move(*value); }

private:
  void check() const { assert(value && "look at status() first"); }

  std::optional<T> value;
  Status why;
};

} // namespace glow

#endif // GLOW_BASE_STATUS_H
