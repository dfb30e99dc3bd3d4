//===- BackendKernels.cpp - kernels that backends give by name ------------===//

#include "Emit/Emit.h"
#include "Expr/Fields.h"
#include "llvm/TableGen/Record.h"
#include <set>

using namespace glow::gen;
using namespace llvm;

/// Declarations, so that a missing function is an error of the linker, and a
/// row for each kernel of each backend of the run.
static bool emitBackendKernels(const Model &model, raw_ostream &os) {
  std::string table, stepwise;
  std::set<StringRef> declared;
  os << "namespace glow::kernels {\n";
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
      if (isCalled && declared.insert(function).second)
        os << "::glow::Status " << function
           << "(const ::glow::KernelCall &call);\n";
      // Results come first in an instruction.
      size_t slot = node.inputs.empty() ? 0 : node.outputs.size();
      table +=
          formatv("    {{{0}, {1}, ::glow::ElementKind::{2}, {3}, "
                  "{4}, {5}, {6}},\n",
                  quoted(name), quoted(node.mnemonic),
                  kind == "bool" ? "Bool" : kind.upper(), slot,
                  isCalled ? "::glow::kernels::" + function.str() : "nullptr",
                  intField<"Ulp.count">(*recordField<"Kernel.bound">(*kernel)),
                  quoted(function));
    }
  }
  os << "} // namespace glow::kernels\n\nnamespace {\n\n"
     << "const ::std::vector<::glow::BackendKernel> backendKernels = {\n"
     << table << "};\n\nconst ::std::vector<const char *> stepwiseBackends = {"
     << stepwise << "};\n\n} // namespace\n";
  return false;
}

static Emitter backendKernels("gen-backend-kernels",
                              "emit the kernels that backends name",
                              emitBackendKernels);
