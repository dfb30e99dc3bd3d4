//===- CompilerDriver.h - leads one model through the rooms -----*- C++ -*-===//

#ifndef GLOW_COMPILE_COMPILERDRIVER_H
#define GLOW_COMPILE_COMPILERDRIVER_H

#include "glow/Backend/Backend.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Session/Session.h"
#include "glow/Values/MemoryBudget.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

namespace glow {

class ModelFile;

/// A context with all that is registered, loaded.
std::shared_ptr<mlir::MLIRContext> makeContext();

/// A context for one compilation after the other. It keeps every type and
/// attribute that was ever made in it, so that after some there is another one.
class ContextOfMany {
public:
  /// Valid as long as it is held.
  const std::shared_ptr<mlir::MLIRContext> &next();

private:
  std::shared_ptr<mlir::MLIRContext> context;
  unsigned uses = 0;
};

/// Whether a file holds text or bytecode of the dialects, by its name.
bool isModuleFile(llvm::StringRef path);

/// A file of text or bytecode, parsed and verified; null after errors that were
/// logged.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(mlir::MLIRContext &context,
                                              const std::string &path);

/// The only function of a planned module. Fails, naming the file, where there
/// is none, or where there are several.
Result<ir::FuncOp> functionOf(mlir::ModuleOp module, const std::string &path);

/// The backend of that name, which must have a compiler.
Result<const Backend *> compilingBackend(const std::string &name,
                                         const Settings &settings);

/// Leads one model through the rooms. As long as it lives, diagnostics of the
/// context are logged, as "model.onnx:conv_3: error: ...", with their notes.
class CompilerDriver {
public:
  CompilerDriver(std::shared_ptr<mlir::MLIRContext> context,
                 const std::string &path, const CompileRequest &request);

  /// The module after room `last` of a model: of `file`, or where that is null
  /// of the text or bytecode at the path. Null after errors that were logged.
  mlir::OwningOpRef<mlir::ModuleOp> leadTo(Room last, ModelFile *file);

  /// Leads a module that was imported to room `last`; false after errors that
  /// were logged.
  bool lead(mlir::ModuleOp module, Room last);

  /// The program of a module that was planned, which ends with this; of its
  /// parts, where it has some. The program owns the context, which has its
  /// constants.
  Result<Program> compile(mlir::ModuleOp planned);

  /// What a tool says after a failure: Code::InStages, of which nothing was
  /// logged, where the model must be run in stages and the request asks for
  /// that word; Code::Reported if errors were logged.
  Status refused() const;

private:
  mlir::OwningOpRef<mlir::ModuleOp> read(ModelFile *file);
  Result<Program> compileParts(mlir::ModuleOp planned);
  Result<Program> compilePart(mlir::ModuleOp planned);

  std::shared_ptr<mlir::MLIRContext> context;
  std::string path;
  const CompileRequest &request;
  MemoryBudget memory; ///< of values that are computed on the way
  MemoryBudget::Use use;
  bool told = false, staged = false;
  mlir::ScopedDiagnosticHandler handler;
};

/// Compiles what `import` gives, in the program's own context; nothing when it
/// gives no module. Diagnostics of both are logged.
using ImportModule =
    llvm::function_ref<Result<mlir::OwningOpRef<mlir::ModuleOp>>()>;
Result<std::optional<Program>>
compileModule(const std::shared_ptr<mlir::MLIRContext> &context,
              const CompileRequest &request, ImportModule import);

} // namespace glow

#endif // GLOW_COMPILE_COMPILERDRIVER_H
