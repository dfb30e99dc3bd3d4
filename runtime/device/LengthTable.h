//===- LengthTable.h - sizes of buffers and lists in runs -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DEVICE_LENGTHTABLE_H
#define GLOW_RUNTIME_DEVICE_LENGTHTABLE_H

#include "glow/Program/SizeValues.h"
#include "glow/Program/Steps.h"

namespace glow {

/// The different lengths of a program, and the places that have them: new sizes
/// of a run take the value of each length once, and no memory.
class LengthTable {
public:
  LengthTable() = default;
  explicit LengthTable(const StepCode &code);

  /// The types of buffers and the attributes of steps for the greatest sizes.
  /// Steps without lists of lengths have no attributes here.
  static std::vector<TensorType> types(const StepCode &code);
  static std::vector<std::vector<AttributeValue>> lists(const StepCode &code);

  /// Sets the sizes of a run. The addresses of elements stay. `values` is
  /// memory of the table.
  void set(const SizeValues &sizes, Ints &values,
           std::vector<TensorType> &types,
           std::vector<std::vector<AttributeValue>> &lists) const;

private:
  uint32_t numberOf(const Length &length);

  struct Dimension {
    uint32_t buffer, axis, length;
  };
  struct Element {
    uint32_t step, attribute, index, length;
  };
  std::vector<Length> lengths;
  std::vector<Dimension> dimensions;
  std::vector<Element> elements;
};

} // namespace glow

#endif // GLOW_RUNTIME_DEVICE_LENGTHTABLE_H
