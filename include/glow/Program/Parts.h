//===- Parts.h - a program of several backends ------------------*- C++ -*-===//

#ifndef GLOW_PROGRAM_PARTS_H
#define GLOW_PROGRAM_PARTS_H

#include "glow/Program/Program.h"
#include <map>

namespace glow {

/// The code of a program of which backends run parts, one after the other.
///
/// The values of a run are numbered: inputs of the program, its outputs, and
/// those that parts hand on, which lie in memory of the host.
struct PartsCode : ProgramCode {
  struct Part {
    Program program;
    std::vector<uint32_t> inputs, outputs; ///< values, as its bindings
  };
  std::vector<Part> parts;
  std::vector<TensorType> between; ///< the last of the values
};

/// The bytes that each device has of a program, by the names that its parts
/// give them: of arenas, and of constants, of which equal ones lie once.
std::map<std::string, uint64_t> bytesByDevice(const Program &program);

/// The parts of a program; null where it is one of a single backend.
inline const PartsCode *partsOf(const Program &program) {
  return dynamic_cast<const PartsCode *>(program.code.get());
}

} // namespace glow

#endif // GLOW_PROGRAM_PARTS_H
