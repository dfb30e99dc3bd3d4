//===- QuantizedForm.h - integer operands of nodes --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Facts about quantization, from the records of nodes. An operator of a model
// has those of the node that its import record names. Includes no LLVM and no
// MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_QUANTIZEDFORM_H
#define GLOW_GRAPH_QUANTIZEDFORM_H

#include <cstdint>
#include <span>

namespace glow {

/// An operand of a node, or an input of an operator, that is integers in a
/// quantised model.
struct IntegerInput {
  unsigned input;     ///< its index among the operands or inputs
  bool isRest;        ///< whether it includes all inputs that follow
  int channels;       ///< the axis of its channels; from the last if negative
  const char *turned; ///< an attribute that selects the other of two axes, or
                      ///< ""
  bool isWeights;     ///< if constant, each channel has its own scale
  bool isBias;        ///< an addend of a product
};

/// The integer form of a node or an operator in a quantised model.
struct QuantizedForm {
  std::span<const IntegerInput> integers = {}; ///< empty: stays in floats
  bool keepsRange = false; ///< its result has the scale of its first input
  bool rescales = false;   ///< commutes with positive factors of channels
  bool isAffine = false;   ///< a factor and an addend for each channel
  int64_t bf16From = 0;    ///< the opset from which these may be bf16; 0: none
};

} // namespace glow

#endif // GLOW_GRAPH_QUANTIZEDFORM_H
