//===- NodeInfo.cpp - records of nodes, as data ---------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/NodeInfo.h"
#include "glow/Base/Plugin.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/Samples.h"
#include "llvm/ADT/StringMap.h"

using namespace glow;

static std::vector<NodeInfo> &nodes() {
  static std::vector<NodeInfo> all;
  return all;
}

/// The index in `nodes` of each node, by name.
static llvm::StringMap<size_t> &places() {
  static llvm::StringMap<size_t> all;
  return all;
}

void glow::registerNodeInfo(std::span<const NodeInfo> table) {
  for (const NodeInfo &node : table) {
    if (!places().try_emplace(node.name, nodes().size()).second)
      noteTakenName("node '" + std::string(node.name) + "'");
    nodes().push_back(node);
  }
}

llvm::StringRef glow::nameOf(NodeKernel kernel) {
  static constexpr llvm::StringLiteral names[] = {"", "formula", "compute",
                                                  "hand", "instructions"};
  return names[size_t(kernel)];
}

const std::vector<NodeInfo> &glow::allNodes() { return nodes(); }

const NodeInfo *glow::findNode(llvm::StringRef name) {
  auto found = places().find(name);
  return found == places().end() ? nullptr : &nodes()[found->second];
}

static std::vector<SampleInfo> &samples() {
  static std::vector<SampleInfo> all;
  return all;
}

void glow::registerSamples(std::span<const SampleInfo> table) {
  samples().insert(samples().end(), table.begin(), table.end());
}

const std::vector<SampleInfo> &glow::allSamples() { return samples(); }

static std::vector<RewriteSample> &rewriteSamples() {
  static std::vector<RewriteSample> all;
  return all;
}

void glow::registerRewriteSamples(std::span<const RewriteSample> table) {
  rewriteSamples().insert(rewriteSamples().end(), table.begin(), table.end());
}

const std::vector<RewriteSample> &glow::allRewriteSamples() {
  return rewriteSamples();
}

/// A tolerance of a few roundings in each precision: results pass through
/// several nodes.
static double usualTolerance(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    return 1e-10;
  case ElementKind::F32:
    return 1e-5;
  case ElementKind::F16:
    return 4e-3;
  case ElementKind::BF16:
    return 3e-2;
  default:
    return 0;
  }
}

double glow::toleranceOf(llvm::StringRef node, ElementKind kind) {
  if (const NodeInfo *info = findNode(node))
    for (const KindTolerance &given : info->tolerance)
      if (given.kind == kind)
        return given.relative;
  return usualTolerance(kind);
}

const NodeEvaluator *NodeEvaluator::of(mlir::MLIRContext *context) {
  auto *dialect = context->getOrLoadDialect<GlowDialect>();
  return dialect ? dialect->getRegisteredInterface<NodeEvaluator>() : nullptr;
}
