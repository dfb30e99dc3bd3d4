//===- Reach.h - operands beside a result ---------------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_COMMON_REACH_H
#define GLOW_BACKENDS_CPU_COMMON_REACH_H

#include "glow/Base/Ints.h"
#include <optional>

namespace glow::cpu {

/// How a formula reads an operand beside the result.
enum class Reach : uint8_t {
  Same,    ///< the element of the result's place
  Channel, ///< one value a channel (column)
  Single   ///< one value for all
};

/// How an operand of shape `extra` is read beside a result of shape `out`,
/// whose channels are in dimension `channel` and, if it is `blocked`, in the
/// last one too. Nothing if it is repeated in another way.
std::optional<Reach> reachOf(const Ints &extra, const Ints &out, size_t channel,
                             bool blocked);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMMON_REACH_H
