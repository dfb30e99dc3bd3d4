//===- QuantizedForm.h - what may be integers -------------------*- C++ -*-===//
//
// Of each operator, what its import record says. Includes no LLVM and no MLIR.
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
  unsigned input;     ///< its place in ImportEntry::inputs
  bool isRest;        ///< with all that follow
  int channels;       ///< the axis of its channels; from the last if negative
  const char *turned; ///< an attribute that takes the other of two axes, or ""
  bool isWeights;     ///< where it is constant, channels have scales of their own
  bool isBias;        ///< what is added to a product
};

/// What a quantised model may have of an operator as integers.
struct QuantizedForm {
  std::span<const IntegerInput> integers = {}; ///< none: it stays in floats
  bool keepsRange = false; ///< its result takes the scale of its first input
  bool rescales = false;   ///< positive factors of channels go through
  bool isAffine = false;   ///< a multiple and a number for each channel
  int64_t bf16From = 0;    ///< the opset from which these may be bf16; 0: none
};

/// That of an operator of an opset, which lives as long as the process; of one
/// that no record imports, nothing but floats. Any thread may call this.
const QuantizedForm &quantizedForm(std::string_view domain, std::string_view op,
                                   int64_t opset);

} // namespace glow

#endif // GLOW_IMPORTER_QUANTIZEDFORM_H
