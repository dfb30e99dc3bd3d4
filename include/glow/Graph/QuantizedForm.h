//===- QuantizedForm.h - integer operands of nodes --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Facts about quantization, from the records of nodes. Includes no LLVM and no
// MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_QUANTIZEDFORM_H
#define GLOW_GRAPH_QUANTIZEDFORM_H

#include <span>

namespace glow {

/// An operand of a node that is integers in a quantised model.
struct IntegerInput {
  unsigned input; ///< its index among the operands
  bool isRest;    ///< whether it includes all operands that follow
  int channels;   ///< the axis of its channels; from the last if negative
  bool isWeights; ///< if constant, each channel has its own scale
  bool isBias;    ///< an addend of a product
};

/// The integer form of a node in a quantised model.
struct QuantizedForm {
  std::span<const IntegerInput> integers = {}; ///< empty: stays in floats
  bool keepsRange = false; ///< its result has the scale of its first input
  bool rescales = false;   ///< commutes with positive factors of channels
  bool isAffine = false;   ///< a factor and an addend for each channel
};

} // namespace glow

#endif // GLOW_GRAPH_QUANTIZEDFORM_H
