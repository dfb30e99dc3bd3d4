//===- Join.h - two formulas as one -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_GRAPH_JOIN_H
#define GLOW_BACKENDS_CPU_GRAPH_JOIN_H

#include "glow/Graph/Formula.h"

namespace glow::cpu {

/// The formula that first computes `first`, of `inputs` operands, and then
/// `next`, whose operand `place` is the result of `first`. Operands of `first`
/// come first and keep their numbers; the others of `next` follow in their
/// order.
Formula joined(const Formula &first, const Formula &next, size_t inputs,
               size_t place);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_GRAPH_JOIN_H
