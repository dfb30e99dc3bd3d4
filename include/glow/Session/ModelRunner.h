//===- ModelRunner.h - a model, for whatever it is given --------*- C++ -*-===//

#ifndef GLOW_SESSION_MODELRUNNER_H
#define GLOW_SESSION_MODELRUNNER_H

#include "glow/Runtime/Host.h"
#include "glow/Session/Session.h"
#include "glow/Session/StagedModel.h"
#include <list>

namespace glow {

/// Runs one model on one backend. Compiles when the shapes of its inputs are
/// new, or the value of one that a program was specialised on; the programs
/// used last are kept. A model that is no single program runs in stages.
///
/// Its methods are for one thread at a time.
class ModelRunner {
public:
  /// Several runners may share a session.
  ModelRunner(std::shared_ptr<Session> session, CompileRequest request,
              DeviceOptions options = {});
  ~ModelRunner();

  /// Makes ready for inputs of these shapes, by name; `values` may decide about
  /// sizes. Fails as Session::compile, Host::load and Session::stages do.
  Status prepare(const std::map<std::string, Ints> &shapes,
                 std::vector<Constant> values);

  /// Runs what it is prepared for. As Host::run; of a model that runs in
  /// stages, `outputs` are `tensorsOf` its outputs.
  Status runPrepared(std::span<const NamedTensor> inputs,
                     std::vector<NamedTensor> &outputs);

  /// The same for inputs of any kind, and for initializers that they replace;
  /// as StagedModel::run.
  Status prepare(std::span<const NamedValue> inputs);
  Status runPrepared(std::span<const NamedValue> inputs,
                     std::vector<NamedValue> &outputs);

  /// Whether the model was found to run in stages; null when it was not.
  StagedModel *stages() const { return staged.get(); }

  Host &host() { return theHost; }

  // Of the last time that each was done, in milliseconds.
  double compileTime = 0, loadTime = 0;
  /// What `compileTime` was taken by.
  Session::Source source = Session::Source::Compiler;

private:
  /// A program for these shapes.
  struct Loaded {
    std::map<std::string, Ints> shapes;
    std::vector<Binding> inputs, outputs;
    std::vector<Constant> assumed;
    NetworkId network;
    MemoryBudget::Share values; ///< of its constants, inputs and outputs
  };
  Status load(const Program &program);
  Result<NetworkId> loadCounted(const Program &program,
                                MemoryBudget::Share &values);
  Status runWhole(std::span<const NamedValue> inputs,
                  std::vector<NamedValue> &outputs);
  void dropLast();

  std::shared_ptr<Session> session;
  CompileRequest request;
  Host theHost;
  MemoryBudget memory;        ///< of what the programs take
  std::list<Loaded> programs; ///< what it is prepared for first
  std::unique_ptr<StagedModel> staged;
  std::vector<std::string> replaced; ///< initializers that inputs replace
};

/// Copies of the tensors that values are or hold: the elements of a sequence
/// each as one of their own, "name[0]". Strings are left out.
Result<std::vector<NamedTensor>> tensorsOf(std::span<const NamedValue> values);

/// The inputs that may decide about sizes; others are data. Copies, since a
/// program may outlive the tensors.
Result<std::vector<Constant>> smallValues(std::span<const NamedTensor> inputs);

} // namespace glow

#endif // GLOW_SESSION_MODELRUNNER_H
