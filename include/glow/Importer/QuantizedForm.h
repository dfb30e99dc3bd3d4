//===- QuantizedForm.h - integer inputs of operators ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Quantization properties of operators, from their import records. Includes no
// LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORTER_QUANTIZEDFORM_H
#define GLOW_IMPORTER_QUANTIZEDFORM_H

#include <cstdint>
#include <span>
#include <string_view>

namespace glow {

/// An input that is integers in a quantised model.
struct IntegerInput {
  unsigned input;     ///< its index in ImportEntry::inputs
  bool isRest;        ///< whether it includes all inputs that follow
  int channels;       ///< the axis of its channels; from the last if negative
  const char *turned; ///< an attribute that selects the other of two axes, or
                      ///< ""
  bool isWeights;     ///< if constant, each channel has its own scale
  bool isBias;        ///< an addend of a product
};

/// The integer form of an operator in a quantised model.
struct QuantizedForm {
  std::span<const IntegerInput> integers = {}; ///< empty: stays in floats
  bool keepsRange = false; ///< its result has the scale of its first input
  bool rescales = false;   ///< commutes with positive factors of channels
  bool isAffine = false;   ///< a factor and an addend for each channel
  int64_t bf16From = 0;    ///< the opset from which these may be bf16; 0: none
};

/// The form of an operator of an opset, which lives as long as the process. An
/// operator that no record imports stays in floats. Any thread may call this.
const QuantizedForm &quantizedForm(std::string_view domain, std::string_view op,
                                   int64_t opset);

} // namespace glow

#endif // GLOW_IMPORTER_QUANTIZEDFORM_H
