//===- Reverse.h - the statements of a node, gone through in reverse ------===//
// SPDX-License-Identifier: MIT
//
//   scan t from 0 { out[t,n] = in[t,n] + if(first(t), 0, out[previous(t),n] *
//   rate[n]); }
//
// has the gradient
//
//   flow[t,n] = d_out[t,n]; d_in[t,n] = 0; d_rate[n] = 0;
//   scan t < t to 0 {
//     d_in[t,n] += flow[t,n];
//     flow[following(t),n] += if(last(t), 0, flow[t,n] * rate[n]);
//     d_rate[n] += if(last(t), 0, flow[t,n] * out[following(t),n]);
//   }
//
// A derivative may need a value that later statements or steps overwrite. The
// statements are then replayed beforehand, and the value is kept, for each step
// where it is in a scan.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_GRADIENTS_REVERSE_H
#define GLOW_GEN_MODEL_GRADIENTS_REVERSE_H

#include "Model/gradients/Adjoint.h"
#include "llvm/ADT/ArrayRef.h"

namespace glow::gen {

/// The gradients of the operands that are `wanted`, without a name.
Adjoint reverseOf(const Model &model, const NodeModel &node,
                  llvm::ArrayRef<const TensorSignature *> wanted);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_GRADIENTS_REVERSE_H
