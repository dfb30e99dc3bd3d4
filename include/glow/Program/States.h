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
  bool appends = false;   ///< whether names may suggest pairs that grow

  /// Whether the user requests anything.
  bool isSaid() const { return !given.empty() || !recognises; }
};

/// Reads values of `--state`: INPUT=OUTPUT for a pair, "append" for pairs that
/// grow, or "none", after which no pair is recognised. Fails with
/// Code::InvalidArgument for any other text.
Result<StateRequest> stateRequestOf(std::span<const std::string> texts);

/// The inputs whose state an output with this name may be, the likeliest first.
std::vector<std::string> stateInputsOf(const std::string &output);

/// Whether the output of a state of the program has more entries along its
/// first axis than the input, which are equal up to there. The compiler has
/// declared such pairs.
bool growsInRuns(const Program &program, const StatePair &pair);

/// Declares the states of a program: pairs that grow, which the compiler has
/// declared, the given pairs, then the recognised ones in the order of the
/// outputs. If the user requests nothing, pairs that a compiled file has
/// declared stay. Fails for a given pair, naming it, with
///   Code::NotFound         if the program has no such input or output;
///   Code::ShapeMismatch    if their types differ;
///   Code::InvalidArgument  if one of them is in an earlier pair.
Status declareStates(Program &program, const StateRequest &request);

} // namespace glow

#endif // GLOW_PROGRAM_STATES_H
