//===- Passes.h - passes of the room Partition ----------------*- C++ -*-===//

#ifndef GLOW_PARTITION_PASSES_H
#define GLOW_PARTITION_PASSES_H

#include "glow/Graph/Dialect.h"
#include "mlir/Pass/Pass.h"

namespace glow {

#define GEN_PASS_DECL
#include "glow/Partition/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/Partition/Passes.h.inc"

} // namespace glow

#endif // GLOW_PARTITION_PASSES_H
