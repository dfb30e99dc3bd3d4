//===- Stored.h - programs of this backend as bytes -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_DEVICE_STORED_H
#define GLOW_BACKENDS_CPU_DEVICE_STORED_H

#include "Code.h"
#include "FlatImage.h"
#include "glow/Runtime/ProgramFile.h"

namespace glow::cpu {

/// A program as it is stored, without the data of its constants.
struct StoredCode {
  Program program; ///< without code
  StepCode steps;
  std::vector<StepSymbols> symbols;
  std::vector<std::string> features; ///< processor features that it needs
  MadeCode made;                     ///< empty if the code is stored elsewhere
  std::vector<SizeVariable> sizes = {}; ///< in the order of StepInfo::sizes

  /// The members of a program whose sizes a run gives; unset for fixed sizes.
  struct Open {
    ProgramLengths lengths;
    std::vector<SizeVariable> sizes;
    std::vector<std::vector<std::string>> measures; ///< of phases of steps
  };
  std::optional<Open> open = {};
  std::optional<ProgramCalls> calls = {}; ///< unset without calls
};

std::string describe(StoredCode stored);

/// The inverse, without an object file's functions; the constants are bound.
Result<StoredCode> readStored(const StoredProgram &stored);

/// Finds the functions of a stored program. The program keeps `from`, so that
/// it can be sent to other processes.
Result<Program> makeProgram(StoredCode stored, const SymbolFinder &find,
                            std::shared_ptr<const void> image,
                            const StoredProgram *from = nullptr);

/// Reads a program and finds its functions: by `stored.find`, or in its stored
/// code. Fails as `readStored` does, and with Code::Unsupported if its code is
/// an object file.
Result<Program> readProgram(const StoredProgram &stored);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_STORED_H
