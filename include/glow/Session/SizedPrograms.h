//===- SizedPrograms.h - programs beside that of a session ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_SESSION_SIZEDPROGRAMS_H
#define GLOW_SESSION_SIZEDPROGRAMS_H

#include "glow/Runtime/Host.h"
#include "glow/Session/Specializer.h"
#include "glow/Values/MemoryBudget.h"
#include <mutex>

namespace glow {

/// Programs of sizes that come often beside a program of ranges that calls and
/// sessions run (CompileRequest::specialize). They have its inputs, outputs and
/// states, with the same capacities, so that a run of a session may go to any
/// of them. Sizes that change with the lengths of states keep their ranges.
///
/// Any thread may call its methods, which are virtual so that the runtime's
/// library, which compiles nothing, has no code of them.
class SizedPrograms {
public:
  /// Null if the request asks for none, or if no size is left to specialise.
  /// `program` is that of `request` and of the last compilation of `session`.
  /// Neither is used afterwards; constants are shared with the program.
  static std::unique_ptr<SizedPrograms> create(const Session &session,
                                               CompileRequest request,
                                               const Program &program);

  /// Unloads its programs; waits for the compilation that has begun, if any.
  virtual ~SizedPrograms();

  /// The model of a run on these inputs, in the order of the program: that of
  /// their sizes if there is one, else `ranges`. Counts the run. `host` has
  /// `ranges`, outlives this, and is the same in all calls.
  virtual ModelId choose(std::span<const TensorView> inputs, Host &host,
                         ModelId ranges);

  /// The number of programs of one size.
  virtual size_t count() const;

private:
  /// An input whose sizes make a difference.
  struct Input {
    std::string name;
    size_t index;
    std::vector<bool> isOpen; ///< by dimension; keeps its range
  };
  struct Entry {
    Specializer::Shapes shapes;
    ModelId model;
    MemoryBudget::Share values;
  };
  SizedPrograms(CompileRequest request, const Program &program);
  void add(Specialized made, Host &host);
  bool fits(const Program &other) const;

  mutable std::mutex mutex;
  std::vector<Input> inputs;
  std::vector<std::string> ports; ///< names of inputs and outputs
  std::vector<StateInfo> states;
  MemoryBudget memory;
  std::unique_ptr<Session> session;
  std::shared_ptr<Specializer> specializer; ///< null: no more programs
  std::vector<Entry> entries;
  Host *loadedOn = nullptr;
};

} // namespace glow

#endif // GLOW_SESSION_SIZEDPROGRAMS_H
