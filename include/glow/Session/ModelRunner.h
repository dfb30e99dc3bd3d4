//===- ModelRunner.h - a model for all requested shapes ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_SESSION_MODELRUNNER_H
#define GLOW_SESSION_MODELRUNNER_H

#include "glow/Session/LoadedPrograms.h"
#include "glow/Session/Session.h"
#include "glow/Session/Specializer.h"
#include "glow/Session/StagedModel.h"

namespace glow {

/// Runs a model on a backend. It compiles when the shapes of its inputs are
/// new, or the value of an input that a program was specialised on. The most
/// recently used programs are kept. A model that is no single program runs in
/// stages. Beside a program of ranges, sizes that come often may get programs
/// of their own (CompileRequest::specialize), which serve from the next run on.
///
/// One thread at a time may call its methods.
class ModelRunner {
public:
  /// Several runners may share a session.
  ModelRunner(std::shared_ptr<Session> session, CompileRequest request,
              DeviceOptions options = {});
  ~ModelRunner();

  /// Prepares for inputs of these shapes, by name; `values` may determine
  /// sizes. Fails as Session::compile, Host::load and Session::stages do.
  Status prepare(const std::map<std::string, Ints> &shapes,
                 std::vector<Constant> values);

  /// The request of the last compilation.
  const CompileRequest &lastRequest() const { return request; }

  /// The number of programs of one size that serve beside that of ranges.
  unsigned specialized() const { return specializations; }

  /// Runs the prepared program, as Host::run does. For a model that runs in
  /// stages, `outputs` are `tensorsOf` its outputs.
  Status runPrepared(std::span<const NamedTensor> inputs,
                     std::vector<NamedTensor> &outputs);

  /// The same for inputs of any kind, and for initializers that they replace;
  /// as StagedModel::run.
  Status prepare(std::span<const NamedValue> inputs);
  Status runPrepared(std::span<const NamedValue> inputs,
                     std::vector<NamedValue> &outputs);

  /// The staged model if the model runs in stages, else null.
  StagedModel *stages() const { return staged.get(); }

  Host &host() { return theHost; }

  // Times of the last compilation and load, in milliseconds.
  double compileTime = 0, loadTime = 0;
  /// Origin of the program that `compileTime` measured.
  Session::Source source = Session::Source::Compiler;

private:
  /// A program for these shapes.
  struct Loaded : LoadedProgram {
    std::map<std::string, Ints> shapes;
    std::vector<Binding> inputs, outputs;
    std::vector<Constant> assumed;
  };
  Status runWhole(std::span<const NamedValue> inputs,
                  std::vector<NamedValue> &outputs);
  bool findSpecialized(const std::map<std::string, Ints> &shapes,
                       const std::vector<Constant> &values);
  void takeRanges(const std::vector<Binding> &inputs);
  Status compile(const std::map<std::string, Ints> &shapes,
                 std::vector<Constant> values);

  std::shared_ptr<Session> session;
  CompileRequest request;
  std::vector<SizeVariable> ranges; ///< sizes that each run gives
  Host theHost;
  MemoryBudget memory; ///< memory of the programs
  LoadedPrograms<Loaded> programs;
  LoadedPrograms<Loaded> ofOneSize;         ///< beside a program of ranges
  const Loaded *prepared = nullptr;         ///< the program of the next run
  std::shared_ptr<Specializer> specializer; ///< null until it is needed
  unsigned specializations = 0;
  std::unique_ptr<StagedModel> staged;
  std::vector<std::string> replaced; ///< initializers that inputs replace
};

/// Copies of the tensors in values. Each element of a sequence becomes a tensor
/// of its own, "name[0]". Strings are omitted.
Result<std::vector<NamedTensor>> tensorsOf(std::span<const NamedValue> values);

/// Copies of the inputs that may determine sizes; other inputs are data. They
/// are copies, since a program may outlive the tensors.
Result<std::vector<Constant>> smallValues(std::span<const NamedTensor> inputs);

} // namespace glow

#endif // GLOW_SESSION_MODELRUNNER_H
