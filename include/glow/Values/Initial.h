//===- Initial.h - first elements of weights --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_VALUES_INITIAL_H
#define GLOW_VALUES_INITIAL_H

#include "glow/Values/Tensor.h"
#include <string>

namespace glow {

/// A tensor with elements of a kind of initialisation, which glow_graph_weight
/// of glow.h documents. Equal seeds give equal elements. Fails with
/// Code::InvalidArgument for another text, or a kind of elements that is not
/// f32, f64, f16 or bf16, and with Code::OutOfMemory.
Result<Tensor> initialTensor(const TensorType &type, const std::string &text,
                             uint64_t seed, int64_t fanIn);

} // namespace glow

#endif // GLOW_VALUES_INITIAL_H
