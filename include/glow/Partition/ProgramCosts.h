//===- ProgramCosts.h - costs of compiled programs --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PARTITION_PROGRAMCOSTS_H
#define GLOW_PARTITION_PROGRAMCOSTS_H

#include "glow/Partition/NodeCosts.h"
#include <optional>

namespace glow {

/// Bytes of a compiled program: its constants as stored, each once, and its
/// arena.
struct ProgramBytes {
  uint64_t constants = 0, arena = 0;
};

/// Node costs that are found by compiling the nodes. The parts are compiled
/// later, and their sizes decide whether a part fits, so an overestimate
/// refuses nothing.
class ProgramCosts : public NodeCosts {
public:
  /// The bytes of the program that `secondsOf` last compiled for this function
  /// and device; nothing if it compiled none.
  virtual std::optional<ProgramBytes>
  bytesOf(FuncOp function, const PartitionDevice &device) = 0;
};

} // namespace glow

#endif // GLOW_PARTITION_PROGRAMCOSTS_H
