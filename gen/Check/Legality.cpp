//===- Legality.cpp - refusals that concern backends ----------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// What backs a claim: a kernel of the backend, or code that it makes itself
/// from a formula or index notation, or the reference kernel.
static bool isBacked(const Record &backend, const NodeModel &node) {
  if (backend.getValueAsBit("runsReference") && node.hasKernel())
    return true;
  if (backend.getValueAsBit("runsLoops") &&
      (!node.formula.empty() || !node.compute.empty()))
    return true;
  return any_of(backend.getValueAsListOfDefs("kernels"),
                [&](const Record *kernel) {
                  return kernel->getValueAsDef("node") == &node.record;
                });
}

void glow::gen::checkLegality(const Model &model) {
  for (const Record *backend : model.own("Backend")) {
    for (const Record *legal : backend->getValueAsListOfDefs("runs"))
      for (const Record *record : legal->getValueAsListOfDefs("nodes")) {
        const NodeModel *node = model.findNode(record->getName());
        if (!isBacked(*backend, *node))
          fatalAt(nullptr, *backend,
                  "backend '" + backend->getValueAsString("name") +
                      "' claims to run '" + node->className +
                      "', but has no kernel for it");
      }
    for (const Record *kernel : backend->getValueAsListOfDefs("kernels")) {
      const NodeModel *node =
          model.findNode(kernel->getValueAsDef("node")->getName());
      if (none_of(node->samples, [](const SampleModel &sample) {
            return sample.refuses.empty();
          }))
        fatalAt(nullptr, *backend,
                "kernel '" + kernel->getValueAsString("function") +
                    "' is for '" + node->className + "', which has no sample");
    }
  }
}
