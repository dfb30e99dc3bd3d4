//===- KernelText.cpp - OpenCL C of one kernel ----------------------------===//
// SPDX-License-Identifier: MIT

#include "StatementText.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::opencl;
using namespace glow::loops;

namespace {

class ProgramText {
public:
  explicit ProgramText(Program &program) : program(program) {}

  Result<std::vector<KernelText>> run() {
    Result<std::vector<plans::PlannedKernel>> planned =
        plans::planKernels(program, planForms, hasFunction);
    if (!planned)
      return planned.status();
    for (const plans::PlannedKernel &kernel : *planned)
      if (Status status = add(kernel); !status.ok())
        return status;
    return std::move(kernels);
  }

private:
  Status add(const plans::PlannedKernel &kernel) {
    if (kernel.scan)
      return addScan(kernel);
    if (!kernel.statements.empty())
      return addKernel(kernel.statements.front());
    addFailure();
    return Status();
  }

  Status finish(KernelText kernel, Values &values) {
    if (!values.refused.empty())
      return failure(Code::Unsupported, values.refused);
    kernel.body = values.take();
    kernels.push_back(std::move(kernel));
    return Status();
  }

  Values begin(KernelText &kernel) {
    Values values(program, kernel);
    if (std::optional<ElementKind> kind = plans::movedKind(program)) {
      values.moves = true;
      values.moved = *kind;
    }
    return values;
  }

  /// A kernel of one statement.
  Status addKernel(const DevicePlan &plan) {
    KernelText kernel;
    Values values = begin(kernel);
    StatementText text(program, plan, values);
    if (plan.isLocal()) {
      addLocal(plan, text, kernel);
      return finish(std::move(kernel), values);
    }
    for (auto [number, index] : llvm::enumerate(llvm::reverse(plan.items))) {
      kernel.global[std::min<size_t>(number, 2)] *=
          uint64_t(plan.countOf(index));
    }
    if (!plan.items.empty()) {
      kernel.local[0] = uint64_t(plan.group);
      kernel.global[0] = (kernel.global[0] + kernel.local[0] - 1) /
                         kernel.local[0] * kernel.local[0];
    }
    text.bindItems();
    text.emit();
    return finish(std::move(kernel), values);
  }

  /// A kernel of groups whose work-items share factors in local memory.
  static void addLocal(const DevicePlan &plan, StatementText &text,
                       KernelText &kernel) {
    const size_t count = plan.items.size();
    const auto sizeOf = [&](size_t item) {
      return uint64_t(plan.countOf(plan.items[item]));
    };
    kernel.local[0] = uint64_t(plan.group);
    kernel.global[0] = (sizeOf(count - 1) + kernel.local[0] - 1) /
                       kernel.local[0] * kernel.local[0];
    kernel.global[1] = sizeOf(count - 2);
    for (size_t item = 0; item + 2 < count; ++item)
      kernel.global[2] *= sizeOf(item);
    kernel.needsGroup = true;
    kernel.localFloats = uint64_t(plan.localSize * plan.lanes->size);
    text.emitLocal();
  }

  /// A kernel that only reports an index out of range.
  void addFailure() {
    KernelText kernel;
    kernel.body = "atomic_cmpxchg(failed, 0, step);\n";
    kernels.push_back(std::move(kernel));
  }

  Status addScan(const plans::PlannedKernel &planned) {
    const Scan &scan = *planned.scan;
    KernelText kernel;
    kernel.global[0] = kernel.local[0] = plans::scanGroup;
    kernel.needsGroup = true;
    Values values = begin(kernel);
    for (const DevicePlan &plan : planned.statements)
      values.changed.insert(plan.statement.tensor);
    std::string end = values.number(program.extent(scan.index));
    values.open("for (int s = 0; s < " + end + "; ++s)");
    values.line("const int at = " +
                (scan.backwards ? end + " - 1 - s" : std::string("s")) + ";");
    values.bind(scan.index, "at");
    for (const DevicePlan &plan : planned.statements) {
      StatementText text(program, plan, values);
      text.shareItems(plans::scanGroup);
      text.emit();
      values.close();
      values.line("barrier(CLK_GLOBAL_MEM_FENCE);");
    }
    values.close();
    return finish(std::move(kernel), values);
  }

  Program &program;
  std::vector<KernelText> kernels;
};

} // namespace

Result<std::vector<KernelText>> opencl::kernelsOf(Program &program) {
  return ProgramText(program).run();
}
