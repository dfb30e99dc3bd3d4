//===- States.h - states of a program ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_STATES_H
#define GLOW_PROGRAM_STATES_H

#include "glow/Base/Status.h"
#include "glow/Program/Program.h"
#include <span>

namespace glow {

/// The pairs that a user requests.
struct StateRequest {
  std::vector<StatePair> given = {};
  bool recognises = true; ///< whether names and types may suggest more pairs

  /// Whether the user requests anything.
  bool isSaid() const { return !given.empty() || !recognises; }
};

/// Reads values of `--state`: INPUT=OUTPUT for a pair, or "none", after which
/// no pair is recognised. Fails with Code::InvalidArgument for any other text.
Result<StateRequest> stateRequestOf(std::span<const std::string> texts);

/// Declares the states of a program: the given pairs, then the recognised ones
/// in the order of the outputs. If the user requests nothing, pairs that a
/// compiled file has declared stay. Fails for a given pair, naming it, with
///   Code::NotFound         if the program has no such input or output;
///   Code::ShapeMismatch    if their types differ;
///   Code::InvalidArgument  if one of them is in an earlier pair.
Status declareStates(Program &program, const StateRequest &request);

} // namespace glow

#endif // GLOW_PROGRAM_STATES_H
