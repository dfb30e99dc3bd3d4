//===- AttributeForm.h - operand counts and attribute forms -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_ATTRIBUTEFORM_H
#define GLOW_GRAPH_ATTRIBUTEFORM_H

#include <cstdint>

namespace glow {

/// Number of values that an operand of a record stands for.
enum class Count : uint8_t { One, Optional, Many };

/// The form of an attribute's value.
enum class AttributeForm : uint8_t {
  Int,    ///< IntegerAttr of i64
  Flag,   ///< BoolAttr
  Real,   ///< FloatAttr of f64
  Text,   ///< StringAttr
  Ints,   ///< DenseI64ArrayAttr
  Reals,  ///< DenseF64ArrayAttr
  Kind,   ///< TypeAttr
  Formula ///< FormulaAttr
};

} // namespace glow

#endif // GLOW_GRAPH_ATTRIBUTEFORM_H
