//===- Backend.h - backends, from their records -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

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
  const char *when; ///< the condition as text; "" if it always holds
  /// The values in the condition: "k is 20"; null for none.
  std::string (*values)(mlir::Operation *) = nullptr;
  /// Whether it applies only to processors with vector registers.
  bool vectors = false;
};

/// A CodeFor record, for one node.
struct CodeInfo {
  const char *backend, *node;
  const char *algorithm; ///< "" if it becomes another node
  const char *becomes; ///< the node that the backend's passes make of it; or ""
  bool (*holds)(mlir::Operation *);
  const char *when; ///< the condition as text; "" if it always holds
  bool vectors;     ///< only for processors with vector registers
};

/// A Kernel record: a kernel that the backend provides for a node, for one
/// element kind of one of its tensors.
struct KernelInfo {
  const char *backend, *node;
  const char *kind;
  int operand; ///< the operand of that kind; -1: the first result
  bool whole;  ///< whether every possible kind has a kernel
};

/// A Backend record.
struct BackendInfo {
  const char *name, *summary;
  bool runsReference; ///< runs every node that has a reference kernel
  bool computes;      ///< its results are those of the model
  int64_t alignment;  ///< bytes, for buffers of the arena
  const char *place;  ///< location of the record
  /// The element kinds for which it generates code from loops (IR/Loops.h).
  std::vector<std::string_view> loops;
  bool takesNodes;           ///< its compile half takes nodes, not instructions
  const char *fallback = ""; ///< backend of all other nodes; or ""
  std::vector<ir::MemorySpace> memories; ///< besides the arena
  std::vector<ir::DmaEngine> engines;
  uint64_t bandwidth = 0; ///< bytes a cycle, in the arena; 0: no limit
  /// Clock rate in which costs and copies are measured; 0: the host's.
  unsigned megahertz = 0;
  bool takesLengths = false;   ///< its programs take sizes that a run gives
  bool runsLoops = false;      ///< runs every node with loops of these kinds
  bool driverCompiles = false; ///< tests of all backends leave it out
};

/// A placed program of instructions that becomes a function in an emitted file.
struct EntryPoint {
  std::string name; ///< a C identifier
  ir::FuncOp function;
  std::shared_ptr<const void> owner;  ///< as in Backend::compile
  std::vector<StatePair> states = {}; ///< Program::states of a file
};

/// The compile half of a backend: the last phase.
class Backend {
public:
  virtual ~Backend() = default;
  virtual llvm::StringRef name() const = 0;

  /// Adds the backend's own graph rewrites. addGraphPasses runs before
  /// lowering, while nodes are as large as in the model. addFusionPasses runs
  /// after lowering. `options` are those of the later call of `compile`.
  virtual void addGraphPasses(mlir::OpPassManager &passes,
                              const CodeOptions &options) const {}
  virtual void addFusionPasses(mlir::OpPassManager &passes,
                               const CodeOptions &options) const {}

  /// Compiles a placed program of instructions for the backend's devices.
  /// Constants of the module are referred to, not copied. `owner` keeps them
  /// alive, unless the module marks this call as its last reader
  /// (Graph/LastReader.h). Errors are reported to the diagnostic engine. A
  /// backend that generates no code ignores `options`.
  virtual mlir::FailureOr<Program>
  compile(ir::FuncOp function, std::shared_ptr<const void> owner,
          const CodeOptions &options = {}) const;

  /// Compiles a function of nodes, all of which the backend runs. Only backends
  /// whose record has `takesNodes` implement it; the backend also chooses
  /// the memory of values.
  virtual mlir::FailureOr<Program>
  compileNodes(FuncOp function, std::shared_ptr<const void> owner,
               const CodeOptions &options = {}) const;

  /// The loops of an instruction that the backend runs; null if it has none.
  virtual std::unique_ptr<loops::Program>
  loopsOf(mlir::Operation *instr) const {
    return ir::loopsOf(instr);
  }
  /// Replaces the statements of a program by those that the backend runs for a
  /// layer, with complete plans. Parts that are given, in a statement or in a
  /// plan of `options` for the layer, are kept. Fails with
  ///   Code::Unsupported      if it has no code for loops, or not for these;
  ///   Code::InvalidArgument  if a given part is impossible.
  virtual Status planLoops(loops::Program &program, llvm::StringRef layer,
                           const CodeOptions &options) const;

  /// The choice that was made for each step of a program from `compile`.
  virtual std::vector<StepReport> report(const Program &program) const {
    return {};
  }

  /// Fails if the backend cannot generate code for `options`, for example for
  /// an unknown processor. A backend that generates no code refuses plans of
  /// loops, and ignores other options.
  virtual Status checkOptions(const CodeOptions &options) const;

  /// Key of everything but the model that code depends on, such as the
  /// processor; "" if programs are not cached for later runs.
  virtual std::string fingerprint(const CodeOptions &options) const {
    return "";
  }
  /// Serializes a program for `restore`, without the data of constants.
  virtual Result<std::string> store(const Program &program) const;
  virtual Result<Program> restore(const StoredProgram &stored) const;

  /// The settings for compiling models into an emitted file, derived from the
  /// requested ones. It is called before `emit`, since graph passes depend on
  /// them.
  virtual Settings settingsFor(const EmitRequest &request) const {
    return request.code.settings;
  }

  /// Turns programs into files that run without a compiler. Fails with
  ///   Code::Unsupported      if it emits no such files, or not of these nodes;
  ///   Code::InvalidArgument  if the target is unknown, or after errors that
  ///                          were reported to the diagnostic engine.
  virtual Result<std::vector<EmittedFile>>
  emit(std::span<const EntryPoint> entries, const EmitRequest &request) const;
};

void registerLegality(std::span<const BackendInfo> backends,
                      std::span<const LegalInfo> legal);
void registerCode(std::span<const CodeInfo> code,
                  std::span<const KernelInfo> kernels);
void registerBackend(const Backend &backend);

/// Gives a backend whose record has `stepwise` its compile half and its device.
/// They are those of the interpreter, under that name, with the kernels of the
/// record.
void registerStepwise(const std::string &name);

const Backend *findBackend(llvm::StringRef name);
const BackendInfo *findBackendInfo(llvm::StringRef name);
std::vector<BackendInfo> allBackends();

/// The backends that can compile, in alphabetical order.
std::vector<std::string> backendNames();

/// Checks a backend and its settings. Fails with Code::NotFound, naming the
/// known backends, if there is no backend of that name, or if a fallback is
/// unknown. Fails with Code::InvalidArgument if its fallbacks form a cycle, or
/// if it lacks one of the settings, as checkSettings does.
Status checkBackend(const std::string &name, const Settings &settings = {});

/// A backend that passes `checkBackend`, followed by its fallbacks. Each
/// backend runs nodes that the earlier backends cannot.
std::vector<const BackendInfo *> withFallbacks(llvm::StringRef name);

/// Whether a node's code is for a processor without vector registers
/// (Graph/Scalar.h).
bool isScalar(mlir::Operation *node);

/// The condition under which the backend runs this node unchanged. "" if it
/// always does; nothing if it does not.
std::optional<std::string> whyItRuns(const BackendInfo &backend,
                                     mlir::Operation *node);
/// Whether the backend may run nodes of this name by a reference kernel where
/// it has no other means.
bool runsReferenceOf(const BackendInfo &backend, llvm::StringRef node);
/// Whether the backend runs nodes of this name by their loops, on tensors of
/// some kinds.
bool runsLoopsOf(const BackendInfo &backend, llvm::StringRef node);
/// Whether the backend runs this node by its loops.
bool runsLoopsOf(const BackendInfo &backend, mlir::Operation *node);
/// Whether the backend runs the node unchanged.
bool runs(const BackendInfo &backend, mlir::Operation *node);
/// The conditions under which it runs nodes of this name, as text; empty if it
/// never does.
std::vector<std::string> whenItRuns(const BackendInfo &backend,
                                    llvm::StringRef node);

/// The violated conditions of a node that the backend does not run, each with
/// the actual value: "it runs when k % 16 == 0; here k is 20".
std::vector<std::string> whyItDoesNotRun(const BackendInfo &backend,
                                         mlir::Operation *node);

/// The backend's own code for this node: the first CodeFor record whose
/// condition holds, or null.
const CodeInfo *codeFor(llvm::StringRef backend, mlir::Operation *node);

/// The implementation by which a backend runs nodes. Both texts are "" for a
/// backend without records of code and kernels, such as the reference.
struct Means {
  std::string text;
  bool own; ///< false if a reference kernel is used in some case
};
/// The implementation of this node, which the backend runs: "depthwise", an
/// algorithm of its code, "way of cpu_conv", "kernel", "loops from the record",
/// "formula from the record" or "the reference's kernel".
Means meansOf(const BackendInfo &backend, mlir::Operation *node);
/// The implementations of all nodes of this name: "winograd when A, direct when
/// B, else kernel (f32), else the reference's kernel".
Means meansOf(const BackendInfo &backend, llvm::StringRef node);

} // namespace glow

#endif // GLOW_BACKEND_BACKEND_H
