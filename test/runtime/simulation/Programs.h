//===- Programs.h - programs of simulated devices ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_RUNTIME_SIMULATION_PROGRAMS_H
#define GLOW_TEST_RUNTIME_SIMULATION_PROGRAMS_H

#include "glow/Program/Parts.h"

namespace simulation {

/// Elements are whole numbers; the first of a row is the request's id, below
/// `firstCanary`. `bad` in its second place fails, `fatal` is one to die of.
inline constexpr float bad = -1, fatal = -2;
inline constexpr int64_t width = 2;

/// The code of a program: which model it is of, and which function it is.
struct Function : glow::ProgramCode {
  size_t model = 0;
  uint64_t salt = 0;
  bool isFirst = true;   ///< the first part, on inputs of requests
  bool hasState = false; ///< the last input, whose next value is "next"
};

/// One element of the output, of those of the inputs in its place.
float function(uint64_t salt, const std::vector<float> &inputs);

/// A program of so many inputs, on `batch` rows of `width`; an open one is for
/// 1 to `batch` rows of one or two times `width`.
glow::Program programOf(const Function &function, size_t inputs, int64_t batch,
                        bool isOpen = false);

/// A program with a state, whose next value is the output.
glow::Program programWithState(size_t model, uint64_t salt, int64_t batch);

/// A program of one part, of two in a row, or of two between two. Their salts
/// are numbers from `salt` on.
glow::Program programInParts(size_t model, uint64_t salt, int parts,
                             int64_t batch, bool isOpen = false);

/// The result of such a program for an element.
float resultInParts(uint64_t salt, int parts, float x);

} // namespace simulation

#endif // GLOW_TEST_RUNTIME_SIMULATION_PROGRAMS_H
