//===- Between.h - layers between integers ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZATION_BETWEEN_H
#define GLOW_QUANTIZATION_BETWEEN_H

#include <cstddef>
#include <span>
#include <vector>

namespace glow {

/// A node of a graph, and the nodes before it.
struct Neighbour {
  enum Kind {
    Floats,
    Integers, ///< reads and computes integers, whatever its neighbours do
    Free      ///< may do so; its neighbours decide
  };
  Kind kind = Floats;

  /// Whether a node of floats with one varying operand passes integers on, as
  /// an activation does.
  bool passesOn = false;
  /// Whether a node of floats only moves or scales elements that integer nodes
  /// read.
  bool passesBack = false;

  /// Places of the nodes that compute the varying operands; -1 for an input.
  std::vector<int> operands;
};

/// By node, whether it is free and stays in floats. A free node stays in floats
/// if an operand does not come from integers, or if no integer node reads the
/// result. An addition, a pool or a function of elements saves memory between
/// products with weights. Beside floats it only adds the error of rounding.
/// Examples are nodes beside normalizations, and the attention of a language
/// model.
std::vector<bool> besideFloats(std::span<const Neighbour> nodes);

} // namespace glow

#endif // GLOW_QUANTIZATION_BETWEEN_H
