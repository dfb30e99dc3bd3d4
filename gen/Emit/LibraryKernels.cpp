//===- LibraryKernels.cpp - kernels of a backend by name, as a table ------===//

#include "Emit/Emit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static cl::opt<std::string>
    ofBackend("backend", cl::desc("the backend whose kernels are listed"));

/// A line GLOW_LIBRARY_KERNEL(mnemonic, kind, function) of each Kernel record.
static bool emitLibraryKernels(const Model &model, raw_ostream &os) {
  for (const Record *backend : model.own("Backend")) {
    if (backend->getValueAsString("name") != ofBackend)
      continue;
    for (const Record *kernel : backend->getValueAsListOfDefs("kernels")) {
      const NodeModel *node =
          model.findNode(kernel->getValueAsDef("node")->getName());
      StringRef kind = kernel->getValueAsString("kind");
      os << formatv("GLOW_LIBRARY_KERNEL({0}, {1}, {2})\n",
                    quoted(node->mnemonic),
                    kind == "bool" ? "Bool" : kind.upper(),
                    kernel->getValueAsString("function"));
    }
  }
  return false;
}

static Emitter libraryKernels("gen-library-kernels",
                              "list the kernels of a backend",
                              emitLibraryKernels);
