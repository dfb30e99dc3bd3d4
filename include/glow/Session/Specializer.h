//===- Specializer.h - programs of sizes that come often --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_SESSION_SPECIALIZER_H
#define GLOW_SESSION_SPECIALIZER_H

#include "glow/Session/Session.h"
#include <future>
#include <list>
#include <span>

namespace glow {

/// A program of one size beside a program of ranges.
struct Specialized {
  std::map<std::string, Ints> shapes; ///< shapes of the inputs, by name
  Program program;
};

/// Compiles programs of the sizes that come often to a program of ranges, one
/// at a time, on a thread of its own (CompileRequest::specialize).
///
/// One thread at a time may call its methods, which are virtual so that the
/// runtime's library, which compiles nothing, has no code of them.
class Specializer {
public:
  using Shapes = std::map<std::string, Ints>;

  /// `request` has the ranges; `session` must outlive this. `kept` are the
  /// constants of the program of ranges, which the new programs share.
  Specializer(Session &session, CompileRequest request,
              std::vector<Constant> kept);

  /// Waits for the compilation that has begun, if any.
  virtual ~Specializer();

  /// Whether the request asks for programs of one size in runs. A program whose
  /// states grow has other inputs than the model; SizedPrograms serves it.
  static bool isWanted(const CompileRequest &request) {
    return request.specialize != Specialize::None && !request.sizes.empty() &&
           !request.partition && !request.states.appends &&
           request.states.given.empty();
  }

  /// Counts a run of the program of ranges. Begins to compile if inputs of
  /// these shapes have come often, and if no compilation is under way. `values`
  /// as CompileRequest::values.
  virtual void count(const Shapes &shapes, const std::vector<Constant> &values);

  /// The program that has become ready, once; nothing before. No compilation is
  /// repeated, unless many other sizes came meanwhile.
  virtual std::optional<Specialized> take();

  /// Conditions of the program of ranges. A dimension of -1 in the shapes of
  /// `count` keeps the part of its range for which they may hold.
  std::vector<SizeCondition> conditions = {};

private:
  struct Size {
    Shapes shapes;
    unsigned runs = 0;
    bool isDone = false; ///< compiled, or refused
  };
  void begin(const Shapes &shapes, const std::vector<Constant> &values);

  Session &session;
  CompileRequest request;
  std::vector<Constant> kept;
  std::unique_ptr<Session> other; ///< for the thread
  std::list<Size> sizes;          ///< the one used last first
  Shapes underWay;
  std::future<Result<Program>> compiling;
};

/// Gives constants of `program` the memory of equal ones in `kept`. Returns the
/// bytes that both then share.
uint64_t shareConstants(Program &program, std::span<const Constant> kept);

} // namespace glow

#endif // GLOW_SESSION_SPECIALIZER_H
