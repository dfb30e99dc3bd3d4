//===- Backend.h - what each backend runs, as its record says -*- C++ -*-===//

#ifndef GLOW_BACKEND_BACKEND_H
#define GLOW_BACKEND_BACKEND_H

#include "glow/Base/Status.h"
#include "glow/IR/Structure.h"
#include "glow/Program/Emit.h"
#include "glow/Program/Serial.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <span>
#include <vector>

namespace glow {

/// A Legal record, for one node.
struct LegalInfo {
  const char *backend, *node;
  bool (*runs)(mlir::Operation *);
  const char *when; ///< the condition as text; "" when it always holds
};

/// A CodeFor record, for one node.
struct CodeInfo {
  const char *backend, *node;
  const char *algorithm;
  const char *becomes; ///< the node that the backend's passes make of it, or ""
  bool (*holds)(mlir::Operation *);
  const char *when; ///< the condition as text; "" when it always holds
};

/// A Backend record.
struct BackendInfo {
  const char *name, *summary;
  bool runsReference; ///< runs every node that has a reference kernel
  bool computes;      ///< its results are those of the model
  int64_t alignment;  ///< of a buffer in the arena, in bytes
  const char *place;  ///< of the record
};

/// A placed program of instructions that becomes a function of a file.
struct EntryPoint {
  std::string name; ///< a C identifier
  ir::FuncOp function;
  std::shared_ptr<const void> owner; ///< as in Backend::compile
};

/// The compile half of a backend: the last room.
class Backend {
public:
  virtual ~Backend() = default;
  virtual llvm::StringRef name() const = 0;

  /// Adds the backend's own rewrites of the graph: before its nodes are
  /// lowered, while they are as large as the model had them, and after, for
  /// what `compile` will be given as `options`.
  virtual void addGraphPasses(mlir::OpPassManager &passes) const {}
  virtual void addFusionPasses(mlir::OpPassManager &passes,
                               const CodeOptions &options) const {}

  /// Turns a placed program of instructions into what the backend's devices
  /// run. Constants of the module are referred to, not copied: `owner` keeps
  /// them alive, unless the module says that this is its last reader
  /// (Graph/LastReader.h). Errors are told to the diagnostic engine. A backend
  /// that makes no code does not look at `options`.
  virtual mlir::FailureOr<Program>
  compile(ir::FuncOp function, std::shared_ptr<const void> owner,
          const CodeOptions &options = {}) const = 0;

  /// Whether it has code of its own for an instruction, in some kinds at least.
  /// What it runs without is run by the kernels of the interpreter.
  virtual bool hasCodeFor(llvm::StringRef mnemonic) const { return true; }

  /// What was chosen for each step of a program that `compile` made.
  virtual std::vector<StepReport> report(const Program &program) const {
    return {};
  }

  /// Fails if it can make no code as `options` say, as for a processor that is
  /// unknown. A backend that makes none does not look at them.
  virtual Status checkOptions(const CodeOptions &options) const {
    return Status();
  }

  /// What code depends on besides the model, as the processor; "" if programs
  /// are not kept for later runs.
  virtual std::string fingerprint(const CodeOptions &options) const {
    return "";
  }
  /// What `restore` takes, but for the data of constants.
  virtual Result<std::string> store(const Program &program) const;
  virtual Result<Program> restore(const StoredProgram &stored) const;

  /// Turns programs into files that run without a compiler. Fails with
  ///   Code::Unsupported      if it makes no such files, or not of these nodes;
  ///   Code::InvalidArgument  if the target is unknown, or after errors that
  ///                          were told to the diagnostic engine.
  virtual Result<std::vector<EmittedFile>>
  emit(std::span<const EntryPoint> entries, const EmitRequest &request) const;
};

void registerLegality(std::span<const BackendInfo> backends,
                      std::span<const LegalInfo> legal);
void registerCode(std::span<const CodeInfo> code);
void registerBackend(const Backend &backend);

/// Gives a backend whose record says `stepwise` its compile half and its
/// device: the interpreter's, under that name, with the kernels of its record.
void registerStepwise(const std::string &name);

const Backend *findBackend(llvm::StringRef name);
const BackendInfo *findBackendInfo(llvm::StringRef name);
std::vector<BackendInfo> allBackends();

/// The backends one can compile for, in alphabetical order.
std::vector<std::string> backendNames();

/// Fails with Code::NotFound, naming those there are, or where it has no such
/// settings, as checkSettings does.
Status checkBackend(const std::string &name, const Settings &settings = {});

/// The condition under which the backend runs this very node as it stands, ""
/// when it always does; none when it does not.
std::optional<std::string> whyItRuns(const BackendInfo &backend,
                                     mlir::Operation *node);
/// Whether the backend runs the node as it stands.
bool runs(const BackendInfo &backend, mlir::Operation *node);
/// The conditions under which it runs a node of this name, as text; empty when
/// it never does.
std::vector<std::string> whenItRuns(const BackendInfo &backend,
                                    llvm::StringRef node);

/// The code of its own by which a backend runs this very node: the first of its
/// records that holds; null where none does.
const CodeInfo *codeFor(llvm::StringRef backend, mlir::Operation *node);
/// The records of a backend's code for nodes of this name, in their order.
std::vector<const CodeInfo *> codeRecords(llvm::StringRef backend,
                                          llvm::StringRef node);

} // namespace glow

#endif // GLOW_BACKEND_BACKEND_H
