//===- ProgramFile.h - compiled programs in shared libraries ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_PROGRAMFILE_H
#define GLOW_RUNTIME_PROGRAMFILE_H

#include "glow/Base/Status.h"
#include "glow/Program/Serial.h"
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace glow {

/// The contents of the symbol `glow_program`, the only one that a shared
/// library from `glow compile --emit=so` exports.
struct ProgramHeader {
  static constexpr char expectedMagic[16] = "glow program 2\n";
  struct Function {
    const char *name;
    void *address;
  };
  char magic[16];
  const char *backend; ///< name of the backend
  const char *description;
  uint64_t descriptionBytes;
  const char *constants; ///< aligned to 64 bytes
  uint64_t constantBytes;
  const Function *functions; ///< functions that the description names
  uint64_t functionCount;
};

/// Makes a backend's program from its stored form. Fails with
/// Code::InvalidArgument if it is malformed, or with Code::Unsupported if this
/// machine cannot run it.
using ProgramReader = Result<Program> (*)(const StoredProgram &);

/// The inverse, except for the data of constants: a description that the reader
/// accepts without a library.
using ProgramWriter = Result<std::string> (*)(const Program &);

/// Serializes a program for another process of the same build, without the data
/// of its constants. Fails with Code::Unsupported if its backend has no
/// serialized form.
Result<std::string> describeProgram(const Program &program);

/// Reads a described program of a backend. Fails as its ProgramReader does.
Result<Program> readDescribed(const std::string &backend,
                              const StoredProgram &stored);

/// Whether a file is opened as a program: by its name or, for a file in memory,
/// by its first bytes.
bool isProgramFile(const std::string &path);

/// Opens the shared library at `path`; the program keeps it open. Fails, naming
/// the file, as checkProgramSeal does. Also fails with Code::NotFound if it
/// cannot be opened or if its backend has no reader, with Code::InvalidArgument
/// if it holds no program, and as the reader does.
Result<Program> openProgram(const std::string &path);

/// The program readers of backends. Any thread may use it.
class ProgramReaders {
public:
  static ProgramReaders &instance();
  void add(std::string_view backend, ProgramReader reader,
           ProgramWriter writer = nullptr);
  ProgramReader find(std::string_view backend) const;   ///< or null
  ProgramWriter writer(std::string_view backend) const; ///< or null

private:
  mutable std::mutex mutex;
  std::map<std::string, std::pair<ProgramReader, ProgramWriter>, std::less<>>
      readers;
};

/// A global of this type adds a reader before `main`.
struct RegisterProgramReader {
  RegisterProgramReader(std::string_view backend, ProgramReader reader,
                        ProgramWriter writer = nullptr) {
    ProgramReaders::instance().add(backend, reader, writer);
  }
};

} // namespace glow

#endif // GLOW_RUNTIME_PROGRAMFILE_H
