//===- LaunchBackend.h - from instructions to launches ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKEND_LAUNCHBACKEND_H
#define GLOW_BACKEND_LAUNCHBACKEND_H

#include "glow/Backend/Backend.h"
#include "glow/DevicePlan/Kernels.h"
#include "glow/Program/Launches.h"

namespace glow {

/// A kernel of a program, and the arguments of one launch of it. Sizes and
/// strides are numbers of the launch, so that layers of different sizes share a
/// kernel. The numbers begin with those of Launch::first.
struct PrintedKernel {
  uint32_t kernel = 0;             ///< index into LaunchCode::kernels
  std::vector<unsigned> tensors{}; ///< tensors of the loops, in order
  std::vector<int64_t> numbers{};  ///< after the offsets of tensors
  std::array<uint64_t, 3> global = {1, 1, 1}, local = {1, 1, 1};
  bool needsGroup = false; ///< whether work-items of a group wait for others
};

/// Prints the kernels of one program.
class KernelPrinter {
public:
  virtual ~KernelPrinter() = default;
  /// Prints the kernels of an instruction. Fails with Code::Unsupported if the
  /// loops need a function or an element kind without code.
  virtual Result<std::vector<PrintedKernel>> print(loops::Program &loops,
                                                   uint32_t step) = 0;
  /// Ends the program: its code, with all kernels.
  virtual Status finish() = 0;
  virtual std::shared_ptr<LaunchCode> code() = 0;
};

/// The compile half of a backend whose kernels a driver compiles: the loops of
/// each instruction become launches of kernels.
class LaunchBackend : public Backend {
public:
  mlir::FailureOr<Program>
  compile(ir::FuncOp function, std::shared_ptr<const void> owner,
          const CodeOptions &options = {}) const override;
  /// Also the loops of a conversion, whose record has none.
  std::unique_ptr<loops::Program>
  loopsOf(mlir::Operation *instr) const override;
  Status planLoops(loops::Program &program, llvm::StringRef layer,
                   const CodeOptions &options) const override;
  std::vector<StepReport> report(const Program &program) const override;

  /// The language of kernels, for messages: "OpenCL".
  virtual llvm::StringRef language() const = 0;
  virtual std::unique_ptr<KernelPrinter>
  printer(const CodeOptions &options) const = 0;
  virtual const plans::PlanForms &forms() const = 0;
  virtual bool hasFunction(llvm::StringRef function,
                           ElementKind computes) const = 0;
};

} // namespace glow

#endif // GLOW_BACKEND_LAUNCHBACKEND_H
