//===- Compile.cpp - programs of kernels in PTX ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Compile.h"
#include "codegen/KernelModule.h"
#include "device/Code.h"

using namespace glow;
using namespace glow::cuda;

namespace {

class CudaPrinter final : public KernelPrinter {
public:
  Result<std::vector<PrintedKernel>> print(loops::Program &loops,
                                           uint32_t step) override {
    Result<std::vector<LaunchedKernel>> made = module.add(loops);
    if (!made)
      return made.status();
    std::vector<PrintedKernel> kernels;
    for (LaunchedKernel &kernel : *made) {
      if (kernel.isNew) {
        all->kernels.push_back("k" + std::to_string(kernel.kernel));
        all->kernelSteps.push_back(step);
      }
      kernels.push_back({kernel.kernel,
                         std::move(kernel.tensors),
                         std::move(kernel.numbers),
                         {kernel.blocks * kernel.threads, 1, 1},
                         {kernel.threads, 1, 1},
                         kernel.needsGroup});
    }
    return kernels;
  }
  Status finish() override {
    Result<std::string> ptx = module.print();
    if (ptx)
      all->ptx = ptx.take();
    return ptx.status();
  }
  std::shared_ptr<LaunchCode> code() override { return all; }

private:
  KernelModule module;
  const std::shared_ptr<CudaCode> all = std::make_shared<CudaCode>();
};

} // namespace

std::unique_ptr<KernelPrinter> CudaBackend::printer(const CodeOptions &) const {
  return std::make_unique<CudaPrinter>();
}

const plans::PlanForms &CudaBackend::forms() const { return planForms; }

bool CudaBackend::hasFunction(llvm::StringRef function,
                              ElementKind computes) const {
  return cuda::hasFunction(function, computes);
}
