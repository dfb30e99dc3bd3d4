//===- Sample.h - samples of records as modules that run ------------------===//

#ifndef GLOW_TEST_SAMPLES_SAMPLE_H
#define GLOW_TEST_SAMPLES_SAMPLE_H

#include "glow/Graph/Dialect.h"
#include "glow/Graph/Samples.h"
#include "glow/Program/Program.h"
#include "glow/Runtime/Host.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace glow::test {

/// "f32[2,3] in 0.5..2".
struct OperandText {
  mlir::RankedTensorType type;
  double low = -2, high = 2;
};

/// Random values in an operand's range.
Tensor randomTensor(const OperandText &operand, unsigned seed);

/// A module whose function applies the node of a sample to inputs x0, x1, ...
class SampleModule {
public:
  /// Operands of a float kind are of `floats`, if that names one.
  SampleModule(mlir::MLIRContext &context, const SampleInfo &sample,
               llvm::StringRef floats = "");

  mlir::ModuleOp operator*() { return *module; }
  /// Null when the sample is refused.
  mlir::Operation *node = nullptr;
  std::vector<OperandText> operands;
  /// At the end of the function.
  mlir::OpBuilder builder;

  mlir::Value input(const llvm::Twine &name, mlir::Type type);
  void output(const llvm::Twine &name, mlir::Value value);
  /// Saves every result, as y0, y1, ...
  void saveResults();

private:
  void place(const llvm::Twine &name, mlir::Type type, llvm::StringRef role);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  FuncOp function;
};

/// A module that has walked through the rooms, on the interpreter.
class Executable {
public:
  /// Both return what went wrong, or nothing.
  std::string compile(mlir::ModuleOp module);
  std::string run(const std::function<Tensor(const std::string &)> &input,
                  std::vector<NamedTensor> &outputs);

private:
  Program program;
  Host host;
  NetworkId network{};
};

/// Both return what does not hold, or nothing. `derivatives` counts the
/// elements that were compared.
std::string checkSample(mlir::MLIRContext &context, const SampleInfo &sample);
std::string checkGradient(mlir::MLIRContext &context, const SampleInfo &sample,
                          unsigned &derivatives);

} // namespace glow::test

#endif // GLOW_TEST_SAMPLES_SAMPLE_H
