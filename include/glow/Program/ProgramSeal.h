//===- ProgramSeal.h - whether a compiled file is whole ---------*- C++ -*-===//
//
// The system maps a shared library as it finds it, and runs what is in it. So
// what `glow compile --emit=so` writes ends in a seal, which is checked before:
// a loader of libraries looks at nothing behind the last section.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PROGRAM_PROGRAMSEAL_H
#define GLOW_PROGRAM_PROGRAMSEAL_H

#include "glow/Base/Hash.h"
#include "glow/Base/Status.h"
#include <string>
#include <string_view>

namespace glow {

/// The last bytes of a compiled file.
struct ProgramSeal {
  static constexpr char expectedMagic[16] = "glow library 2\n";
  char magic[16];
  char target[64]; ///< what the code is for, as LLVM writes it; ends in 0
  uint64_t bytes;  ///< of the file, without the seal
  Hash hash;       ///< of all bytes before this one
};

/// A shared library with its seal.
std::string sealProgram(std::string library, std::string_view target);

/// Whether the file at `path` is a whole one for this processor. Fails, naming
/// it, with
///   Code::NotFound         if it cannot be read;
///   Code::Unsupported      if it is for another processor;
///   Code::InvalidArgument  if it is no compiled model, or not all of one, or
///                          was changed.
Status checkProgramSeal(const std::string &path);

} // namespace glow

#endif // GLOW_PROGRAM_PROGRAMSEAL_H
