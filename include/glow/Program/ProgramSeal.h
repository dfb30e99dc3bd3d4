//===- ProgramSeal.h - integrity of compiled files --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A compiled file ends in a seal, which is checked before the file is loaded,
// since the system maps a shared library unchecked and runs its code. `glow
// compile --emit=so` writes the seal. A loader of libraries ignores all bytes
// after the last section.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PROGRAM_PROGRAMSEAL_H
#define GLOW_PROGRAM_PROGRAMSEAL_H

#include "glow/Base/Hash.h"
#include "glow/Base/Status.h"
#include <string>
#include <string_view>

namespace glow {

/// The formats of compiled files that this build reads, and those that it
/// writes for programs of fixed sizes and for programs whose sizes a run gives.
/// docs/Versions.md defines when the number grows.
constexpr unsigned oldestReadFormat = 2, newestReadFormat = 5;
constexpr unsigned fixedFormat = 3, openFormat = 4, callFormat = 5;

/// Origin and target of a compiled file.
struct ProgramOrigin {
  unsigned format = fixedFormat;
  std::string maker = {}; ///< "glow 1.2.3"; "" for format 2, which lacks it
  std::string target;     ///< a triple in LLVM's form
  std::string processor;  ///< LLVM's name for it; "" in format 2

  /// "compiled by glow 1.2.3, format 3, for znver4, x86_64-unknown-linux-gnu"
  std::string text() const;
};

/// The last bytes of a compiled file, with the same layout in all formats.
struct ProgramSeal {
  char magic[16]; ///< "glow library ", the format, a new line, 0
  char target[64];
  uint64_t bytes; ///< size of the library without its trailer
  Hash hash;      ///< hash of all bytes before this field
};

/// A record before the seal, from format 3 on; texts end in 0.
struct ProgramMaker {
  char maker[32], processor[32];
};

/// Appends the seal to a shared library. The maker in `origin` is ignored: it
/// is this build.
std::string sealProgram(std::string library, const ProgramOrigin &origin);

/// Checks the completeness, the format and the target processor of the file at
/// `path`. Fails, naming it, with
///   Code::NotFound         if it cannot be read;
///   Code::Unsupported      if it is for another processor, or of a format that
///                          this build does not read;
///   Code::InvalidArgument  if it is no compiled model, or is incomplete or
///                          was changed.
Result<ProgramOrigin> checkProgramSeal(const std::string &path);

/// The origin in the trailer of a compiled file, for people, even if the rest
/// is damaged; "" for any other file.
std::string textOfOrigin(const std::string &path);

} // namespace glow

#endif // GLOW_PROGRAM_PROGRAMSEAL_H
