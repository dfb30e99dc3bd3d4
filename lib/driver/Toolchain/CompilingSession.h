//===- CompilingSession.h - one model, compiled per shape -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOOLCHAIN_COMPILINGSESSION_H
#define GLOW_LIB_TOOLCHAIN_COMPILINGSESSION_H

#include "glow/Compile/CompilerDriver.h"
#include "glow/Importer/ModelFile.h"
#include "glow/Session/StagedModel.h"
#include <mutex>

namespace glow {

/// A model that will be written to a file; the module owns the function.
struct PlannedEntry {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  EntryPoint point;
};

/// Fails if the backend or its options are invalid. Options are checked if any
/// are given, even for printing: the printed text may be compiled later.
Status checkTarget(const CompileRequest &request);

/// Fails if a run gives or computes a size of the module. `what` needs fixed
/// sizes: loops, and files of a backend that takes no lengths.
Status checkFixed(mlir::ModuleOp module, const char *what);

/// The text of a module without long weights, or its bytecode.
Result<std::string> textOf(mlir::ModuleOp module, bool bytecode);

/// The constants of the programs that sessions of one module have compiled, as
/// long as a program lives. Any thread may use it.
class SharedConstants {
public:
  /// Lets a program have the memory of equal constants of earlier programs.
  void share(Program &program);

private:
  struct Known {
    TensorType type;
    const void *data;
    std::weak_ptr<const void> owner;
  };
  std::mutex mutex;
  std::vector<Known> all;
};

class CompilingSession final : public Session {
public:
  explicit CompilingSession(const std::string &path) : path(path) {
    theFiles = {path};
  }

  /// Before anything else.
  Status read();

  Result<std::unique_ptr<Session>> another() const override;
  std::vector<SizeVariable> ownSizes(const std::string &backend) const override;
  Result<Program> compile(const CompileRequest &request) override;
  std::shared_ptr<Specializer> specializer(const CompileRequest &request,
                                           std::vector<Constant> kept) override;
  Result<std::unique_ptr<StagedModel>> stages(const CompileRequest &request,
                                              Host &host) override;
  Result<std::string> print(const CompileRequest &request,
                            std::string_view emit, bool bytecode) override;
  Result<Explanation> explain(const CompileRequest &request,
                              bool json) override;
  Result<Explanation> explainAll(const CompileRequest &request,
                                 bool json) override;
  Status withRefusedNodes(const Status &status) const override;
  Status choose(const std::string &name) override;

  /// The module after a phase, in a context of the caller. Fails as `print`.
  Result<mlir::OwningOpRef<mlir::ModuleOp>>
  moduleAfter(const CompileRequest &request, std::string_view phase,
              const std::shared_ptr<mlir::MLIRContext> &context);

  /// As glow::drawModel.
  Result<std::string> draw(const CompileRequest &request,
                           const std::string &phase,
                           const std::map<std::string, double> &times);

  /// As glow::arithmeticOf.
  std::map<std::string, double> arithmetic(const CompileRequest &request);

  /// The planned model as a function of this name. Fails if a run gives sizes
  /// to the model and the record of the backend takes none.
  Result<PlannedEntry> plan(const CompileRequest &request,
                            const std::string &name);

private:
  /// A driver of the chosen program, in the next context.
  CompilerDriver driverFor(const CompileRequest &request) {
    return CompilerDriver(contexts.next(), path, request, theFunction);
  }
  Result<Program> compileOrLoad(const CompileRequest &request);
  Result<std::string> printOnnx(const CompileRequest &request);
  Status readModule();
  Status readModel();
  Status openProgram();
  Status checkModel() const; ///< a compiled file can only be run
  Result<Program> compileAnew(const CompileRequest &request);
  Result<Program> compileToFit(CompileRequest &request);
  Status settle(CompileRequest &request);
  /// Gives each range without a greatest size one, and logs them. Fails if the
  /// model cannot be planned for any.
  Status chooseRanges(CompileRequest &request);
  Status tryRanges(const CompileRequest &trial);

  /// The most bytes of an arena that are worth a program for all sizes.
  static constexpr uint64_t modestBytes = uint64_t(1) << 30;

  std::string path;
  std::optional<Program> compiled;  ///< already, into a file
  std::shared_ptr<ModelFile> model; ///< of ONNX; null of a module
  ContextOfMany contexts;
  bool hasChosen = false; ///< ranges, as was logged
  /// Sessions of a module with several functions share them, and so do the
  /// programs of training.
  std::shared_ptr<SharedConstants> constants =
      std::make_shared<SharedConstants>();
};

} // namespace glow

#endif // GLOW_LIB_TOOLCHAIN_COMPILINGSESSION_H
