//===- Walk.h - a model's way through the rooms -----------------*- C++ -*-===//

#ifndef GLOW_LIB_PIPELINE_WALK_H
#define GLOW_LIB_PIPELINE_WALK_H

#include "glow/Pipeline/Pipeline.h"
#include "glow/Pipeline/Session.h"
#include "glow/Values/MemoryBudget.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

namespace glow {

/// Whether a file holds text or bytecode of the dialects, by its name.
bool isModuleFile(llvm::StringRef path);

/// A file of text or bytecode, parsed and verified; null after errors that were
/// printed.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(mlir::MLIRContext &context,
                                              const std::string &path);

/// One model on its way. As long as it lives, diagnostics of the context are
/// printed to stderr, as "model.onnx:conv_3: error: ...", with their notes.
class Walk {
public:
  Walk(mlir::MLIRContext &context, const std::string &path,
       const CompileRequest &request);

  /// The module after room `last`, checked against the memory limit; null after
  /// errors that were printed.
  mlir::OwningOpRef<mlir::ModuleOp> to(Room last);

  /// Leads a module that was imported to room `last`; false after errors that
  /// were printed.
  bool lead(mlir::ModuleOp module, Room last);

  /// Whether the model must be run in stages, of which nothing was printed if
  /// the request says so.
  bool inStages() const { return staged; }

  const std::string &file() const { return path; }

  /// What a tool says after a failure: Code::Reported if errors were printed.
  Status refused() const;

private:
  mlir::OwningOpRef<mlir::ModuleOp> read();

  mlir::MLIRContext &context;
  std::string path;
  const CompileRequest &request;
  MemoryBudget memory; ///< of values that are computed on the way
  MemoryBudget::Use use;
  bool told = false, staged = false;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace glow

#endif // GLOW_LIB_PIPELINE_WALK_H
