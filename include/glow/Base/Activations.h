//===- Activations.h - what recurrent nodes do to gates ---------*- C++ -*-===//
//
// An attribute of a recurrent node lists the activations of its gates, those of
// one direction after the other: "sigmoid, tanh, hard_sigmoid 0.2 0.5".
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_ACTIVATIONS_H
#define GLOW_BASE_ACTIVATIONS_H

#include "glow/Base/Ints.h"
#include <string>
#include <vector>

namespace glow {

struct Activation {
  std::string mnemonic; ///< of a Pointwise node of one operand
  Reals values;         ///< of the node's attributes
};
std::vector<Activation> parseActivations(const std::string &text);

namespace expr {
/// The mnemonic of an activation of the list, "" of one that is not in it, and
/// its value number `value`, else 0.
std::string activationName(const std::string &text, int64_t index);
double activationValue(const std::string &text, int64_t index, int64_t value);
} // namespace expr

} // namespace glow

#endif // GLOW_BASE_ACTIVATIONS_H
