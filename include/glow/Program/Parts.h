//===- Parts.h - a program of several backends ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_PARTS_H
#define GLOW_PROGRAM_PARTS_H

#include "glow/Program/Program.h"
#include <map>

namespace glow {

/// The code of a program whose parts run on several backends, one after the
/// other.
///
/// The values of a run are numbered: first the inputs of the program, then its
/// outputs, then the values between parts, which are in memory of the host.
struct PartsCode : ProgramCode {
  struct Part {
    Program program;
    std::vector<uint32_t> inputs, outputs; ///< value numbers, by binding
  };
  std::vector<Part> parts;
  std::vector<TensorType> between; ///< types of the values between parts
};

/// The bytes of a program on each device, by the device names of its parts:
/// arenas, and constants, where equal constants are stored once.
std::map<std::string, uint64_t> bytesByDevice(const Program &program);

/// The parts of a program; null for a program of a single backend.
inline const PartsCode *partsOf(const Program &program) {
  return dynamic_cast<const PartsCode *>(program.code.get());
}

} // namespace glow

#endif // GLOW_PROGRAM_PARTS_H
