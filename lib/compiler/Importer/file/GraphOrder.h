//===- GraphOrder.h - order of a graph's nodes ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_FILE_GRAPHORDER_H
#define GLOW_LIB_IMPORTER_FILE_GRAPHORDER_H

#include "glow/Base/Status.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace glow {

struct GraphOrder {
  /// Indices of the nodes that the outputs need. Every node comes after its
  /// producers; otherwise nodes are in the order of the file.
  std::vector<int> nodes;

  /// The values that a node of `nodes` reads, or that are outputs.
  llvm::StringSet<> used;
};

/// Calls `visit` with the values that a Gradient's attributes name: the target
/// and the values to differentiate by. Other nodes name none.
void forDifferentiated(const onnx::NodeProto &node,
                       llvm::function_ref<void(const std::string &)> visit);

/// The same, for callers that change the names.
void forDifferentiated(onnx::NodeProto &node,
                       llvm::function_ref<void(std::string &)> visit);

/// Calls `visit` with every name that the node reads: its inputs, names that
/// graphs in it read and do not define, and names that it differentiates.
void forNamesRead(const onnx::NodeProto &node,
                  llvm::function_ref<void(const std::string &)> visit);

/// Orders a graph and checks its names. Every value is defined once, by an
/// input, an initializer or a node. A name that is read, also by a graph inside
/// a node, is defined here or by `outer`. No node needs itself. A name that is
/// an input and an initializer is one value.
Result<GraphOrder> orderOf(const onnx::GraphProto &graph,
                           llvm::function_ref<bool(llvm::StringRef)> outer);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_FILE_GRAPHORDER_H
