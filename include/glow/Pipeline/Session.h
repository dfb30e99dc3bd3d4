//===- Session.h - a model, from file to programs ---------------*- C++ -*-===//
//
// All of the compiler that a tool sees. Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PIPELINE_SESSION_H
#define GLOW_PIPELINE_SESSION_H

#include "glow/Base/Ints.h"
#include "glow/Base/Status.h"
#include "glow/Program/BackendRecord.h"
#include "glow/Program/Emit.h"
#include "glow/Program/Program.h"
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

class Backend;

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

  /// Whether Session::compile fails with Code::InStages, printing nothing,
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
/// Diagnostics of the compiler, with their places, are printed to stderr; the
/// Status that follows is Code::Reported.
class Session {
public:
  /// Reads an `.onnx` or `.mlir` file, or opens a `.so` that was compiled, and
  /// that can only be run.
  static Result<Session> open(const std::string &path);

  Session(Session &&) noexcept;
  Session &operator=(Session &&) noexcept;
  ~Session();

  /// What the model is read from: its file, and those that have its weights.
  const std::vector<std::string> &files() const;

  /// Inputs a run must be given, in the model's order. A symbolic dimension is
  /// -1, its name in Binding::dimensions.
  const std::vector<Binding> &inputs() const;

  /// Outputs, in the model's order. A dimension that depends on symbolic ones
  /// is -1.
  const std::vector<Binding> &outputs() const;

  /// Fails with a message that names the dimension and `--shape` when a
  /// symbolic dimension has no value.
  Result<Program> compile(const CompileRequest &request);

  /// The text after room `emit`, one of `roomNames`, or "dot"; long weights are
  /// left out of it. As bytecode it has all of them. Code::Unsupported for any
  /// other word.
  Result<std::string> print(const CompileRequest &request,
                            std::string_view emit, bool bytecode = false);

  /// A model that becomes a function of a file.
  struct Entry {
    Session *session;
    CompileRequest compile;
    std::string name; ///< of the function: a C identifier
  };

  /// Compiles models into files of their backend, which is the same for all.
  /// Fails as Backend::emit and `compile` do.
  static Result<std::vector<EmittedFile>> emit(std::span<const Entry> entries,
                                               const EmitRequest &request);

  /// What runs where and why, every node that does not, and, if there is none,
  /// the memory plan; as text, or as a JSON object. A model that cannot be
  /// imported fails with all its unsupported operators.
  Result<Explanation> explain(const CompileRequest &request, bool json);

  /// A failure that came before the model could be imported, as of inputs that
  /// nobody gave, with a note for each of its nodes that would be refused then.
  Status withRefusedNodes(const Status &status) const;

  /// What was chosen for each step of a program; empty if its backend does not
  /// choose.
  static std::vector<StepReport> report(const Program &program);

private:
  struct State;
  Result<Program> compileAnew(const CompileRequest &request,
                              const Backend &backend);
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Records for the operators of an ONNX file that none imports, to be filled
/// in.
Result<std::string> operatorStubs(const std::string &path);

/// How the coverage table is written, and what of it.
struct CoverageRequest {
  enum class Format { Text, Markdown, Json } format = Format::Text;
  std::string filter; ///< a regular expression on names; "" for all
};

/// The coverage table: node x backend and ONNX operator x backend. Fails with
/// Code::InvalidArgument when the filter is no regular expression.
Result<std::string> coverageTable(const CoverageRequest &request);

/// The words of `--stop-after` and `--emit`, in the order of the rooms.
std::vector<std::string> roomNames();

/// The backends one can compile for, in alphabetical order.
std::vector<std::string> backendNames();

/// Fails with Code::NotFound, naming those there are.
Status checkBackend(const std::string &name);

} // namespace glow

#endif // GLOW_PIPELINE_SESSION_H
