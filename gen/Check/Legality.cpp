//===- Legality.cpp - refusals that concern backends ----------------------===//

#include "Check/Check.h"
#include "Check/Conditions.h"
#include "Expr/Parser.h"
#include "Model/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TableGen/Record.h"
#include <set>

using namespace glow::gen;
using namespace llvm;

/// Whether the backend runs the node in every kind that it has: by code of its
/// own, or by the reference.
static bool isBackedWhole(const Record &backend, const NodeModel &node) {
  bool reference = backend.getValueAsBit("runsReference") ||
                   backend.getValueAsBit("stepwise");
  return (reference && node.hasKernel()) ||
         any_of(backend.getValueAsListOfDefs("emitters"),
                [&](const Record *emitter) {
                  return is_contained(emitter->getValueAsListOfDefs("nodes"),
                                      &node.record);
                });
}

/// The kinds of the first operand for which the backend has kernels.
static std::vector<StringRef> kernelKinds(const Record &backend,
                                          const NodeModel &node) {
  std::vector<StringRef> kinds;
  for (const Record *kernel : backend.getValueAsListOfDefs("kernels"))
    if (kernel->getValueAsDef("node") == &node.record)
      kinds.push_back(kernel->getValueAsString("kind"));
  return kinds;
}

/// The kinds of the first operand in which the record says that the node runs.
static std::vector<std::string> claimedKinds(const Record &legal,
                                             const NodeModel &node) {
  if (node.inputs.empty())
    return {};
  std::vector<std::string> kinds = node.kindsOf(node.inputs.front());
  for (const KindBinding &binding : kindBindings(legal, "kinds"))
    if (binding.variable == node.inputs.front().kind)
      erase_if(kinds, [&](const std::string &kind) {
        return !is_contained(binding.kinds, kind);
      });
  return kinds;
}

static void checkBacked(const Record &backend, const Record &legal,
                        const NodeModel &node) {
  if (isBackedWhole(backend, node))
    return;
  std::vector<StringRef> backed = kernelKinds(backend, node);
  std::string claim = "backend '" + backend.getValueAsString("name").str() +
                      "' claims to run '" + node.className + "'";
  if (backed.empty())
    fatalAt(nullptr, legal, claim + ", but has no kernel for it");
  std::vector<std::string> missing = claimedKinds(legal, node);
  erase_if(missing,
           [&](const std::string &kind) { return is_contained(backed, kind); });
  if (!missing.empty())
    fatalAt(nullptr, legal,
            claim + " in " + join(missing, ", ") + ", but has kernels for " +
                join(backed, ", ") + " only");
}

static bool isLegal(const Record &backend, const NodeModel &node) {
  return backend.getValueAsBit("runsReference") ||
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

static void checkAlignment(const Record &backend) {
  int64_t alignment = backend.getValueAsInt("alignment");
  if (alignment < 1 || !isPowerOf2_64(uint64_t(alignment)))
    fatalAt(nullptr, backend,
            "alignment " + Twine(alignment) + " should be a power of two");
}

void glow::gen::checkLegality(const Model &model) {
  for (const Record *backend : model.own("Backend")) {
    checkAlignment(*backend);
    std::set<std::pair<const NodeModel *, StringRef>> seen;
    for (const Record *kernel : backend->getValueAsListOfDefs("kernels"))
      checkKernel(*backend, *kernel,
                  *model.findNode(kernel->getValueAsDef("node")->getName()),
                  seen);
    for (const Record *legal : backend->getValueAsListOfDefs("runs")) {
      checkCanHold(
          conditionOf(legal->getValueAsString("condition"), *legal), *legal,
          "legality on backend '" + backend->getValueAsString("name") + "'");
      for (const Record *node : legal->getValueAsListOfDefs("nodes"))
        checkBacked(*backend, *legal, *model.findNode(node->getName()));
    }
  }
}
