//===- NetGraph.h - Caffe2 nets as the graph of a model ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The importer has one form of a model, ONNX's graph. Nets become such a graph:
// their operators are nodes of the domain `org.pytorch._caffe2`, which the
// records of Caffe2's operators have.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_IMPORTER_NETS_NETGRAPH_H
#define GLOW_LIB_IMPORTER_NETS_NETGRAPH_H

#include "NetFiles.h"
#include "file/Model.h"

namespace glow {

/// Reads the nets into `model`: its files, its graph, and the places of its
/// nodes. Fails with a message that follows the path of the model and has the
/// index and the type of an operator.
Status readNets(ParsedModel &model, const NetPaths &paths);

/// Makes one tensor of the arguments `values` and `shape` of operators that
/// fill a blob with given values: the attribute `values` of their records.
/// Fails, with the name of the node, where the number of values is not that of
/// the shape.
Status foldFills(ParsedModel &model);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_NETS_NETGRAPH_H
