//===- Adjoint.h - gradients of index notation, as index notation ---------===//
// SPDX-License-Identifier: MIT
//
// A statement reads elements of operands and adds to elements of the result.
// Its gradient runs over the same indices and turns each read into a write:
//
//   out[n,m]   += lhs[n,k] * rhs[k,m];
//   d_lhs[n,k] += d_out[n,m] * rhs[k,m];
//
// An operand that is read in several places gets a statement from each. The
// largest element of a window takes the gradient; equal elements share it:
//
//   out[y]   max= in[y + k] over k < 3;
//   ties[y]   += if(in[y + k] == out[y], 1, 0) over k < 3;
//   d_in[y + k] += if(in[y + k] == out[y], d_out[y] / ties[y], 0) over k < 3;
//
// Where statements read what others wrote, or steps of a scan what those before
// left, one node goes through all of them in reverse and gives the gradients of
// all operands (Model/Reverse.h).
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_GRADIENTS_ADJOINT_H
#define GLOW_GEN_MODEL_GRADIENTS_ADJOINT_H

#include "Model/node/Node.h"

namespace glow::gen {

/// A node that computes gradients of another one.
struct Adjoint {
  std::string name;    // of its record: ConvFilterGradient, LSTMGradient
  std::string compute; // statements; empty when no gradient flows
  std::vector<const TensorSignature *> operands; // of the node, that it takes
  std::vector<const TensorSignature *> reads;    // results, that it takes
  std::vector<const TensorSignature *> results;  // whose gradients it takes
  std::vector<const TensorSignature *> gives;    // operands whose gradients are
                                                 // its results
  std::vector<std::pair<std::string, std::string>> scratch; // name, signature
  bool needsOthers = false; // goes through more than the reads of its operand
  std::string why;          // what is in the way; empty when nothing is
  const char *at = nullptr; // of that, in the .td file
};

/// The name of the gradient of a tensor in such a node: `d_in`, and `dd_in`
/// where the node is a gradient itself.
std::string gradientTensor(const NodeModel &node,
                           const TensorSignature &tensor);

/// The nodes that give the gradients of a node with `compute`: one for each
/// operand, or one for all. An operand without a gradient is in none of them.
const std::vector<Adjoint> &adjointsOf(const Model &model,
                                       const NodeModel &node);

/// The node that gives the gradient of an operand, or the reason why there is
/// none.
Adjoint adjointOf(const Model &model, const NodeModel &node,
                  const TensorSignature &operand);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_GRADIENTS_ADJOINT_H
