//===- BroadcastKind.h - operands beside a result ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMMON_BROADCASTKIND_H
#define GLOW_BACKENDS_CPU_COMMON_BROADCASTKIND_H

#include "glow/Base/Ints.h"
#include <optional>

namespace glow::cpu {

/// How a formula reads an operand beside the result.
enum class BroadcastKind : uint8_t {
  Elementwise, ///< the element at the index of the result
  PerChannel,  ///< one value a channel (column)
  Scalar       ///< one value for all
};

/// How an operand of shape `extra` is read beside a result of shape `out`,
/// whose channels are in dimension `channel` and, if it is `blocked`, in the
/// last one too. Nothing if it is broadcast in another way.
std::optional<BroadcastKind> broadcastKindOf(const Ints &extra, const Ints &out,
                                             size_t channel, bool blocked);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMMON_BROADCASTKIND_H
