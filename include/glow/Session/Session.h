//===- Session.h - a model, from file to programs ---------------*- C++ -*-===//
//
// All of the compiler that a tool sees. A process that has the compiler and one
// that only runs what was compiled before differ in the SessionFactory that
// they are given. Includes no LLVM and no MLIR.
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
#include "glow/Runtime/Trace.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

class Host;
class StagedModel;

/// What to compile a model to.
struct CompileRequest {
  std::string path; ///< the model's file, for messages
  std::string backend = preferredBackend();

  /// The shape of inputs by name. Must give every symbolic dimension of the
  /// model a value, and the same value wherever the dimension's name occurs.
  std::map<std::string, Ints> shapes;

  /// Values of inputs by name, which a program may be specialised on where a
  /// model cannot be compiled without: as the shape that a Reshape reads. Those
  /// it was are in Program::assumed.
  std::vector<Constant> values;

  /// The bytes that all tensors of a run may take; 0 for
  /// `defaultMemoryLimit()`.
  uint64_t memoryLimit = 0;

  /// The folder where compiled programs are kept for later runs; "" for none.
  std::string cacheDir = {};

  /// What code to make; the target is the host, but for files (`emit`).
  CodeOptions code = {};

  /// The devices that the model is shared out to; none: what runs it is its
  /// backend. Programs of it are not kept.
  std::optional<PartitionRequest> partition = {};

  /// Whether Session::compile fails with Code::InStages, logging nothing,
  /// where the model must be run in stages.
  bool mayRunInStages = false;
};

/// $GLOW_CACHE_DIR, which may be "", or else `glow` in the user's folder for
/// such files: $XDG_CACHE_HOME or ~/.cache.
std::string defaultCacheDir();

/// What `Session::explain` finds.
struct Explanation {
  std::string text;
  unsigned refused = 0; ///< nodes that the backend can neither run nor lower
};

/// One model, read. Specialised for shapes when it is compiled.
///
/// Diagnostics of the compiler, with their places, are logged; the Status that
/// follows is Code::Reported. Its methods are for one thread at a
/// time.
class Session {
public:
  virtual ~Session() = default;

  /// What the model is read from: its file, and those that have its weights.
  const std::vector<std::string> &files() const { return theFiles; }

  /// Inputs a run must be given, in the model's order. A symbolic dimension is
  /// -1, its name in Binding::dimensions.
  const std::vector<Binding> &inputs() const { return theInputs; }

  /// Outputs, in the model's order. A dimension that depends on symbolic ones
  /// is -1.
  const std::vector<Binding> &outputs() const { return theOutputs; }

  /// Initializers that a run may replace: one that has a shape in a request is
  /// an input of the program.
  const std::vector<Binding> &overridable() const { return theOverridable; }

  /// Another session of the model, for another thread, which need not wait for
  /// this one. The file is not parsed again.
  virtual Result<std::unique_ptr<Session>> another() const = 0;

  /// Fails with a message that names the dimension and `--shape` when a
  /// symbolic dimension has no value.
  virtual Result<Program> compile(const CompileRequest &request) = 0;

  /// Where the program of the last `compile` came from.
  enum class Source { Compiler, Cache, File };
  Source source() const { return theSource; }

  /// The model, to be run in stages; shapes and values of `request` are not
  /// looked at. Fails, naming all of them, when it has nodes that nothing runs.
  /// `host` must outlive it.
  virtual Result<std::unique_ptr<StagedModel>>
  stages(const CompileRequest &request, Host &host) = 0;

  /// The text after room `emit`, one of `roomNames`, without long weights, or as
  /// bytecode with them; for `onnx` a model of ONNX. Code::Unsupported for any
  /// other word.
  virtual Result<std::string> print(const CompileRequest &request,
                                    std::string_view emit,
                                    bool bytecode = false) = 0;

  /// What runs where and why, every node that does not, and, if there is none,
  /// the memory plan; as text, or as a JSON object. A model that cannot be
  /// imported fails with all its unsupported operators.
  virtual Result<Explanation> explain(const CompileRequest &request,
                                      bool json) = 0;

  /// The same with what was chosen for each layer, as `glow explain` prints it
  /// without measuring; as `explain` where there is no compiled program.
  virtual Result<Explanation> explainAll(const CompileRequest &request,
                                         bool json) {
    return explain(request, json);
  }

  /// A failure that came before the model could be imported, as of inputs that
  /// are missing, with a note for each of its nodes that would be refused then.
  virtual Status withRefusedNodes(const Status &status) const = 0;

protected:
  std::vector<std::string> theFiles;
  std::vector<Binding> theInputs, theOutputs, theOverridable;
  Source theSource = Source::Compiler;
};

/// Opens sessions, and knows what they can be asked for.
class SessionFactory {
public:
  virtual ~SessionFactory() = default;

  /// Reads an `.onnx` or `.mlir` file, or opens a `.so` that was compiled, and
  /// that can only be run.
  virtual Result<std::unique_ptr<Session>> open(const std::string &path) = 0;

  /// Fails with Code::NotFound, naming those there are.
  virtual Status checkBackend(const std::string &name) const = 0;

  /// What there is to say of the steps of a model that `open` gave, in a trace:
  /// what was chosen, and how much they compute. Nothing where there is no
  /// compiler.
  virtual Trace::Notes traceNotes(Session &session,
                                  const CompileRequest &request) {
    return {};
  }

  /// The words of `--stop-after` and `--emit`, in the order of the rooms; none
  /// where there is no compiler.
  virtual std::vector<std::string> roomNames() const = 0;
};

} // namespace glow

#endif // GLOW_SESSION_SESSION_H
