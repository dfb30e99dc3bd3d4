//===- NodeInfo.h - what the records say of nodes, as data ----*- C++ -*-===//

#ifndef GLOW_GRAPH_NODEINFO_H
#define GLOW_GRAPH_NODEINFO_H

#include "llvm/ADT/StringRef.h"
#include <span>
#include <vector>

namespace glow {

/// A row of the generated table. `kernel` says where the node's meaning comes
/// from: "formula", "compute", "hand", or "" for a composite node.
struct NodeInfo {
  const char *name; ///< with the dialect: "glow.conv"
  const char *family, *summary;
  int tier;
  const char *kernel;
  const char *place; ///< the record: "Convolution.td:12"
};

/// Tables must live as long as the process.
void registerNodeInfo(std::span<const NodeInfo> table);
const NodeInfo *findNode(llvm::StringRef name);
/// All nodes, in the order of their records.
const std::vector<NodeInfo> &allNodes();

} // namespace glow

#endif // GLOW_GRAPH_NODEINFO_H
