//===- Legality.cpp - refusals that concern backends ----------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"
#include <set>

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

static bool isLegal(const Record &backend, const NodeModel &node) {
  return backend.getValueAsBit("runsReference") ||
         backend.getValueAsBit("runsLoops") ||
         any_of(backend.getValueAsListOfDefs("runs"), [&](const Record *legal) {
           return is_contained(legal->getValueAsListOfDefs("nodes"),
                               &node.record);
         });
}

static void
checkKernel(const Record &backend, const Record &kernel, const NodeModel &node,
            std::set<std::pair<const NodeModel *, StringRef>> &seen) {
  StringRef function = kernel.getValueAsString("function");
  StringRef kind = kernel.getValueAsString("kind");
  auto fail = [&](const Twine &message) {
    fatalAt(nullptr, backend, "kernel '" + function + "' " + message);
  };
  if (none_of(node.samples,
              [](const SampleModel &sample) { return sample.refuses.empty(); }))
    fail("is for '" + Twine(node.className) + "', which has no sample");
  const TensorSignature &first =
      node.inputs.empty() ? node.outputs.front() : node.inputs.front();
  if (!is_contained(node.kindsOf(first), kind))
    fail("is for kind '" + kind + "', which '" + first.name + "' of '" +
         node.className + "' cannot be");
  if (!isLegal(backend, node))
    fail("is never called: no Legal record of backend '" +
         backend.getValueAsString("name") + "' lets '" + node.className +
         "' run");
  if (!seen.insert({&node, kind}).second)
    fail("is the second one for '" + Twine(node.className) + "' and kind '" +
         kind + "'");
  if (kernel.getValueAsDef("bound")->getValueAsInt("count") < 0)
    fail("has a negative bound");
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
    std::set<std::pair<const NodeModel *, StringRef>> seen;
    for (const Record *kernel : backend->getValueAsListOfDefs("kernels"))
      checkKernel(*backend, *kernel,
                  *model.findNode(kernel->getValueAsDef("node")->getName()),
                  seen);
  }
}
