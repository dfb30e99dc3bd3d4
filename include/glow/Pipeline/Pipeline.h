//===- Pipeline.h - the phases of the compiler ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PIPELINE_PIPELINE_H
#define GLOW_PIPELINE_PIPELINE_H

#include "glow/Base/Status.h"
#include "glow/Partition/NodeCosts.h"
#include "glow/Program/CodeOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include <string>
#include <vector>

namespace glow {

/// The phases of the compiler, in order; `phaseNames` has their words in this
/// order.
enum class Phase { Import, Graph, Optimize, Partition, Lower, IRGen, Plan };

/// The words of the phases, as in `--stop-after`, in their order.
std::vector<std::string> phaseNames();

/// The phase of a word; fails with the reason for any other word.
Result<Phase> phaseNamed(llvm::StringRef name);

/// Partition of a model over several devices.
struct PartitionPlan {
  PartitionRequest request;
  std::shared_ptr<NodeCosts> costs;
};

/// Adds the passes of every phase after import up to and including `last`, and
/// the verification between phases. Tensors may take the bytes of the options'
/// memory limit; 0 is `defaultMemoryLimit()`.
///
/// Unless it is `alone`, a backend with fallbacks assigns parts to them. With a
/// `plan`, its devices have parts, of any backend. The attributes of
/// Graph/OfDevice.h name the backend or device of a module with one part. With
/// several parts, each is a module nested in the model's module. A module that
/// arrives in parts keeps its partition.
void addPhases(mlir::PassManager &passes, llvm::StringRef backend, Phase last,
               const CodeOptions &options = {}, bool alone = false,
               const PartitionPlan *plan = nullptr);

/// Adds the phases of one backend from lowering on, up to and including `last`.
void addPhasesOf(llvm::StringRef backend, mlir::OpPassManager &passes,
                 Phase last, const CodeOptions &options);

/// Registers the dialects, the interpreter that folds constants, and the
/// project's passes. Call it once, before a context is made.
void registerDialects(mlir::DialectRegistry &registry);
void registerPasses();

} // namespace glow

#endif // GLOW_PIPELINE_PIPELINE_H
