//===- PredictedCosts.h - times of nodes before they run --------*- C++ -*-===//

#ifndef GLOW_LIB_COMPILE_PREDICTEDCOSTS_H
#define GLOW_LIB_COMPILE_PREDICTEDCOSTS_H

#include "glow/Partition/NodeCosts.h"
#include "glow/Session/Session.h"

namespace glow {

/// The costs of nodes on devices: what their backend predicts of a program of
/// the nodes that it runs, which is compiled for that; where it predicts
/// nothing, the iterations of their records and the bytes that they touch. What
/// was measured by the names of nodes decides over both.
std::shared_ptr<NodeCosts>
predictedCosts(const CompileRequest &request,
               std::shared_ptr<mlir::MLIRContext> context);

} // namespace glow

#endif // GLOW_LIB_COMPILE_PREDICTEDCOSTS_H
