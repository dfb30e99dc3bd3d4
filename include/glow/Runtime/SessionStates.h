//===- SessionStates.h - values that stay between runs ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_SESSIONSTATES_H
#define GLOW_RUNTIME_SESSIONSTATES_H

#include "glow/Program/States.h"
#include "glow/Runtime/Device.h"
#include "glow/Values/Tensor.h"
#include <memory>

namespace glow {

class InputFile;

/// A state of a program.
struct StateInfo {
  StatePair pair;
  TensorType type;
  size_t input = 0, output = 0; ///< indices in the program
  int axis = -1;                ///< the axis that grows, the first; -1: none
  /// Entries along the axis that fit, and those in use. Without an axis, the
  /// state is one entry.
  int64_t capacity = 1, length = 1;
  bool isUpdated = false; ///< a run writes new elements over old ones

  bool grows() const { return axis >= 0; }
  /// Whether a run has the input and the output in one buffer.
  bool isOneBuffer() const { return grows() || isUpdated; }
  uint64_t entryBytes() const; ///< bytes of an entry of a growing state
};

/// The states of a program, in the order of Program::states. The program has
/// declared them.
std::vector<StateInfo> statesOf(const Program &program);

/// The input and the output of a state in one of several programs. A program
/// without the output reads the state alone.
struct StatePlace {
  static constexpr size_t none = SIZE_MAX;
  size_t input = none, output = none; ///< indices in the program
  bool isUpdated = false;             ///< as StateInfo::isUpdated
};

/// The states of one session of a program, or of several programs that share
/// them. They are zeros at first, and have no
/// entries if they grow.
///
/// A run reads one buffer of a state and writes another one; `advance` swaps
/// the two. A state that grows has one buffer of its capacity for all runs: a
/// run writes new entries behind those in use. A state that is updated has one
/// buffer, too. No element is copied between runs. Sessions may share a buffer
/// that is only read; the first one that writes a shared buffer copies the
/// entries in use.
///
/// One thread at a time may call its methods. Other sessions of the program,
/// forks too, are independent.
class SessionStates {
public:
  /// Fails with Code::InvalidArgument if the program has no states, with
  /// Code::Unsupported if one has sizes with ranges and does not grow, and as
  /// Tensor::zeros does. The program may be destroyed afterwards; its weights
  /// and their owners stay.
  static Result<std::unique_ptr<SessionStates>> create(const Program &program);

  /// The states that any of the programs declares. A program also reads or
  /// writes a state that another one declares, by the names of the pair. Fails
  /// with Code::ShapeMismatch if programs have a state of different types, and
  /// as above.
  static Result<std::unique_ptr<SessionStates>>
  create(std::span<const Program *const> programs);

  /// The places of the states in a program, in the order of `all`.
  std::span<const StatePlace> places(size_t program = 0) const;

  /// The states of the program; lengths are those of the session.
  const std::vector<StateInfo> &all() const { return infos; }

  /// Whether the length of a state differs between runs.
  bool grow() const;

  /// Sets the tensors of the states in those of a run. They are valid until the
  /// next call of any other method. An output of a state that grows has its
  /// type in this run, and its input has the length of the state. Fails as
  /// Tensor::zeros does, and with Code::InvalidArgument, naming the state and
  /// changing nothing, if its capacity is exceeded.
  Status bind(Tensors &tensors, size_t program = 0);

  /// Makes the written values the current ones, after a run that has succeeded.
  /// Without a call the states are as before the run, but for elements of an
  /// updated state that the run has written.
  void advance(size_t program = 0);

  /// A session with the same values, which shares their memory until one of
  /// the two writes. It may outlive this one.
  std::unique_ptr<SessionStates> fork();

  /// Sets all states to zeros. Fails as Tensor::zeros does, changing nothing.
  Status reset();

  /// The number of a state by the name of its input, or else of its output.
  /// Fails with Code::NotFound.
  Result<size_t> find(const std::string &name) const;

  /// The current value. `set` copies a value of exactly the type of the state,
  /// or fails with Code::ShapeMismatch; a state that grows may get any length
  /// up to its capacity.
  TensorView value(size_t state) const;
  Status set(size_t state, TensorView value);

  /// Appends entries to a state, or removes the last entries of all states.
  /// Fails, naming the state and changing nothing, with
  ///   Code::Unsupported      for a state without an axis that grows;
  ///   Code::InvalidArgument  if the capacity is exceeded, or a state has fewer
  ///                          entries.
  Status append(size_t state, const void *data, size_t entries);
  Status rollback(size_t entries);

  /// Bytes of entries that this session has copied from one buffer to another,
  /// because a fork shared them.
  uint64_t copiedBytes() const { return copied; }

  /// Writes all values to a file, whole or not at all. Fails with
  /// Code::InvalidArgument.
  Status save(const std::string &path) const;

  /// Reads all values from a file of `save`. Fails, naming it and changing
  /// nothing, with
  ///   Code::NotFound         if it cannot be opened;
  ///   Code::Unsupported      if it is of a format that this build does not
  ///                          read;
  ///   Code::InvalidArgument  if it is of another model, or no such file, or
  ///                          incomplete, or was changed.
  /// The identity of a model is its inputs, outputs, states and weights in
  /// their compiled form, of all programs that declare states.
  Status restore(const std::string &path);

private:
  struct Model; ///< the facts that all forks share
  struct State {
    /// A state of one buffer has no `next`. Else it is null until a run needs
    /// it.
    std::shared_ptr<Tensor> current, next;
    bool isShared = false;  ///< another session may read `current`
    int64_t nextLength = 0; ///< after the run that is bound
  };

  explicit SessionStates(std::shared_ptr<Model> model);

  static Status provide(std::shared_ptr<Tensor> &buffer, const StateInfo &info);
  static void swap(State &state);
  void setLength(size_t state, int64_t length);
  Status checkRoom(size_t state, int64_t entries, const char *what) const;
  Status takeForWriting(size_t state);
  Status bindGrowing(size_t state, StatePlace place, Tensors &tensors);
  Status bindUpdated(size_t state, StatePlace place, Tensors &tensors);
  Status bindState(size_t state, StatePlace place, Tensors &tensors);
  Status restoreFrom(const InputFile &file);
  Status refuseToGrow(size_t state, const char *what) const;

  std::shared_ptr<Model> model;
  std::vector<StateInfo> infos; ///< types and lengths are the current ones
  std::vector<State> states;
  uint64_t copied = 0;
};

} // namespace glow

#endif // GLOW_RUNTIME_SESSIONSTATES_H
