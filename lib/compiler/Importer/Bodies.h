//===- Bodies.h - graphs inside of nodes, as the host sees them -*- C++ -*-===//

#ifndef GLOW_LIB_IMPORTER_BODIES_H
#define GLOW_LIB_IMPORTER_BODIES_H

#include "Model.h"
#include "glow/Values/HostCall.h"

namespace glow {

/// What the graphs of a node declare.
HostGraphs graphsOf(const Model &model, const onnx::NodeProto &node);

/// Fails, naming the node, where graphs inside of one are none that it may
/// have, whether or not anything needs it.
Status checkBodies(const Model &model);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_BODIES_H
