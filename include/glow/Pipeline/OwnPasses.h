//===- OwnPasses.h - passes that a user adds to the rooms -------*- C++ -*-===//

#ifndef GLOW_PIPELINE_OWNPASSES_H
#define GLOW_PIPELINE_OWNPASSES_H

#include "glow/Base/Status.h"
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace glow {

/// Makes the passes of a plug-in of MLIR known, for as long as the process
/// runs. Fails with Code::NotFound where it cannot be loaded.
Status loadPassPlugin(const std::string &file);

/// Has every module that walks through room optimize from now on pass through
/// these at the end of it, as text has them: "merge-constants,cse". Fails with
/// Code::InvalidArgument where that is no list of passes on modules.
Status setOwnPasses(const std::string &pipeline);

/// What was set; "" for none.
const std::string &ownPasses();

/// Adds what was set.
void addOwnPasses(mlir::OpPassManager &passes);

} // namespace glow

#endif // GLOW_PIPELINE_OWNPASSES_H
