//===- Session.h - a model, from file to programs ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The compiler's interface to tools. A process with the compiler and a process
// that only runs cached programs differ in their SessionFactory. Includes no
// LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_SESSION_SESSION_H
#define GLOW_SESSION_SESSION_H

#include "glow/Base/Ints.h"
#include "glow/Base/Status.h"
#include "glow/Program/BackendRecord.h"
#include "glow/Program/CodeOptions.h"
#include "glow/Program/Partition.h"
#include "glow/Program/Program.h"
#include "glow/Program/States.h"
#include "glow/Program/Training.h"
#include "glow/Runtime/Trace.h"
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

class Host;
class StagedModel;
struct GraphQuantization;

/// The `high` of a SizeVariable of a request whose greatest value the compiler
/// chooses.
inline constexpr int64_t chosenSize = -1;

/// The sizes of a range that get programs of their own.
enum class Specialize : uint8_t {
  None,
  Lazy, ///< a size that has come often
  Eager ///< each size that has come
};
constexpr std::array specializeNames = {"none", "lazy", "eager"};
std::optional<Specialize> specializeNamed(std::string_view name);

/// A request to compile a model.
struct CompileRequest {
  std::string path; ///< the model's file, for messages
  std::string backend = preferredBackend();

  /// The shapes of inputs by name. Each symbolic dimension of the model must
  /// get a value, and the same value wherever the dimension's name occurs.
  std::map<std::string, Ints> shapes;

  /// Sizes that each run gives, as in ImportOptions::sizes. One program then
  /// serves all sizes of their ranges.
  std::vector<SizeVariable> sizes = {};

  /// Values of inputs by name. A program is specialised on them if the model
  /// cannot be compiled otherwise, such as for the shape operand of a Reshape.
  /// The values that were used are in Program::assumed.
  std::vector<Constant> values;

  /// The greatest number of trips of a loop, as in ImportOptions. It bounds the
  /// loops of a module, too.
  int64_t maxIterations = 0;

  /// Whether rows that a select does not take are left out, as the pass
  /// `predicate-rows` does. A backend without lengths refuses it.
  bool predicates = false;

  /// The folder of the compile cache for later runs; "" for none.
  std::string cacheDir = {};

  /// Code generation options. The target is the host, except for files
  /// (`emit`).
  CodeOptions code = {};

  /// The devices among which the model is partitioned; without them, the
  /// backend runs it whole. Partitioned programs are not cached.
  std::optional<PartitionRequest> partition = {};

  /// Whether Session::compile fails with Code::InStages, logging nothing, if
  /// the model must be run in stages.
  bool mayRunInStages = false;

  /// Whether nodes of a program may compute sizes, where its backend takes
  /// lengths. A program whose conditions depend on such a size is not made.
  bool mayComputeSizes = true;

  /// Passes on the imported module, before all phases, as a textual pipeline;
  /// "" for none.
  std::string importPasses = {};

  /// A quantization of the imported module, which `print` performs and fills
  /// in; null for none.
  std::shared_ptr<GraphQuantization> quantization = {};

  /// Makes a step of training of the imported model, whose weights are states;
  /// null for none.
  std::shared_ptr<const TrainingRequest> training = {};

  /// The states that the program declares (Program::states).
  StateRequest states = {};

  /// The sizes for which a ModelRunner compiles programs beside the program of
  /// ranges.
  Specialize specialize = Specialize::None;
};

/// $GLOW_CACHE_DIR, which may be "", or else `glow` in the user's cache folder:
/// $XDG_CACHE_HOME or ~/.cache.
std::string defaultCacheDir();

/// The result of `Session::explain`.
struct Explanation {
  std::string text;
  unsigned refused = 0; ///< nodes that the backend can neither run nor lower
};

class Specializer;

/// One parsed model, which is specialised for shapes when it is compiled.
///
/// Diagnostics of the compiler, with their locations, are logged; the Status
/// that follows is Code::Reported. One thread at a time may call its methods.
class Session {
public:
  virtual ~Session() = default;

  /// The files of the model: its own and those of its weights.
  const std::vector<std::string> &files() const { return theFiles; }

  /// Required inputs of a run, in the model's order. A symbolic dimension is
  /// -1, with its name in Binding::dimensions. Where the model itself gives
  /// ranges to its sizes, as a module does, Binding::lengths has them.
  const std::vector<Binding> &inputs() const { return theInputs; }

  /// Outputs, in the model's order. A dimension that depends on symbolic ones
  /// is -1.
  const std::vector<Binding> &outputs() const { return theOutputs; }

  /// Initializers that a run may replace. If a request has a shape for one, it
  /// becomes an input of the program.
  const std::vector<Binding> &overridable() const { return theOverridable; }

  /// The names of the programs of a module, in its order; empty for a model
  /// that is no module.
  const std::vector<std::string> &functions() const { return theFunctions; }

  /// The program that is compiled; "" before `choose`.
  const std::string &function() const { return theFunction; }

  /// Makes this a session of one program of a module. Inputs and outputs are
  /// then those of the program. Fails with Code::NotFound, listing the names.
  virtual Status choose(const std::string &name);

  /// Another session of the model, for concurrent use by another thread. The
  /// file is not parsed again.
  virtual Result<std::unique_ptr<Session>> another() const = 0;

  /// Compiles the model. If a symbolic dimension has no value, fails with a
  /// message that names the dimension and `--shape`.
  virtual Result<Program> compile(const CompileRequest &request) = 0;

  /// The ranges that the model itself gives to sizes, if the backend takes
  /// lengths. A request without sizes then has these.
  virtual std::vector<SizeVariable> ownSizes(const std::string &backend) const {
    return {};
  }

  /// Origin of the program of the last `compile`.
  enum class Source { Compiler, Cache, File };
  Source source() const { return theSource; }

  /// The model as a staged model; shapes and values of `request` are ignored.
  /// Fails, naming them, if the model has nodes that nothing runs. `host` must
  /// outlive the result.
  virtual Result<std::unique_ptr<StagedModel>>
  stages(const CompileRequest &request, Host &host) = 0;

  /// The text after phase `emit`, one of `phaseNames`, without long weights, or
  /// bytecode with all weights. `onnx` gives an ONNX model. Code::Unsupported
  /// for any other word.
  virtual Result<std::string> print(const CompileRequest &request,
                                    std::string_view emit,
                                    bool bytecode = false) = 0;

  /// Explains where and why nodes run, and lists every node that does not run.
  /// If all run, the memory plan follows. The result is text or a JSON object.
  /// A model that cannot be imported fails with all its unsupported operators.
  virtual Result<Explanation> explain(const CompileRequest &request,
                                      bool json) = 0;

  /// The same with the choices for each layer, as `glow explain` prints it
  /// without measuring. Equals `explain` if there is no compiled program.
  virtual Result<Explanation> explainAll(const CompileRequest &request,
                                         bool json) {
    return explain(request, json);
  }

  /// The compiler of programs of the sizes that come often, beside a program of
  /// ranges whose constants are `kept`. Null where nothing compiles.
  virtual std::shared_ptr<Specializer>
  specializer(const CompileRequest &request, std::vector<Constant> kept) {
    return nullptr;
  }

  /// Adds notes to a failure from before the import, such as missing inputs:
  /// one for each node of the model that would be refused afterwards.
  virtual Status withRefusedNodes(const Status &status) const = 0;

protected:
  std::vector<std::string> theFiles;
  std::vector<Binding> theInputs, theOutputs, theOverridable;
  std::vector<std::string> theFunctions;
  std::string theFunction;
  Source theSource = Source::Compiler;
};

/// Opens sessions, and knows their capabilities.
class SessionFactory {
public:
  virtual ~SessionFactory() = default;

  /// Reads an `.onnx` or `.mlir` file, or opens a compiled `.so`, which can
  /// only be run.
  virtual Result<std::unique_ptr<Session>> open(const std::string &path) = 0;

  /// Fails with Code::NotFound, naming the known backends.
  virtual Status checkBackend(const std::string &name) const = 0;

  /// Notes on the steps of a model from `open`, for a trace: the choices and
  /// the amount of computation. Nothing without a compiler.
  virtual Trace::Notes traceNotes(Session &session,
                                  const CompileRequest &request) {
    return {};
  }

  /// The words of `--stop-after` and `--emit`, in the order of the phases;
  /// empty without a compiler.
  virtual std::vector<std::string> phaseNames() const = 0;
};

} // namespace glow

#endif // GLOW_SESSION_SESSION_H
