//===- PhaseText.cpp - text that a check gives
//------------------------------===//
// SPDX-License-Identifier: MIT

#include "PhaseText.h"
#include "RandomGraph.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Gradients.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/IR/Access.h"
#include "glow/IR/InstrInfo.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Samples/Samples.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace glow;
using namespace mlir;

namespace {

/// A sample, possibly with its gradient and its second gradient.
struct Choice {
  const SampleInfo *sample;
  unsigned gradients; // how many of them
};
using Choices = std::vector<Choice>;

/// The phase that gives the text. Modules that were not optimised have
/// instructions that rewrites would turn into constants.
struct PhaseCheck {
  Phase phase;
  bool optimise = true;
};

} // namespace

/// Instructions have more parts that can be wrong than nodes have.
static constexpr PhaseCheck checks[] = {
    {Phase::Import},      {Phase::Graph},       {Phase::Optimize},
    {Phase::Lower},       {Phase::IRGen},       {Phase::IRGen},
    {Phase::Plan},        {Phase::Plan},        {Phase::Plan},
    {Phase::Plan, false}, {Phase::Plan, false}, {Phase::Plan, false}};

static bool hasGradient(StringRef node) {
  const GradientInfo *info = findGradient(node);
  return info && info->build;
}

/// The samples and gradients of each node.
static std::vector<Choices> choicesOfNodes() {
  std::map<std::string, Choices> byNode;
  for (const SampleInfo &sample : allSamples()) {
    if (*sample.refuses)
      continue;
    byNode[sample.node].push_back({&sample, 0});
    if (hasGradient(sample.node))
      for (unsigned gradients : {1, 2})
        byNode[sample.node].push_back({&sample, gradients});
  }
  std::vector<Choices> all;
  for (auto &[node, choices] : byNode)
    all.push_back(std::move(choices));
  return all;
}

static const Choice &choiceOf(unsigned number) {
  static const auto nodes = choicesOfNodes();
  const Choices &choices = nodes[number % nodes.size()];
  return choices[number / nodes.size() % choices.size()];
}

/// Adds the gradients of the operands. The results stand for their own
/// gradients: any values of their types serve.
static void addGradient(OpBuilder &builder, Operation *node,
                        SmallVectorImpl<Value> &results) {
  SmallVector<Value> given;
  for (Value result : node->getResults())
    given.push_back(expr::isFloat(kindOfElements(result)) ? result : Value());
  auto gradients = buildGradients(builder, node, given);
  if (mlir::succeeded(gradients))
    llvm::copy_if(gradients->values, std::back_inserter(results),
                  [](Value value) { return bool(value); });
}

/// Adds the gradients of derived gradient nodes behind this node.
static void addSecondGradients(OpBuilder &builder, Operation *node,
                               SmallVectorImpl<Value> &results) {
  SmallVector<Operation *> derived;
  while ((node = node->getNextNode())) {
    const NodeInfo *info = findNode(node->getName().getStringRef());
    if (info && *info->gradientOf && hasGradient(info->name))
      derived.push_back(node);
  }
  for (Operation *gradient : derived)
    addGradient(builder, gradient, results);
}

static OwningOpRef<ModuleOp> moduleOf(MLIRContext &context,
                                      const Choice &choice) {
  auto results = [&](OpBuilder &builder, Operation *node,
                     SmallVectorImpl<Value> &list) {
    llvm::append_range(list, node->getResults());
    if (choice.gradients > 0)
      addGradient(builder, node, list);
    if (choice.gradients > 1)
      addSecondGradients(builder, node, list);
  };
  return std::move(buildSample(context, *choice.sample,
                               operandsOf(context, *choice.sample), results)
                       .module);
}

/// The backends that have `node`.
static std::vector<std::string> backendsOf(StringRef node) {
  std::vector<std::string> backends;
  for (const char *backend : {"cpu", "interpreter"})
    if (!isOfBackend(node) || isOfBackend(node, backend))
      backends.push_back(backend);
  return backends;
}

static std::vector<std::string> instrsOf(ModuleOp module) {
  std::set<std::string> names;
  module.walk([&](ir::FuncOp function) {
    for (Operation &op : function.block())
      if (ir::findInstr(op.getName().stripDialect()))
        names.insert(op.getName().stripDialect().str());
  });
  return {names.begin(), names.end()};
}

static bool walk(ModuleOp module, const std::string &backend,
                 const PhaseCheck &check) {
  PassManager passes(module.getContext());
  if (check.optimise)
    addPhases(passes, backend, check.phase);
  else
    addNeededPhases(passes, backend);
  return check.phase == Phase::Import || mlir::succeeded(passes.run(module));
}

PhaseText glow::phaseText(MLIRContext &context, unsigned number) {
  std::mt19937 random(number);
  PhaseText result;
  Choice choice = number % 2 ? Choice{} : choiceOf(number / 2);
  auto backends = backendsOf(choice.sample ? choice.sample->node : "");
  result.backend = backends[random() % backends.size()];
  const PhaseCheck &check = checks[random() % std::size(checks)];
  OwningOpRef<ModuleOp> module = choice.sample
                                     ? moduleOf(context, choice)
                                     : randomGraph(context, number, 8);
  if (!walk(*module, result.backend, check))
    return result;
  result.instrs = instrsOf(*module);
  llvm::raw_string_ostream os(result.text);
  module->print(os);
  return result;
}
