//===- Refusals.h - nodes that nothing would make import --------*- C++ -*-===//

#ifndef GLOW_LIB_IMPORTER_REFUSALS_H
#define GLOW_LIB_IMPORTER_REFUSALS_H

#include "Failures.h"
#include "Model.h"
#include "glow/Importer/ImportContext.h"
#include "glow/Values/HostCall.h"

namespace glow {

/// What a node may become.
struct OperatorRows {
  const ImportEntry *import = nullptr; ///< nodes, by a record
  const HostEntry *host = nullptr;     ///< a call of the host

  /// Why it is neither, whatever its inputs are: no row has the operator, or
  /// the row does not take the node's inputs or attributes; else "".
  std::string reason;
};

OperatorRows rowsOf(const Model &model, const onnx::NodeProto &node);

/// The nodes that the outputs need, and those in their graphs, that are
/// refused whatever sizes and values a run gives.
Failures refusedNodes(const Model &model);

/// A failure that comes before any node is looked at, with a note for each
/// that would fail as well.
Status withRefused(const Status &status, const Model &model);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_REFUSALS_H
