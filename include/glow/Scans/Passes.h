//===- Passes.h - loops that become index notation ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_SCANS_PASSES_H
#define GLOW_SCANS_PASSES_H

#include "glow/Graph/Dialect.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace glow {

#define GEN_PASS_DECL
#include "glow/Scans/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/Scans/Passes.h.inc"

} // namespace glow

#endif // GLOW_SCANS_PASSES_H
