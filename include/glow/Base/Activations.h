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

} // namespace glow

namespace glow::expr {

/// Whether `text` lists `count` of the activations that a gate may have.
bool areActivations(const std::string &text, int64_t count);

/// The list for ONNX's names, which commas separate; without any, for `missing`
/// in each of so many directions. Those that take an alpha or a beta get the
/// next one, and their default when there is none. An unknown name stays.
std::string activationList(const std::string &names, const Reals &alphas,
                           const Reals &betas, const std::string &missing,
                           int64_t directions);

} // namespace glow::expr

#endif // GLOW_BASE_ACTIVATIONS_H
