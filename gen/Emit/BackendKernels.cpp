//===- BackendKernels.cpp - kernels that backends give by name ------------===//

#include "Emit/Calls.h"
#include "Expr/Fields.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

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
          "    {{{0}, {1}, ::glow::ElementKind::{2}, {3}, "
          "{4}, {5}, {6}},\n",
          quoted(name), quoted(node.mnemonic),
          kind == "bool" ? "Bool" : kind.upper(), slot,
          isCalled ? typedKernel(callOf(model, node), function) : "nullptr",
          intField<"Ulp.count">(*recordField<"Kernel.bound">(*kernel)),
          quoted(function));
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
