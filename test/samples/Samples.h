//===- Samples.h - running what a sample builds ---------------*- C++ -*-===//
//
// The tables that ClassGen writes of samples, and what their tests share: a
// module around nodes, random inputs, a run, a comparison.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TEST_SAMPLES_SAMPLES_H
#define GLOW_TEST_SAMPLES_SAMPLES_H

#include "glow/Graph/Dialect.h"
#include "glow/Runtime/Tensor.h"
#include <functional>
#include <random>

namespace glow {

/// "f32[2,3] in 0.5..2 constant", and the kind variable of the signature that
/// it follows, "" for none.
struct SampleOperand {
  const char *text, *variable;
};

/// The kind that an attribute has in a sample: its name, and what is written.
using SampleKinds = llvm::function_ref<mlir::Type(const char *, const char *)>;

struct KindVariable {
  const char *name;
  std::vector<const char *> kinds;
};

struct SampleInfo {
  const char *node, *label, *refuses;
  std::vector<SampleOperand> operands;
  std::vector<KindVariable> variables;
  mlir::Operation *(*build)(mlir::OpBuilder &, mlir::Location, mlir::ValueRange,
                            SampleKinds);
};

/// The left side of a rewrite.
struct RewriteSample {
  const char *rewrite;
  std::vector<SampleOperand> operands;
  llvm::LogicalResult (*build)(mlir::OpBuilder &, mlir::Location,
                               mlir::ValueRange,
                               llvm::SmallVectorImpl<mlir::Value> &);
};

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

/// Runs it by the interpreter; `optimise` says whether the graph walks through
/// the optimiser first. Returns what went wrong, or "".
std::string execute(SampleModule &sample, bool optimise,
                    std::vector<Tensor> &results);

/// What differs by more than the tolerance of `node`; a kind wider than that of
/// `actual` serves as the reference. "" when nothing does. `roundings` is how
/// many nodes in a row round their results.
std::string compare(llvm::StringRef node, const std::vector<Tensor> &actual,
                    const std::vector<Tensor> &expected, int roundings = 1);

/// Whether the text, the bytecode and the generic form of a module give it
/// back; what went wrong, or "".
std::string roundTrip(mlir::ModuleOp module);

/// Each of these says on stderr what does not hold, and counts it.
unsigned testNodes(mlir::MLIRContext &context, unsigned &runs);
unsigned testPermuted(mlir::MLIRContext &context, unsigned &runs);
unsigned testFolds(mlir::MLIRContext &context, unsigned &runs);

} // namespace glow

#endif // GLOW_TEST_SAMPLES_SAMPLES_H
