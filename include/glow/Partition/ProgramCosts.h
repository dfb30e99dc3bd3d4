//===- ProgramCosts.h - costs of compiled programs --------------*- C++ -*-===//

#ifndef GLOW_PARTITION_PROGRAMCOSTS_H
#define GLOW_PARTITION_PROGRAMCOSTS_H

#include "glow/Partition/NodeCosts.h"
#include <optional>

namespace glow {

/// Bytes of a compiled program: its constants as they are stored, each once,
/// and its arena.
struct ProgramBytes {
  uint64_t constants = 0, arena = 0;
};

/// Costs of nodes that are compiled to find them. Programs of the parts are
/// compiled next, and their sizes decide whether a part fits: an estimate that
/// is too large refuses nothing.
class ProgramCosts : public NodeCosts {
public:
  /// The bytes of a program of the nodes that `secondsOf` was last asked about
  /// for this function and device; nothing where none was compiled.
  virtual std::optional<ProgramBytes>
  bytesOf(FuncOp function, const PartitionDevice &device) = 0;
};

} // namespace glow

#endif // GLOW_PARTITION_PROGRAMCOSTS_H
