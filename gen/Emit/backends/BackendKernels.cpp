//===- BackendKernels.cpp - kernels that backends give by name ------------===//
// SPDX-License-Identifier: MIT

#include "Emit/language/Calls.h"
#include "Expr/Fields.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static std::string enumeratorOf(StringRef kind) {
  return "::glow::ElementKind::" + (kind == "bool" ? "Bool" : kind.upper());
}

/// The operands after the first whose kind variables the kernel names:
/// `, {{3, {...}}, }`, or nothing.
static std::string othersOf(const Record &kernel, const NodeModel &node) {
  std::string others;
  for (const KindBinding &binding :
       kindBindings(kernel, dagField<"Kernel.kinds">(kernel))) {
    std::string kinds;
    for (StringRef kind : binding.kinds)
      kinds += enumeratorOf(kind) + ", ";
    size_t slot = node.outputs.size();
    for (const TensorSignature &input : node.inputs) {
      if (!node.hasBuffer(input))
        continue;
      if (input.kind == binding.variable)
        others += formatv("{{{0}, {{{1}}}, ", slot, kinds);
      ++slot;
    }
  }
  return others.empty() ? "" : ", {" + others + "}";
}

/// A row for each kernel of each backend of the run.
static bool emitBackendKernels(const Model &model, raw_ostream &os) {
  std::string table, stepwise;
  for (const Record *backend : model.own("Backend")) {
    StringRef name = textField<"Backend.name">(*backend);
    if (bitField<"Backend.stepwise">(*backend))
      stepwise += quoted(name) + ", ";
    bool isCalled = !bitField<"Backend.linksKernels">(*backend);
    for (const Record *kernel : recordsField<"Backend.kernels">(*backend)) {
      const NodeModel &node =
          *model.findNode(recordField<"Kernel.node">(*kernel)->getName());
      StringRef function = textField<"Kernel.function">(*kernel);
      StringRef kind = textField<"Kernel.kind">(*kernel);
      // Results come first in an instruction.
      size_t slot = node.inputs.empty() ? 0 : node.outputs.size();
      table += formatv(
          "    {{{0}, {1}, {2}, {3}, {4}, {5}, {6}{7}},\n", quoted(name),
          quoted(node.mnemonic), enumeratorOf(kind), slot,
          isCalled ? typedKernel(callOf(model, node), function) : "nullptr",
          intField<"Ulp.count">(*recordField<"Kernel.bound">(*kernel)),
          quoted(function), othersOf(*kernel, node));
    }
  }
  os << "namespace {\n\n"
     << "const ::std::vector<::glow::BackendKernel> backendKernels = {\n"
     << table << "};\n\nconst ::std::vector<const char *> stepwiseBackends = {"
     << stepwise << "};\n\n} // namespace\n";
  return false;
}

static Emitter backendKernels("gen-backend-kernels",
                              "emit the kernels that backends name",
                              emitBackendKernels);
