//===- GraphOrder.h - which nodes, in which order ---------------*- C++ -*-===//

#ifndef GLOW_LIB_IMPORTER_GRAPHORDER_H
#define GLOW_LIB_IMPORTER_GRAPHORDER_H

#include "glow/Base/Status.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace glow {

struct GraphOrder {
  /// Indices of the nodes that the outputs need. Every node comes after those
  /// it reads from; otherwise they are in the order of the file.
  std::vector<int> nodes;

  /// The values that one of these nodes reads, or that are outputs.
  llvm::StringSet<> used;
};

/// Calls `visit` with the names of the values that a Gradient differentiates
/// and by which, which its attributes list; of any other node, with none.
void forDifferentiated(const onnx::NodeProto &node,
                       llvm::function_ref<void(const std::string &)> visit);

/// The same, where the names may be changed.
void forDifferentiated(onnx::NodeProto &node,
                       llvm::function_ref<void(std::string &)> visit);

/// Calls `visit` with every name that the node reads: its inputs, what graphs
/// in it read and do not define, and what it differentiates.
void forNamesRead(const onnx::NodeProto &node,
                  llvm::function_ref<void(const std::string &)> visit);

/// Orders a graph and checks its names: that every value is defined once, by an
/// input, an initializer or a node; that what is read is defined, here or as
/// `outer` says, also where a graph inside a node reads it; that no node needs
/// itself. A name that is an input and an initializer is one value.
Result<GraphOrder> orderOf(const onnx::GraphProto &graph,
                           llvm::function_ref<bool(llvm::StringRef)> outer);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_GRAPHORDER_H
