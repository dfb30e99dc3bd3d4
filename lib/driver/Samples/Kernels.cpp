//===- Kernels.cpp - kernels within the tolerance of their records --------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/Steps.h"
#include "glow/Base/VisitKind.h"
#include "glow/IR/Access.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Samples/Samples.h"
#include <cmath>

using namespace mlir;
using namespace glow;

bool glow::hasKernel(StringRef node, StringRef backend) {
  StringRef mnemonic = node.split('.').second;
  return llvm::any_of(
      KernelRegistry::instance().of(backend.str()),
      [&](const BackendKernel &row) { return mnemonic == row.instruction; });
}

/// The kernel record of the module's only instruction besides copies. Nullopt
/// if there are several instructions, or if no record has these kinds.
static std::optional<BackendKernel> kernelOf(ModuleOp placed,
                                             StringRef backend) {
  auto function = *placed.getOps<ir::FuncOp>().begin();
  std::optional<BackendKernel> kernel;
  for (Operation &op : function.block()) {
    // Results are copied to outputs where no pass lets kernels write them.
    if (!ir::isInstr(&op) || isa<ir::CopyInstr>(op))
      continue;
    if (kernel)
      return std::nullopt;
    Step step = stepOf(&op, [](Value) { return 0u; });
    std::vector<ElementKind> kinds;
    for (Value buffer : op.getOperands())
      kinds.push_back(
          tensorTypeOf(cast<ir::BufferType>(buffer.getType()).getTensor())
              .kind);
    kernel = KernelRegistry::instance().recorded(
        backend.str(), step.instruction, step.segments, kinds);
    if (!kernel)
      return std::nullopt;
  }
  return kernel;
}

static std::vector<double> valuesOf(const glow::Tensor &tensor) {
  std::vector<double> values;
  visitKind(tensor.type().kind, [&](auto kind) {
    using T = typename decltype(kind)::type;
    const T *data = static_cast<const T *>(tensor.data());
    for (int64_t i = 0; i < tensor.type().elements(); ++i)
      values.push_back(double(data[i]));
  });
  return values;
}

/// The bits of a number after the first one; -1 for kinds that are exact.
static int fractionBits(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return 52;
  case ElementKind::F32:
    return 23;
  case ElementKind::F16:
    return 10;
  case ElementKind::BF16:
    return 7;
  default:
    return -1;
  }
}

/// A unit in the last place of the largest input, in a kind.
static double unitOf(ArrayRef<glow::Tensor> inputs, ElementKind kind) {
  int bits = fractionBits(kind);
  double largest = 0;
  for (const glow::Tensor &input : inputs)
    for (double value : valuesOf(input))
      if (bits >= 0 && std::isfinite(value))
        largest = std::max(largest, std::abs(value));
  return largest ? std::ldexp(1, std::ilogb(largest) - bits) : 0;
}

std::string glow::compareKernel(ModuleOp placed, StringRef backend,
                                ArrayRef<glow::Tensor> inputs,
                                ArrayRef<glow::Tensor> actual,
                                ArrayRef<glow::Tensor> expected) {
  std::optional<BackendKernel> kernel = kernelOf(placed, backend);
  if (!kernel)
    return "";
  for (auto [mine, theirs] : llvm::zip(actual, expected)) {
    double unit = unitOf(inputs, mine.type().kind);
    for (auto [a, e] : llvm::zip(valuesOf(mine), valuesOf(theirs)))
      if (a != e && std::abs(a - e) > kernel->ulps * unit)
        return "kernel '" + std::string(kernel->function) + "' gives " +
               std::to_string(a) + ", not " + std::to_string(e) + ", and its " +
               "record bounds the difference by " +
               std::to_string(kernel->ulps) + " units of the largest input";
  }
  return "";
}
