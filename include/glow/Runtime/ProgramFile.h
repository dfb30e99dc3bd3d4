//===- ProgramFile.h - compiled programs in shared libraries ----*- C++ -*-===//

#ifndef GLOW_RUNTIME_PROGRAMFILE_H
#define GLOW_RUNTIME_PROGRAMFILE_H

#include "glow/Base/Status.h"
#include "glow/Program/Serial.h"
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace glow {

/// What a shared library made by `glow compile --emit=so` has under the symbol
/// `glow_program`, the only one that it shows.
struct ProgramHeader {
  static constexpr char expectedMagic[16] = "glow program 2\n";
  struct Function {
    const char *name;
    void *address;
  };
  char magic[16];
  const char *backend; ///< a name
  const char *description;
  uint64_t descriptionBytes;
  const char *constants; ///< aligned to 64 bytes
  uint64_t constantBytes;
  const Function *functions; ///< that the description names
  uint64_t functionCount;
};

/// Makes a backend's program of what is stored. Fails with
/// Code::InvalidArgument if it makes no sense, or with Code::Unsupported if
/// this machine cannot run it.
using ProgramReader = Result<Program> (*)(const StoredProgram &);

/// Opens the shared library at `path`; the program keeps it open. Fails, naming
/// the file, as checkProgramSeal does, with Code::NotFound if it cannot be
/// opened, with Code::InvalidArgument if it holds no program, with
/// Code::NotFound if there is no reader for its backend, and as the reader
/// does.
Result<Program> openProgram(const std::string &path);

/// How the programs of backends are read. May be used from any thread.
class ProgramReaders {
public:
  static ProgramReaders &instance();
  void add(std::string_view backend, ProgramReader reader);
  ProgramReader find(std::string_view backend) const; ///< null: none

private:
  mutable std::mutex mutex;
  std::map<std::string, ProgramReader, std::less<>> readers;
};

/// A global of this type adds a reader before `main`.
struct RegisterProgramReader {
  RegisterProgramReader(std::string_view backend, ProgramReader reader) {
    ProgramReaders::instance().add(backend, reader);
  }
};

} // namespace glow

#endif // GLOW_RUNTIME_PROGRAMFILE_H
