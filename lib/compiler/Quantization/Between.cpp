//===- Between.cpp - layers between integers ------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantization/Between.h"
#include <algorithm>

using namespace glow;

std::vector<bool> glow::besideFloats(std::span<const Neighbour> nodes) {
  std::vector<std::vector<size_t>> readers(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i)
    for (int operand : nodes[i].operands)
      if (operand >= 0)
        readers[size_t(operand)].push_back(i);
  // Nodes lose these properties until no other node can lose one.
  std::vector<bool> gives(nodes.size(), true), takes(nodes.size(), true);
  const auto update = [&](size_t place) {
    const Neighbour &node = nodes[place];
    if (node.kind == Neighbour::Integers)
      return false;
    const bool areGiven = std::ranges::all_of(node.operands, [&](int operand) {
      return operand >= 0 && gives[size_t(operand)];
    });
    const bool areTaken = std::ranges::any_of(
        readers[place], [&](size_t reader) { return takes[reader]; });
    const bool isBetween = node.kind == Neighbour::Free && areGiven && areTaken;
    const bool give =
        isBetween || (node.passesOn && areGiven && node.operands.size() == 1);
    const bool take = isBetween || (node.passesBack && areTaken);
    const bool changes = give != gives[place] || take != takes[place];
    gives[place] = give, takes[place] = take;
    return changes;
  };
  // The forward pass removes chains behind floats at once; the backward pass
  // removes chains that lead to floats.
  for (bool changes = true; changes;) {
    changes = false;
    for (size_t i = 0; i < nodes.size(); ++i)
      changes |= update(i);
    for (size_t i = nodes.size(); i-- > 0;)
      changes |= update(i);
  }
  std::vector<bool> beside;
  for (size_t i = 0; i < nodes.size(); ++i)
    beside.push_back(nodes[i].kind == Neighbour::Free && !gives[i]);
  return beside;
}
