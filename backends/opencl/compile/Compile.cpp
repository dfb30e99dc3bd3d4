//===- Compile.cpp - programs of kernels in OpenCL C ----------------------===//
// SPDX-License-Identifier: MIT

#include "Compile.h"
#include "codegen/KernelText.h"
#include "device/Code.h"
#include "llvm/ADT/StringMap.h"

using namespace glow;
using namespace glow::opencl;

namespace {

class OpenclPrinter final : public KernelPrinter {
public:
  Result<std::vector<PrintedKernel>> print(loops::Program &loops,
                                           uint32_t step) override {
    Result<std::vector<KernelText>> made = kernelsOf(loops);
    if (!made)
      return made.status();
    for (const loops::Tensor &tensor : loops.tensors)
      all->usesDoubles |= tensor.kind == ElementKind::F64;
    std::vector<PrintedKernel> kernels;
    for (KernelText &kernel : *made)
      kernels.push_back({kernelOf(kernel, step), std::move(kernel.tensors),
                         std::move(kernel.numbers), kernel.global, kernel.local,
                         kernel.needsGroup});
    return kernels;
  }
  Status finish() override {
    all->prelude = prelude();
    return Status();
  }
  std::shared_ptr<LaunchCode> code() override { return all; }

private:
  /// The number of a kernel with this text; layers share kernels.
  uint32_t kernelOf(const KernelText &kernel, uint32_t step) {
    std::string text = textOf(kernel);
    auto [known, isNew] =
        numbers.try_emplace(text, uint32_t(all->kernels.size()));
    if (isNew) {
      std::string name = "k" + std::to_string(known->second);
      all->kernels.push_back(name);
      all->kernelSteps.push_back(step);
      all->sources.push_back("\nkernel void " + name + text);
    }
    return known->second;
  }

  /// The text of a kernel after its name.
  static std::string textOf(const KernelText &kernel) {
    std::string head, body;
    for (size_t i = 0; i < kernel.tensors.size(); ++i) {
      std::string at = std::to_string(i);
      head += "global uchar *b" + at + ", ";
      body += "global uchar *t" + at + " = b" + at + " + n[" +
              std::to_string(i + 1) + "];\n";
    }
    llvm::StringRef rest = kernel.body;
    const std::string offset = std::to_string(kernel.tensors.size() + 1);
    while (true) {
      auto [before, after] = rest.split("OFFSETS");
      body += before;
      if (before.size() == rest.size())
        break;
      body += offset;
      rest = after;
    }
    return "(" + head +
           "global int *failed, global const long *list, long first) {\n"
           "global const long *n = list + first;\n" +
           (kernel.localFloats ? "local float factors[" +
                                     std::to_string(kernel.localFloats) + "];\n"
                               : "") +
           "const int step = (int)n[0];\n" + body + "}\n";
  }

  const std::shared_ptr<OpenclCode> all = std::make_shared<OpenclCode>();
  llvm::StringMap<uint32_t> numbers; ///< of kernels, by their text
};

} // namespace

std::unique_ptr<KernelPrinter>
OpenclBackend::printer(const CodeOptions &) const {
  return std::make_unique<OpenclPrinter>();
}

const plans::PlanForms &OpenclBackend::forms() const { return planForms; }

bool OpenclBackend::hasFunction(llvm::StringRef function,
                                ElementKind computes) const {
  return opencl::hasFunction(function, computes);
}
