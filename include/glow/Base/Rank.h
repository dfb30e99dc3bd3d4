//===- Rank.h - maximum rank of tensors -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_RANK_H
#define GLOW_BASE_RANK_H

namespace glow {

/// Maximum rank of a tensor. Higher ranks are refused everywhere, so that
/// kernels may keep an index in a small array.
inline constexpr int highestRank = 16;

} // namespace glow

#endif // GLOW_BASE_RANK_H
