//===- Passes.h - passes of the room Partition ----------------*- C++ -*-===//

#ifndef GLOW_PARTITION_PASSES_H
#define GLOW_PARTITION_PASSES_H

#include "glow/Graph/Dialect.h"
#include "mlir/Pass/Pass.h"

namespace glow {

#define GEN_PASS_DECL_PARTITIONGRAPH
#define GEN_PASS_DECL_CHECKPARTITION
#include "glow/Graph/Passes.h.inc"

} // namespace glow

#endif // GLOW_PARTITION_PASSES_H
