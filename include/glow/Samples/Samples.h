//===- Samples.h - running what a sample builds ---------------*- C++ -*-===//
//
// What tests of samples share: a module around nodes, random inputs, a run, a
// comparison.
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

/// An operand as it is run.
struct OperandText {
  mlir::RankedTensorType type;
  double low = -2, high = 2;
  bool constant = false;
};

/// `kind` replaces the kind in the text unless it is empty.
OperandText readOperand(mlir::MLIRContext *context, llvm::StringRef text,
                        llvm::StringRef kind);

/// Random values in the operand's range, the same for a seed. They are rounded
/// to `through` first, so that a tensor of a wider kind can have the same.
Tensor randomTensor(const OperandText &operand, ElementKind through,
                    unsigned seed);

/// The place of a node's record, "" of what is none.
std::string placeOf(llvm::StringRef node);

/// Whether a node is for the use of a backend, beside whose record its own is:
/// there, elements of a result may hold anything.
bool isOfBackend(llvm::StringRef node);
bool isOfBackend(llvm::StringRef node, llvm::StringRef backend);

/// The backends whose results are compared with those of the interpreter.
std::vector<std::string> computingBackends();

/// A module of one function, and its inputs.
struct SampleModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Tensor> inputs; ///< null where an operand is a constant
  std::string said;           ///< by diagnostics, while it was built
  bool built = false;
};

/// Builds the results of nodes on operands.
using BuildResults = llvm::function_ref<bool(
    mlir::OpBuilder &, mlir::ValueRange, llvm::SmallVectorImpl<mlir::Value> &)>;

/// Reads the operands, builds, and saves the results.
SampleModule buildModule(mlir::MLIRContext &context,
                         llvm::ArrayRef<OperandText> operands,
                         llvm::ArrayRef<ElementKind> through,
                         BuildResults build);

/// The operands of a sample as its record writes them.
std::vector<OperandText> operandsOf(mlir::MLIRContext &context,
                                    const SampleInfo &sample);

/// The node of a sample on such operands; `results` says what of it, all unless
/// it is given.
SampleModule
buildSample(mlir::MLIRContext &context, const SampleInfo &sample,
            llvm::ArrayRef<OperandText> operands,
            llvm::function_ref<void(mlir::OpBuilder &, mlir::Operation *,
                                    llvm::SmallVectorImpl<mlir::Value> &)>
                results = nullptr);

/// Adds the passes without which nothing runs.
void addNeededRooms(mlir::PassManager &passes, llvm::StringRef backend);

/// A module that walked through the rooms, on a device. Both methods return
/// what went wrong, or "".
class Executable {
public:
  /// `optimise` says whether the graph walks through the optimiser first.
  /// Changes the module. "" is the reference.
  std::string compile(mlir::ModuleOp module, bool optimise,
                      llvm::StringRef backend = "",
                      const CodeOptions &options = {});
  /// As often as one likes. Inputs that are not named are x0, x1...
  std::string run(llvm::ArrayRef<NamedTensor> inputs,
                  std::vector<Tensor> &results);
  std::string run(llvm::ArrayRef<Tensor> inputs, std::vector<Tensor> &results);

  /// What `compile` made.
  const Program &compiled() const { return program; }

private:
  Program program;
  Host host;
  NetworkId network{};
};

/// Both in one.
std::string execute(SampleModule &sample, bool optimise,
                    std::vector<Tensor> &results, llvm::StringRef backend = "");

/// What differs by more than the tolerance of `node`; a kind wider than that of
/// `actual` serves as the reference. "" when nothing does. `roundings` is how
/// many nodes in a row round their results.
std::string compare(llvm::StringRef node, const std::vector<Tensor> &actual,
                    const std::vector<Tensor> &expected, int roundings = 1);

/// Whether a backend's record has a kernel for a node, in some kind.
bool hasKernel(llvm::StringRef node, llvm::StringRef backend);

/// Where the only instruction of a placed module beside copies is run by a
/// kernel that a record names: what of its results is further from the
/// reference's than the record says, or "".
std::string compareKernel(mlir::ModuleOp placed, llvm::StringRef backend,
                          llvm::ArrayRef<Tensor> inputs,
                          llvm::ArrayRef<Tensor> actual,
                          llvm::ArrayRef<Tensor> expected);

/// Whether the text, the bytecode and the generic form of a module give it
/// back; what went wrong, or "".
std::string roundTrip(mlir::ModuleOp module);

/// Why the loops of a module's nodes, or a backend's plans of them, do not
/// parse back from their text; empty where they do.
std::string loopFault(mlir::ModuleOp module);

} // namespace glow

#endif // GLOW_SAMPLES_SAMPLES_H
