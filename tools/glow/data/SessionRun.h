//===- SessionRun.h - runs on states in a file ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_DATA_SESSIONRUN_H
#define GLOW_TOOLS_GLOW_DATA_SESSIONRUN_H

#include "RunOptions.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/SessionStates.h"
#include "glow/Session/SizedPrograms.h"

namespace glow::tool {

/// The session of `glow run --session=FILE`.
class SessionRun {
public:
  /// Compiles and loads the model, and reads the states from the file; without
  /// a file they are zeros. The states are those of all functions of a module,
  /// so that one file serves runs of each.
  static Result<std::unique_ptr<SessionRun>> open(const RunOptions &options,
                                                  Session &model);

  /// Inputs of a run, without the states, as the model has them.
  std::vector<Binding> inputs() const;

  /// The options without shapes of states alone.
  InputOptions optionsFor(InputOptions given) const;

  /// Runs once; `outputs` are those that are no states.
  Status run(std::span<const NamedValue> inputs,
             std::vector<NamedValue> &outputs);

  /// Writes the states to the file.
  Status save() const { return states->save(file); }

  /// "restored from FILE", or that the states were zeros.
  std::string beginning() const;

  /// The number of programs of one size beside that of ranges.
  size_t specialized() const { return sized ? sized->count() : 0; }

  double runTime = 0; ///< time of the last run, in milliseconds

private:
  SessionRun(const RunOptions &options, std::vector<Binding> inputs)
      : file(options.session), model(std::move(inputs)),
        host(DeviceOptions{options.model.threads}) {}

  Status compile(const RunOptions &options, Session &model);
  Status prepare(const ModelOptions &options);

  const std::string file;
  const std::vector<Binding> model; ///< its inputs
  std::vector<Program> programs;    ///< a program for each function
  size_t number = 0;                ///< number of the program that runs
  Host host;
  ModelId id{};
  std::unique_ptr<SizedPrograms> sized; ///< null without any
  std::unique_ptr<SessionStates> states;
  bool isRestored = false;
};

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_DATA_SESSIONRUN_H
