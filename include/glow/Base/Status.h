//===- Status.h - success, or what went wrong -------------------*- C++ -*-===//
//
// How everything below the compiler reports what a file, a flag or a user can
// cause. Messages are lower case without a full stop: what is, what should be.
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
  InvalidArgument, ///< what the caller or a file said makes no sense
  ShapeMismatch,   ///< a tensor is not of the shape or kind that is wanted
  NotFound,        ///< no file, input, kernel or backend has that name
  OutOfMemory,     ///< the host or a device has not that many bytes free
  Unsupported,     ///< it makes sense, but this build does not do it
  Internal,        ///< our own mistake
  DeviceLost,      ///< the device must be loaded again
  WrongTarget,     ///< a program was compiled for something else
  InStages,        ///< a model is no single program; run it by ModelRunner
  Reported,        ///< why, with its place, was logged already
  Overloaded,      ///< a request was refused: a queue is full, time too short
  Deadline,        ///< a request was not done at its deadline
  Cancelled,       ///< a request is not wanted any more
  Poison,          ///< a request took devices with it, and is not run again
};

/// "invalid argument", "shape mismatch" ...
std::string_view name(Code code);

/// What leads each note in a message that has some.
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

  /// The same failure, its message led by `where`; success stays success.
  Status prefixed(std::string_view where) const;

private:
  Code theCode = Code::Ok;
  std::string theMessage;
};

/// A failure whose message is `parts`, printed one after the other.
template <typename... Parts> Status failure(Code code, const Parts &...parts) {
  std::ostringstream message;
  (message << ... << parts);
  return Status(code, std::move(message).str());
}

/// A value, or the Status that says why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}

  /// `status` is a failure; a success without a value is our own mistake.
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
