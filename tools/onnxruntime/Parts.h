//===- Parts.h - nodes that become one node ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_PARTS_H
#define GLOW_TOOLS_ONNXRUNTIME_PARTS_H

#include "Host.h"
#include <functional>

namespace glow::ort {

using Nodes = std::vector<const Node *>;

/// A node that Glow does not take, with the reason.
struct Refusal {
  const Node *node;
  std::string reason;
};

/// Throws an exception with the reason if Glow does not take these nodes
/// together.
using Attempt = std::function<void(const Nodes &)>;

/// The nodes that keep `nodes`, which are in an order of execution and failed
/// with `reason`, from being taken. A sequence of nodes that fails is halved,
/// since neighbours know the sizes of each other's values. After a number of
/// attempts, all nodes of a failed sequence are refused.
std::vector<Refusal> refusals(const Nodes &nodes, const std::string &reason,
                              const Attempt &attempt);

/// The largest parts without the refused nodes. Each part is connected, and no
/// path leads from a node of a part through another node back to the part.
std::vector<Nodes> partsWithout(const std::vector<Refusal> &refused,
                                const Nodes &nodes, const Host &host);

} // namespace glow::ort

#endif
