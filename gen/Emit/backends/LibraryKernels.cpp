//===- LibraryKernels.cpp - the kernels of a backend's library ------------===//
// SPDX-License-Identifier: MIT

#include "Emit/backends/LibraryKernels.h"
#include "Emit/language/Calls.h"
#include "Emit/language/Emit.h"
#include "Expr/Fields.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static cl::opt<std::string>
    ofBackend("backend", cl::desc("the backend whose kernels are listed"));

static const Record *theBackend(const Model &model) {
  for (const Record *backend : model.own("Backend"))
    if (textField<"Backend.name">(*backend) == ofBackend)
      return backend;
  return nullptr;
}

std::vector<KernelRow> glow::gen::kernelsOf(const Model &model,
                                            const Record &backend) {
  std::vector<KernelRow> rows;
  for (const Record *kernel : recordsField<"Backend.kernels">(backend)) {
    const NodeModel *node =
        model.findNode(recordField<"Kernel.node">(*kernel)->getName());
    std::optional<size_t> operand;
    if (!node->inputs.empty())
      operand = 0;
    rows.push_back({node, textField<"Kernel.kind">(*kernel).str(), operand,
                    textField<"Kernel.function">(*kernel).str(),
                    textField<"Kernel.failure">(*kernel).str()});
  }
  return rows;
}

/// A line GLOW_LIBRARY_KERNEL(mnemonic, kind, ofResult, function, failure) of
/// each kernel.
static bool emitLibraryKernels(const Model &model, raw_ostream &os) {
  const Record *backend = theBackend(model);
  if (!backend)
    return false;
  for (const KernelRow &row : kernelsOf(model, *backend))
    os << formatv("GLOW_LIBRARY_KERNEL({0}, {1}, {2}, {3}, {4})\n",
                  quoted(row.node->mnemonic),
                  row.kind == "bool" ? "Bool" : StringRef(row.kind).upper(),
                  !row.operand, row.function, quoted(row.failure));
  return false;
}

/// Emits the call type of each kernel of the library:
/// `using softmax_f32_call = ...`. A function has one call type, and so serves
/// one node.
static bool emitLibraryCalls(const Model &model, raw_ostream &os) {
  std::map<StringRef, std::string> calls;
  if (const Record *backend = theBackend(model))
    for (const Record *kernel : recordsField<"Backend.kernels">(*backend)) {
      const Record *node = recordField<"Kernel.node">(*kernel);
      StringRef function = textField<"Kernel.function">(*kernel);
      std::string call = callOf(model, *model.findNode(node->getName()));
      auto [known, isNew] = calls.try_emplace(function, call);
      if (isNew)
        os << formatv("using {0}_call = {1};\n", function, call);
      else if (known->second != call)
        PrintFatalError(backend->getLoc(),
                        "kernel '" + function + "' of backend '" + ofBackend +
                            "' is for two nodes: it is called with a " +
                            known->second + " and with a " + call);
    }
  return false;
}

static Emitter libraryKernels("gen-library-kernels",
                              "list the kernels of a backend",
                              emitLibraryKernels);
static Emitter
    libraryCalls("gen-library-calls",
                 "emit what the kernels of a backend are called with",
                 emitLibraryCalls);
