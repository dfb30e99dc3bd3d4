//===- Linear.h - second gradients by the node itself -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Where y = F(x, w) is linear in w, the gradient as to w, d_w = G(x, d_y),
// needs no derivative of its own: what flows into d_w, v, is of the shape of w,
// and <v, G(x, d_y)> = <F(x, v), d_y>. So F(x, v) flows into d_y, and into x
// what F passes on when v stands for w.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_GRADIENTS_LINEAR_H
#define GLOW_GEN_MODEL_GRADIENTS_LINEAR_H

#include "Model/node/Node.h"

namespace glow::gen {

/// A node, and an operand of it in which its results are linear, where the
/// optional ones of `absent` are.
struct LinearPart {
  const NodeModel *node = nullptr; // null when there is none
  const TensorSignature *operand = nullptr;
  std::vector<const TensorSignature *> absent;
};

/// The node, and the operand, whose derived gradient this is, when the node is
/// linear in the operand.
LinearPart linearPartOf(const Model &model, const NodeModel &gradient);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_GRADIENTS_LINEAR_H
