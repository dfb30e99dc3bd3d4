//===- Backend.h - what each backend runs, as its record says -*- C++ -*-===//

#ifndef GLOW_BACKEND_BACKEND_H
#define GLOW_BACKEND_BACKEND_H

#include "glow/Base/Status.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Loops.h"
#include "glow/IR/MemorySpace.h"
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
  /// The values that the condition speaks of: "k is 20"; null for none.
  std::string (*values)(mlir::Operation *) = nullptr;
  /// Whether it holds for processors with registers of vectors only.
  bool vectors = false;
};

/// A CodeFor record, for one node.
struct CodeInfo {
  const char *backend, *node;
  const char *algorithm; ///< "" where it becomes another node
  const char *becomes;   ///< by the backend's passes, or ""
  bool (*holds)(mlir::Operation *);
  const char *when; ///< the condition as text; "" when it always holds
  bool vectors;     ///< only for processors that have registers of vectors
};

/// A Kernel record: a kernel of a backend's own for a node, where one of its
/// tensors is of a kind.
struct KernelInfo {
  const char *backend, *node;
  const char *kind;
  int operand; ///< that is of the kind; -1: the first result
  bool whole;  ///< whether there is one for every kind that it may be
};

/// A Backend record.
struct BackendInfo {
  const char *name, *summary;
  bool runsReference; ///< runs every node that has a reference kernel
  bool computes;      ///< its results are those of the model
  int64_t alignment;  ///< of a buffer in the arena, in bytes
  const char *place;  ///< of the record
  /// The element kinds for which it makes code of loops (IR/Loops.h).
  std::vector<std::string_view> loops;
  bool takesNodes;           ///< its compile half takes nodes, no instructions
  const char *fallback = ""; ///< the backend that runs what it cannot; or ""
  std::vector<ir::MemorySpace> memories; ///< beside the arena
  std::vector<ir::DmaEngine> engines;
  uint64_t bandwidth = 0; ///< of the arena, in bytes a cycle; 0: no limit
  /// Of the clock in which costs and copies are; 0: the host's.
  unsigned megahertz = 0;
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
  virtual void addGraphPasses(mlir::OpPassManager &passes,
                              const CodeOptions &options) const {}
  virtual void addFusionPasses(mlir::OpPassManager &passes,
                               const CodeOptions &options) const {}

  /// Turns a placed program of instructions into what the backend's devices
  /// run. Constants of the module are referred to, not copied: `owner` keeps
  /// them alive, unless the module says that this is its last reader
  /// (Graph/LastReader.h). Errors are told to the diagnostic engine. A backend
  /// that makes no code does not look at `options`.
  virtual mlir::FailureOr<Program>
  compile(ir::FuncOp function, std::shared_ptr<const void> owner,
          const CodeOptions &options = {}) const;

  /// The same from a function of nodes, all of which the backend runs, where
  /// its record says `takesNodes`. Where values lie is its own affair.
  virtual mlir::FailureOr<Program>
  compileNodes(FuncOp function, std::shared_ptr<const void> owner,
               const CodeOptions &options = {}) const;

  /// The loops of an instruction that the backend runs; null where it has none.
  virtual std::unique_ptr<loops::Program>
  loopsOf(mlir::Operation *instr) const {
    return ir::loopsOf(instr);
  }
  /// Replaces the statements of a program by the statements that the backend
  /// runs for a layer, with all parts of their plans. Parts that a statement or
  /// a plan of `options` for the layer gives are kept. Fails with
  ///   Code::Unsupported      if it makes no code of loops, or not of these;
  ///   Code::InvalidArgument  if a given part cannot be.
  virtual Status planLoops(loops::Program &program, llvm::StringRef layer,
                           const CodeOptions &options) const;

  /// What was chosen for each step of a program that `compile` made.
  virtual std::vector<StepReport> report(const Program &program) const {
    return {};
  }

  /// Fails if it can make no code as `options` say, as for a processor that is
  /// unknown. A backend that makes none refuses plans of loops, and does not
  /// look at other options.
  virtual Status checkOptions(const CodeOptions &options) const;

  /// What code depends on besides the model, as the processor; "" if programs
  /// are not kept for later runs.
  virtual std::string fingerprint(const CodeOptions &options) const {
    return "";
  }
  /// What `restore` takes, but for the data of constants.
  virtual Result<std::string> store(const Program &program) const;
  virtual Result<Program> restore(const StoredProgram &stored) const;

  /// The settings with which models become such a file, of those that are asked
  /// for: before `emit`, since passes of the graph depend on them.
  virtual Settings settingsFor(const EmitRequest &request) const {
    return request.code.settings;
  }

  /// Turns programs into files that run without a compiler. Fails with
  ///   Code::Unsupported      if it makes no such files, or not of these nodes;
  ///   Code::InvalidArgument  if the target is unknown, or after errors that
  ///                          were told to the diagnostic engine.
  virtual Result<std::vector<EmittedFile>>
  emit(std::span<const EntryPoint> entries, const EmitRequest &request) const;
};

void registerLegality(std::span<const BackendInfo> backends,
                      std::span<const LegalInfo> legal);
void registerCode(std::span<const CodeInfo> code,
                  std::span<const KernelInfo> kernels);
void registerBackend(const Backend &backend);

/// Gives a backend whose record says `stepwise` its compile half and its
/// device: the interpreter's, under that name, with the kernels from the
/// record.
void registerStepwise(const std::string &name);

const Backend *findBackend(llvm::StringRef name);
const BackendInfo *findBackendInfo(llvm::StringRef name);
std::vector<BackendInfo> allBackends();

/// The backends one can compile for, in alphabetical order.
std::vector<std::string> backendNames();

/// Fails with Code::NotFound, naming those there are, if no backend is named
/// so, or one that it falls back to; with Code::InvalidArgument where these
/// lead back; or where it has no such settings, as checkSettings does.
Status checkBackend(const std::string &name, const Settings &settings = {});

/// A backend that `checkBackend` lets pass, and those that run what the ones
/// before them cannot.
std::vector<const BackendInfo *> withFallbacks(llvm::StringRef name);

/// Whether code of a node is for a processor without registers of vectors
/// (Graph/Scalar.h).
bool isScalar(mlir::Operation *node);

/// The condition under which the backend runs this very node as it stands, ""
/// when it always does; none when it does not.
std::optional<std::string> whyItRuns(const BackendInfo &backend,
                                     mlir::Operation *node);
/// Whether it is one of those that the backend runs by a kernel of the
/// reference where it has no other.
bool runsReferenceOf(const BackendInfo &backend, llvm::StringRef node);
/// Whether the backend runs the node as it stands.
bool runs(const BackendInfo &backend, mlir::Operation *node);
/// The conditions under which it runs a node of this name, as text; empty when
/// it never does.
std::vector<std::string> whenItRuns(const BackendInfo &backend,
                                    llvm::StringRef node);

/// The conditions that do not hold for this very node, which the backend does
/// not run, each with what is there: "it runs when k % 16 == 0; here k is 20".
std::vector<std::string> whyItDoesNotRun(const BackendInfo &backend,
                                         mlir::Operation *node);

/// The code of its own by which a backend runs this very node: the first of its
/// records that holds; null where none does.
const CodeInfo *codeFor(llvm::StringRef backend, mlir::Operation *node);

/// By what a backend runs nodes. One without records of code and kernels, as
/// the reference, says nothing of it: then both texts are "".
struct Means {
  std::string text;
  bool own; ///< not by a kernel of the reference in all cases
};
/// This very node, which it runs: "depthwise", an algorithm of its code, "way
/// of cpu_conv", "kernel", "loops from the record", "formula from the record"
/// or "the reference's kernel".
Means meansOf(const BackendInfo &backend, mlir::Operation *node);
/// All nodes of this name: "winograd when A, direct when B, else kernel (f32),
/// else the reference's kernel".
Means meansOf(const BackendInfo &backend, llvm::StringRef node);

} // namespace glow

#endif // GLOW_BACKEND_BACKEND_H
