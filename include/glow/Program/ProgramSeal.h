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

/// The formats of compiled files that this build knows. docs/Versions.md says
/// when the number grows.
constexpr unsigned writtenFormat = 3, oldestReadFormat = 2;

/// What made a compiled file, and for what.
struct ProgramOrigin {
  unsigned format = writtenFormat;
  std::string maker = {}; ///< "glow 1.2.3"; "" in format 2, which has none
  std::string target;     ///< a triple, as LLVM writes it
  std::string processor;  ///< as LLVM names it; "" in format 2

  /// "compiled by glow 1.2.3, format 3, for znver4, x86_64-unknown-linux-gnu"
  std::string text() const;
};

/// The last bytes of a compiled file, the same ones in all formats.
struct ProgramSeal {
  char magic[16]; ///< "glow library ", the format, a new line, 0
  char target[64];
  uint64_t bytes; ///< of the library, without what is behind it
  Hash hash;      ///< of all bytes before this one
};

/// What stands before the seal, from format 3 on; texts end in 0.
struct ProgramMaker {
  char maker[32], processor[32];
};

/// A shared library with its seal. `origin` need not say the maker, which is
/// this build.
std::string sealProgram(std::string library, const ProgramOrigin &origin);

/// Whether the file at `path` is a whole one that this build reads, for this
/// processor. Fails, naming it, with
///   Code::NotFound         if it cannot be read;
///   Code::Unsupported      if it is for another processor, or of a format that
///                          this build does not read;
///   Code::InvalidArgument  if it is no compiled model, or not all of one, or
///                          was changed.
Result<ProgramOrigin> checkProgramSeal(const std::string &path);

/// What the end of a compiled file says of where it comes from, for people,
/// whether the rest is whole or not; "" for any other file.
std::string textOfOrigin(const std::string &path);

} // namespace glow

#endif // GLOW_PROGRAM_PROGRAMSEAL_H
