//===- PhaseText.h - text that a check gives ----------------------*- C++
//-*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_FUZZ_PHASETEXT_H
#define GLOW_TEST_FUZZ_PHASETEXT_H

#include "mlir/IR/MLIRContext.h"
#include <string>
#include <vector>

namespace glow {

/// A module that passed through the phases up to one of them.
struct PhaseText {
  std::string text;                ///< "" when a phase refused it
  std::string backend;             ///< the target of the phases
  std::vector<std::string> instrs; ///< its instructions, sorted
};

/// The text of a number, always the same. Every other text is of a sample,
/// alone or with its gradient, so that each instruction occurs in one of many
/// texts; the others are of several nodes.
PhaseText phaseText(mlir::MLIRContext &context, unsigned number);

} // namespace glow

#endif // GLOW_TEST_FUZZ_PHASETEXT_H
