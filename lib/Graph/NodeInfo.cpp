//===- NodeInfo.cpp - what the records say of nodes, as data --------------===//

#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Evaluator.h"

using namespace glow;

static std::vector<NodeInfo> &nodes() {
  static std::vector<NodeInfo> all;
  return all;
}

void glow::registerNodeInfo(std::span<const NodeInfo> table) {
  nodes().insert(nodes().end(), table.begin(), table.end());
}

const std::vector<NodeInfo> &glow::allNodes() { return nodes(); }

const NodeInfo *glow::findNode(llvm::StringRef name) {
  for (const NodeInfo &node : nodes())
    if (name == node.name)
      return &node;
  return nullptr;
}

const NodeEvaluator *NodeEvaluator::of(mlir::MLIRContext *context) {
  auto *dialect = context->getOrLoadDialect<GlowDialect>();
  return dialect ? dialect->getRegisteredInterface<NodeEvaluator>() : nullptr;
}
