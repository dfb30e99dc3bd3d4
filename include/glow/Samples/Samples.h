//===- Samples.h - runs and checks of samples -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Shared parts of tests of samples: a module around nodes, random inputs, a
// run, and a comparison.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_SAMPLES_SAMPLES_H
#define GLOW_SAMPLES_SAMPLES_H

#include "glow/Graph/Dialect.h"
#include "glow/Graph/Samples.h"
#include "glow/Program/Program.h"
#include "glow/Runtime/Host.h"
#include "mlir/Pass/PassManager.h"
#include <functional>
#include <random>

namespace glow {

/// The type and the range of an operand in a run.
struct OperandText {
  mlir::RankedTensorType type;
  double low = -2, high = 2;
  bool constant = false;
};

/// `kind` replaces the kind in the text unless it is empty.
OperandText readOperand(mlir::MLIRContext *context, llvm::StringRef text,
                        llvm::StringRef kind);

/// Random values in the operand's range, reproducible by `seed`. They are
/// rounded to `through` first, so that a tensor of a wider kind can have the
/// same values.
Tensor randomTensor(const OperandText &operand, ElementKind through,
                    unsigned seed);

/// The location of a node's record; "" for an unknown node.
std::string placeOf(llvm::StringRef node);

/// Whether a node belongs to a backend and is declared beside the backend's
/// record. Elements in the results of such nodes may be unspecified.
bool isOfBackend(llvm::StringRef node);
bool isOfBackend(llvm::StringRef node, llvm::StringRef backend);

/// The backends whose results are compared with the interpreter's.
std::vector<std::string> computingBackends();

/// A module of one function, and its inputs.
struct SampleModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Tensor> inputs; ///< null for an operand that is a constant
  std::string said;           ///< diagnostics from the construction
  bool built = false;
};

/// Builds the results of nodes on operands.
using BuildResults = llvm::function_ref<bool(
    mlir::OpBuilder &, mlir::ValueRange, llvm::SmallVectorImpl<mlir::Value> &)>;

/// Makes the operands, calls the builder, and saves the results.
SampleModule buildModule(mlir::MLIRContext &context,
                         llvm::ArrayRef<OperandText> operands,
                         llvm::ArrayRef<ElementKind> through,
                         BuildResults build);

/// The operands of a sample as written in its record.
std::vector<OperandText> operandsOf(mlir::MLIRContext &context,
                                    const SampleInfo &sample);

/// The node of a sample on these operands. `results` selects its results; the
/// default is all.
SampleModule
buildSample(mlir::MLIRContext &context, const SampleInfo &sample,
            llvm::ArrayRef<OperandText> operands,
            llvm::function_ref<void(mlir::OpBuilder &, mlir::Operation *,
                                    llvm::SmallVectorImpl<mlir::Value> &)>
                results = nullptr);

/// Adds the passes that every run requires.
void addNeededPhases(mlir::PassManager &passes, llvm::StringRef backend);

/// A compiled module on a device. Both methods return the reason of a failure,
/// or "".
class Executable {
public:
  /// Compiles for a backend, "" for the reference; changes the module.
  /// `optimise` runs the optimiser first.
  std::string compile(mlir::ModuleOp module, bool optimise,
                      llvm::StringRef backend = "",
                      const CodeOptions &options = {});
  /// Runs the module; may be called many times. Unnamed inputs are x0, x1...
  std::string run(llvm::ArrayRef<NamedTensor> inputs,
                  std::vector<Tensor> &results);
  std::string run(llvm::ArrayRef<Tensor> inputs, std::vector<Tensor> &results);

  /// The program from `compile`.
  const Program &compiled() const { return program; }

private:
  Program program;
  Host host;
  ModelId network{};
};

/// Compiles and runs a sample.
std::string execute(SampleModule &sample, bool optimise,
                    std::vector<Tensor> &results, llvm::StringRef backend = "");

/// Describes the elements that differ by more than the tolerance of `node`; ""
/// if there are none. If the kinds differ, the wider kind serves as the
/// reference. `roundings` is the number of consecutive nodes that round their
/// results.
std::string compare(llvm::StringRef node, const std::vector<Tensor> &actual,
                    const std::vector<Tensor> &expected, int roundings = 1);

/// Whether a backend's record has a kernel for a node, for some kind.
bool hasKernel(llvm::StringRef node, llvm::StringRef backend);

/// Checks the only instruction of a placed module, besides copies, if a kernel
/// of a record runs it. Describes the results that differ from the reference's
/// by more than the record allows; "" if there are none.
std::string compareKernel(mlir::ModuleOp placed, llvm::StringRef backend,
                          llvm::ArrayRef<Tensor> inputs,
                          llvm::ArrayRef<Tensor> actual,
                          llvm::ArrayRef<Tensor> expected);

/// Whether the text, the bytecode and the generic form of a module read back as
/// the same module; returns the reason of a failure, or "".
std::string roundTrip(mlir::ModuleOp module);

/// The reason why the loops of a module's nodes, or a backend's plans of them,
/// do not parse back from their text; empty if they do.
std::string loopFault(mlir::ModuleOp module);

} // namespace glow

#endif // GLOW_SAMPLES_SAMPLES_H
