//===- CompilerDriver.h - the pipeline on one model -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILE_COMPILERDRIVER_H
#define GLOW_COMPILE_COMPILERDRIVER_H

#include "glow/Backend/Backend.h"
#include "glow/Base/Log.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Session/Session.h"
#include "glow/Values/MemoryBudget.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

namespace glow {

class ModelFile;

/// Makes a context and loads all registered dialects.
std::shared_ptr<mlir::MLIRContext> makeContext();

/// The context of successive compilations. A context keeps every type and
/// attribute that was ever made in it, so a new one replaces it after some
/// compilations.
class ContextOfMany {
public:
  /// The context of the next compilation, valid as long as the pointer is held.
  const std::shared_ptr<mlir::MLIRContext> &next();

private:
  std::shared_ptr<mlir::MLIRContext> context;
  unsigned uses = 0;
};

/// Whether a file holds text or bytecode of the dialects, by its name.
bool isModuleFile(llvm::StringRef path);

/// Parses and verifies a file of text or bytecode; null after errors that were
/// logged.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(mlir::MLIRContext &context,
                                              const std::string &path);

/// The only function of a planned module. Fails, naming the file, if there is
/// none or more than one.
Result<ir::FuncOp> functionOf(mlir::ModuleOp module, const std::string &path);

/// Declares the states of a module whose next values are outputs.
void declareNext(mlir::ModuleOp planned, Program &program);

/// The backend of that name, which must have a compiler.
Result<const Backend *> compilingBackend(const std::string &name,
                                         const Settings &settings);

/// Runs the pipeline on one model. During its lifetime, diagnostics of the
/// context are logged, as "model.onnx:conv_3: error: ...", with their notes.
class CompilerDriver {
public:
  /// `function` is the program of a module of several; "" without a choice.
  CompilerDriver(std::shared_ptr<mlir::MLIRContext> context,
                 const std::string &path, const CompileRequest &request,
                 const std::string &function = {});

  /// The module of a model after phase `last`. The model is `file` or, if that
  /// is null, the text or bytecode at the path. Null after errors that were
  /// logged.
  mlir::OwningOpRef<mlir::ModuleOp> runTo(Phase last, ModelFile *file);

  /// Runs the phases up to `last` on an imported module; false after errors
  /// that were logged.
  bool runPhases(mlir::ModuleOp module, Phase last);

  /// Compiles a planned module, which is consumed, or each of its parts if it
  /// has some. The program owns the context, which has its constants.
  Result<Program> compile(mlir::ModuleOp planned);

  /// The status after a failure. Code::InStages, without log entries, if the
  /// model must be run in stages and the request asked for that code.
  /// Code::Reported if errors were logged.
  Status refused() const;

  /// Whether nodes of the module of `runTo` compute sizes. If its compilation
  /// fails then, nothing is logged: without CompileRequest::mayComputeSizes it
  /// may succeed.
  bool computesSizes() const { return computed != 0; }

private:
  mlir::OwningOpRef<mlir::ModuleOp> read(ModelFile *file, bool mayCompute);
  void logKept();
  void explainStages(const std::vector<SizeCondition> &conditions);
  Result<Program> compileParts(mlir::ModuleOp planned);
  Result<Program> compilePart(mlir::ModuleOp planned);

  std::shared_ptr<mlir::MLIRContext> context;
  std::string path, function;
  const CompileRequest &request;
  MemoryBudget memory; ///< limit for values computed during compilation
  MemoryBudget::Use use;
  bool reported = false, staged = false;
  unsigned computed = 0; ///< sizes that nodes of the module compute
  bool isTrial = false;  ///< whether diagnostics are kept until it is over
  std::vector<std::pair<LogLevel, std::string>> kept;
  mlir::ScopedDiagnosticHandler handler;
};

/// Compiles the module from `import` in a context that the program owns;
/// nothing if `import` gives no module. Diagnostics of both are logged.
using ImportModule =
    llvm::function_ref<Result<mlir::OwningOpRef<mlir::ModuleOp>>()>;
Result<std::optional<Program>>
compileModule(const std::shared_ptr<mlir::MLIRContext> &context,
              const CompileRequest &request, ImportModule import);

} // namespace glow

#endif // GLOW_COMPILE_COMPILERDRIVER_H
