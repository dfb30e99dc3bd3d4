//===- Refusals.h - nodes that nothing would make import --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_ROWS_REFUSALS_H
#define GLOW_LIB_IMPORTER_ROWS_REFUSALS_H

#include "Failures.h"
#include "file/Model.h"
#include "glow/Importer/ImportContext.h"
#include "glow/Values/HostCall.h"

namespace glow {

/// The rows by which a node may be imported or run.
struct OperatorRows {
  const ImportEntry *import = nullptr; ///< nodes, by a record
  const HostEntry *host = nullptr;     ///< a call of the host

  /// The reason why no row accepts the node, whatever its inputs are: no row
  /// has the operator, or the row refuses the node's inputs or attributes; else
  /// "".
  std::string reason;
};

OperatorRows rowsOf(const ParsedModel &model, const onnx::NodeProto &node);

/// The refused nodes among those that the outputs need, and in their graphs:
/// nodes that fail whatever sizes and values a run gives.
Failures refusedNodes(const ParsedModel &model);

/// The failure, which precedes the import of nodes, with a note for each node
/// that would fail as well.
Status withRefused(const Status &status, const ParsedModel &model);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_ROWS_REFUSALS_H
