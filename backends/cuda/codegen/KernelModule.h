//===- KernelModule.h - the kernels of one program --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CUDA_CODEGEN_KERNELMODULE_H
#define GLOW_BACKENDS_CUDA_CODEGEN_KERNELMODULE_H

#include "Values.h"
#include "llvm/ADT/StringMap.h"

namespace glow::cuda {

/// The forms of kernels: elements or sums of one thread, neighbouring elements
/// on neighbouring threads; and tiles of a product, of one block.
inline constexpr plans::PlanForms planForms = {.hasLanes = false,
                                               .hasLocal = true,
                                               .group = 128,
                                               .mostGroup = 1024,
                                               .localGroup = 256,
                                               .localLanes = 64,
                                               .localRows = 64,
                                               .localTerms = 16};

/// A kernel of the module, and the arguments of one launch of it.
struct LaunchedKernel {
  uint32_t kernel = 0;
  bool isNew = false;
  std::vector<unsigned> tensors{};
  std::vector<int64_t> numbers{};
  uint64_t blocks = 1, threads = 1;
  bool needsGroup = false;
};

/// The kernels of a program as functions of one LLVM module.
class KernelModule {
public:
  KernelModule();

  /// The kernels of an instruction's loops. Kernels of equal code are one.
  /// Fails as plans::planKernels.
  Result<std::vector<LaunchedKernel>> add(loops::Program &program);
  /// PTX of all kernels, followed by the LLVM IR that it was made from, in
  /// comments. Fails with Code::Unsupported if LLVM has no such target.
  Result<std::string> print();

private:
  Result<LaunchedKernel> addKernel(loops::Program &program,
                                   const plans::PlannedKernel &planned);

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  llvm::StringMap<uint32_t> known; ///< numbers of kernels, by their code
};

/// Whether the library has a scalar function for a computation kind.
bool hasFunction(llvm::StringRef function, ElementKind computes);

/// Brings the functions that the module calls into it.
Status linkFunctions(llvm::Module &module);

/// Optimizes a module for a GPU, and prints it as KernelModule::print does.
Result<std::string> printPtx(llvm::Module &module);

} // namespace glow::cuda

#endif // GLOW_BACKENDS_CUDA_CODEGEN_KERNELMODULE_H
