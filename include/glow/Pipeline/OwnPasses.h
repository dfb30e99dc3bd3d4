//===- OwnPasses.h - passes added by a user ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PIPELINE_OWNPASSES_H
#define GLOW_PIPELINE_OWNPASSES_H

#include "glow/Base/Status.h"
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace glow {

/// Registers the passes of an MLIR pass plug-in, for the lifetime of the
/// process. Fails with Code::NotFound if it cannot be loaded.
Status loadPassPlugin(const std::string &file);

/// Sets passes that run at the end of phase optimize on every module from now
/// on, as a textual pipeline: "merge-constants,cse". Fails with
/// Code::InvalidArgument if the text is no list of passes on modules.
Status setOwnPasses(const std::string &pipeline);

/// The pipeline that was set; "" for none.
const std::string &ownPasses();

/// Adds the passes that were set.
void addOwnPasses(mlir::OpPassManager &passes);

} // namespace glow

#endif // GLOW_PIPELINE_OWNPASSES_H
