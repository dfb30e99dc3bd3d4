//===- CaseMaker.h - collects cases -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_SAMPLES_CASEMAKER_H
#define GLOW_LIB_SAMPLES_CASEMAKER_H

#include "glow/Samples/Cases.h"
#include "glow/Samples/Samples.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/Twine.h"
#include <memory>

namespace glow {

/// Collects the cases of a choice.
class CaseMaker {
public:
  explicit CaseMaker(const CaseChoice &choice);

  /// Whether the node's own cases are selected.
  bool isChosen(llvm::StringRef node) const;
  /// The backends that run a node's samples, besides the reference.
  std::vector<std::string> backendsFor(llvm::StringRef node) const;
  /// The reason why a backend that may leave nodes out cannot run a module; ""
  /// if it can, or must.
  std::string notTaken(mlir::ModuleOp module, llvm::StringRef backend) const;

  /// Adds "SUBJECT NAME".
  void add(CaseKind kind, llvm::StringRef subject, const llvm::Twine &name,
           llvm::StringRef place,
           std::function<CaseOutcome(mlir::MLIRContext &)> run);

  mlir::MLIRContext &context() { return *shared; }

  const CaseChoice choice;
  std::vector<SampleCase> cases;

private:
  bool isNamed(llvm::StringRef node) const;

  std::shared_ptr<mlir::MLIRContext> shared;
};

/// Functions that add the cases of each kind. Cases share `maker` if they use
/// it later.
void addNodeCases(const std::shared_ptr<CaseMaker> &maker);
void addPermutedCases(CaseMaker &maker);
void addFormulaCases(const std::shared_ptr<CaseMaker> &maker);
void addEmptyCases(const std::shared_ptr<CaseMaker> &maker);
void addLengthCases(const std::shared_ptr<CaseMaker> &maker);
void addHalfCases(CaseMaker &maker);
void addDeviceCases(const std::shared_ptr<CaseMaker> &maker);
void addGradientCases(const std::shared_ptr<CaseMaker> &maker);
void addRewriteCases(CaseMaker &maker);

} // namespace glow

#endif // GLOW_LIB_SAMPLES_CASEMAKER_H
