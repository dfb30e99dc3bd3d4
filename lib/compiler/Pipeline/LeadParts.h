//===- LeadParts.h - the rooms behind a division by backends ----*- C++ -*-===//

#ifndef GLOW_LIB_PIPELINE_LEADPARTS_H
#define GLOW_LIB_PIPELINE_LEADPARTS_H

#include "mlir/Pass/Pass.h"
#include <functional>

namespace glow {

/// Adds the rooms from lowering on, of one backend.
using AddRooms =
    std::function<void(mlir::OpPassManager &, llvm::StringRef backend)>;

/// Leads what each function says is its backend's through rooms of that. Of
/// several functions, each is in a module of its own then, with the storage
/// that it uses: what another one saves is an input of it. `backends` are those
/// that it may be shared out to, without their fallbacks; a module that says
/// nothing is of the first.
std::unique_ptr<mlir::Pass> createLeadParts(std::vector<std::string> backends,
                                            AddRooms addRooms);

} // namespace glow

#endif // GLOW_LIB_PIPELINE_LEADPARTS_H
