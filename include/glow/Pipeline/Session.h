//===- Session.h - a model, from file to programs ---------------*- C++ -*-===//
//
// All of the compiler that a tool sees. Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PIPELINE_SESSION_H
#define GLOW_PIPELINE_SESSION_H

#include "glow/Base/Ints.h"
#include "glow/Base/Status.h"
#include "glow/Program/Program.h"
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// What to compile a model to.
struct CompileRequest {
  std::string path; ///< the model's file, for messages
  std::string backend = "interpreter";

  /// The shape of inputs by name. Must give every symbolic dimension of the
  /// model a value, and the same value wherever the dimension's name occurs.
  std::map<std::string, Ints> shapes;

  /// The room after which `print` and `compile` stop, as "lower"; "" for none.
  std::string stopAfter;
};

/// One model, read. Specialised for shapes when it is compiled.
///
/// Diagnostics of the compiler, with their places, are printed to stderr; the
/// Status that follows says in one line what failed.
class Session {
public:
  /// Reads an `.onnx` or `.mlir` file.
  static Result<Session> open(const std::string &path);

  Session(Session &&) noexcept;
  Session &operator=(Session &&) noexcept;
  ~Session();

  /// Inputs a run must be given, in the model's order. A symbolic dimension is
  /// -1, its name in Binding::dimensions.
  const std::vector<Binding> &inputs() const;

  /// Outputs, in the model's order. A dimension that depends on symbolic ones
  /// is -1.
  const std::vector<Binding> &outputs() const;

  /// Fails with a message that names the dimension and `--shape` when a
  /// symbolic dimension has no value.
  Result<Program> compile(const CompileRequest &request);

  /// The text after room `emit`: "import", "graph", "optimize", "lower",
  /// "irgen", "plan" or "dot". Code::Unsupported for any other word.
  Result<std::string> print(const CompileRequest &request,
                            std::string_view emit);

  /// What runs where and why, every unsupported operator at once, and the
  /// memory plan; as text, or as a JSON object.
  Result<std::string> explain(const CompileRequest &request, bool json);

private:
  struct State;
  explicit Session(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// The coverage table: node x backend and ONNX operator x backend.
std::string operatorTable(bool markdown);

/// The backends one can compile for, in alphabetical order.
std::vector<std::string> backendNames();

/// The host's processor if there is a backend for it.
std::string defaultBackend();

/// Fails with Code::NotFound, naming those there are.
Status checkBackend(const std::string &name);

} // namespace glow

#endif // GLOW_PIPELINE_SESSION_H
