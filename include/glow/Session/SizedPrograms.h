//===- SizedPrograms.h - programs beside that of a session ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_SESSION_SIZEDPROGRAMS_H
#define GLOW_SESSION_SIZEDPROGRAMS_H

#include "glow/Runtime/Host.h"
#include "glow/Session/Specializer.h"
#include "glow/Values/MemoryBudget.h"
#include <mutex>

namespace glow {

/// Programs of sizes that come often beside a program of ranges that calls,
/// sessions or a served model run (CompileRequest::specialize). They have its
/// inputs, outputs and states, with the same capacities, so that a run of a
/// session may go to any of them. Sizes that change with the lengths of states
/// keep their ranges, and so does the size along which requests are joined.
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

  /// Others for the requests of a model that is served as `spec`, without its
  /// programs. A host loads each on a thread of its own, as a model whose name
  /// has the sizes, too. Null as `create` is.
  virtual std::unique_ptr<SizedPrograms> forRequests(ModelSpec spec) const;

  /// Unloads its programs; waits for the compilation that has begun, if any.
  virtual ~SizedPrograms();

  /// The model of a run on these inputs, in the order of the program: that of
  /// their sizes if there is one, else `ranges`. Counts the run. `host` has
  /// `ranges`, outlives this, and is the same in all calls. Inputs that are
  /// states need no type. Inputs of other numbers or ranks go to `ranges`,
  /// which refuses them.
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
  /// Programs that a host loads.
  struct Loading {
    std::mutex mutex;
    std::vector<Entry> ready;
    bool isOver = false;
  };
  SizedPrograms(CompileRequest request, const Program &program,
                const ModelSpec *spec);
  static std::unique_ptr<SizedPrograms> create(const Session &session,
                                               CompileRequest request,
                                               const Program &program,
                                               const ModelSpec *spec);
  std::optional<Specializer::Shapes>
  shapesOf(std::span<const TensorView> tensors) const;
  void add(Specialized made, Host &host);
  void serve(Specialized made, Host &host) const;
  bool fits(const Program &other) const;

  mutable std::mutex mutex;
  const CompileRequest request;
  const Program whole;                 ///< the program of ranges
  const std::optional<ModelSpec> spec; ///< the served model; empty for calls
  const std::shared_ptr<Loading> loading = std::make_shared<Loading>();
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
