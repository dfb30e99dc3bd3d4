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

/// The inverse, but for the data of constants: a description that the reader
/// takes without a library.
using ProgramWriter = Result<std::string> (*)(const Program &);

/// A program as another process of this build reads it, without the data of
/// its constants. Fails with Code::Unsupported if its backend has no way to
/// send what it is.
Result<std::string> describeProgram(const Program &program);

/// The program of a backend that was described. Fails as its ProgramReader
/// does.
Result<Program> readDescribed(const std::string &backend,
                              const StoredProgram &stored);

/// Whether a file is to be opened as a program: by its name, or, of one that is
/// in memory, by its first bytes.
bool isProgramFile(const std::string &path);

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
  void add(std::string_view backend, ProgramReader reader,
           ProgramWriter writer = nullptr);
  ProgramReader find(std::string_view backend) const;   ///< null: none
  ProgramWriter writer(std::string_view backend) const; ///< null: none

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
