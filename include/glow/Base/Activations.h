//===- Activations.h - activations of recurrent nodes -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// An attribute of a recurrent node lists the activations of its gates,
// direction by direction: "sigmoid, tanh, hard_sigmoid 0.2 0.5".
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_ACTIVATIONS_H
#define GLOW_BASE_ACTIVATIONS_H

#include "glow/Base/Ints.h"
#include <string>
#include <vector>

namespace glow {

struct Activation {
  std::string mnemonic; ///< the Pointwise node of one operand
  Reals values;         ///< the attributes of that node
};
std::vector<Activation> parseActivations(const std::string &text);

namespace expr {
/// Mnemonic of activation `index` of the list, and its value number `value`. An
/// index outside the list gives "" and 0, and so does a missing value 0.
std::string activationName(const std::string &text, int64_t index);
double activationValue(const std::string &text, int64_t index, int64_t value);
} // namespace expr

} // namespace glow

#endif // GLOW_BASE_ACTIVATIONS_H
