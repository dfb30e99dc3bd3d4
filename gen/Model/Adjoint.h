//===- Adjoint.h - gradients of index notation, as index notation ---------===//
//
// A statement reads elements of operands and adds to elements of the result.
// Its gradient runs over the same indices and turns each read into a write:
//
//   out[n,m]   += lhs[n,k] * rhs[k,m];
//   d_lhs[n,k] += d_out[n,m] * rhs[k,m];
//
// An operand that is read in several places gets a statement from each.
// The largest of a window takes the gradient; of equals, each takes its share:
//
//   out[y]   max= in[y + k] over k < 3;
//   ties[y]   += if(in[y + k] == out[y], 1, 0) over k < 3;
//   d_in[y + k] += if(in[y + k] == out[y], d_out[y] / ties[y], 0) over k < 3;
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_ADJOINT_H
#define GLOW_GEN_MODEL_ADJOINT_H

#include "Model/Node.h"

namespace glow::gen {

struct Adjoint {
  std::string compute; // statements; empty when no gradient flows
  std::vector<const TensorSignature *> operands; // of the node, that it takes
  std::vector<const TensorSignature *> reads;    // results, that it takes
  std::vector<const TensorSignature *> results;  // whose gradients it takes
  bool countsTies = false;  // in a second result, `ties`, of such sizes
  std::string why;          // what is in the way; empty when nothing is
  const char *at = nullptr; // of that, in the .td file
};

/// The gradient of a node with `compute` as to one of its operands.
Adjoint adjointOf(const Model &model, const NodeModel &node,
                  const TensorSignature &operand);

/// The name of the node that computes it: ConvFilterGradient.
std::string adjointName(const NodeModel &node, const TensorSignature &operand);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_ADJOINT_H
