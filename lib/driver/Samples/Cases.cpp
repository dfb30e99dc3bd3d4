//===- Cases.cpp - list of test cases -------------------------------------===//
// SPDX-License-Identifier: MIT

#include "CaseMaker.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Lowering/Passes.h"
#include "glow/Lowering/Rules.h"
#include "glow/Pipeline/Pipeline.h"

using namespace mlir;
using namespace glow;

KnownRecords KnownRecords::registered() {
  KnownRecords known;
  for (const NodeInfo &node : allNodes()) {
    known.nodes.insert(node.name);
    for (const RuleInfo &rule : rulesFor(node.name))
      known.rules.insert(rule.name);
  }
  for (const RewriteSample &sample : allRewriteSamples())
    known.rewrites.insert(sample.rewrite);
  for (const BackendInfo &backend : allBackends())
    known.backends.insert(backend.name);
  return known;
}

CaseMaker::CaseMaker(const CaseChoice &choice) : choice(choice) {
  DialectRegistry registry;
  registerDialects(registry);
  shared =
      std::make_shared<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  shared->loadAllAvailableDialects();
}

bool CaseMaker::isNamed(StringRef node) const {
  return choice.nodes.empty() || choice.nodes.contains(node.str());
}

bool CaseMaker::isChosen(StringRef node) const {
  return isNamed(node) && !choice.known.nodes.contains(node.str());
}

/// Whether a backend has a record for a node, beyond those of the reference.
static bool namesNode(const BackendInfo &backend, StringRef node) {
  size_t reference = runsReferenceOf(backend, node) ? 1 : 0;
  return whenItRuns(backend, node).size() > reference ||
         hasKernel(node, backend.name);
}

std::vector<std::string> CaseMaker::backendsFor(StringRef node) const {
  std::vector<std::string> names;
  for (const std::string &name : computingBackends()) {
    bool isAllowed = choice.backend.empty()
                         ? !findBackendInfo(name)->driverCompiles
                         : choice.backend == name;
    bool isNew = !choice.known.backends.contains(name);
    if (isAllowed && isNamed(node) &&
        (isChosen(node) || (isNew && namesNode(*findBackendInfo(name), node))))
      names.push_back(name);
  }
  return names;
}

std::string CaseMaker::notTaken(ModuleOp module, StringRef backend) const {
  if (choice.known.backends.empty() ||
      choice.known.backends.contains(backend.str()))
    return "";
  std::string said;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        said += (said.empty() ? "" : "; ") + diagnostic.str();
        // Glow's first note states when the node would run.
        for (Diagnostic &note : diagnostic.getNotes())
          if (!StringRef(note.str()).starts_with("see current operation")) {
            said += ": " + note.str();
            break;
          }
        return success();
      });
  OwningOpRef<ModuleOp> copy = module.clone();
  PassManager passes(module.getContext());
  LowerForBackendOptions options;
  options.backend = backend.str();
  passes.addPass(createLowerForBackend(options));
  return mlir::failed(passes.run(*copy)) ? said : "";
}

void CaseMaker::add(CaseKind kind, StringRef subject, const Twine &name,
                    StringRef place,
                    std::function<CaseOutcome(MLIRContext &)> run) {
  cases.push_back(
      {kind, subject.str(), (subject + name).str(), place.str(),
       [context = shared, run = std::move(run)] { return run(*context); }});
}

std::vector<SampleCase> glow::sampleCases(const CaseChoice &choice) {
  auto maker = std::make_shared<CaseMaker>(choice);
  addNodeCases(maker);
  addPermutedCases(*maker);
  addFormulaCases(maker);
  addEmptyCases(maker);
  addLengthCases(maker);
  addHalfCases(*maker);
  addDeviceCases(maker);
  addGradientCases(maker);
  if (choice.nodes.empty())
    addRewriteCases(*maker);
  return std::move(maker->cases);
}
