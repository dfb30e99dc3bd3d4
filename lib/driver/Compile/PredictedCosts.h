//===- PredictedCosts.h - times of nodes before they run --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_COMPILE_PREDICTEDCOSTS_H
#define GLOW_LIB_COMPILE_PREDICTEDCOSTS_H

#include "glow/Partition/NodeCosts.h"
#include "glow/Session/Session.h"

namespace glow {

/// The costs of nodes on devices. A backend's prediction comes from a program
/// that is compiled from all nodes that it runs. Where a backend predicts
/// nothing, the iterations in the nodes' records and the bytes touched are
/// used. Times that were measured by the names of nodes take precedence over
/// both.
std::shared_ptr<NodeCosts>
predictedCosts(const CompileRequest &request,
               std::shared_ptr<mlir::MLIRContext> context);

} // namespace glow

#endif // GLOW_LIB_COMPILE_PREDICTEDCOSTS_H
