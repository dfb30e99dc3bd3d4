//===- DoorText.h - text that a door gives ----------------------*- C++ -*-===//

#ifndef GLOW_TEST_FUZZ_DOORTEXT_H
#define GLOW_TEST_FUZZ_DOORTEXT_H

#include "mlir/IR/MLIRContext.h"
#include <string>
#include <vector>

namespace glow {

/// A module that walked through the rooms up to a door.
struct DoorText {
  std::string text;                ///< "" when a room refused it
  std::string backend;             ///< for which the rooms were
  std::vector<std::string> instrs; ///< what is in it, sorted
};

/// The same for the same number. Every other text is of a sample, alone or with
/// its gradient, so that each instruction occurs in one of many texts; the
/// others are of several nodes.
DoorText doorText(mlir::MLIRContext &context, unsigned number);

} // namespace glow

#endif // GLOW_TEST_FUZZ_DOORTEXT_H
