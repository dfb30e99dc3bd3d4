//===- Link.cpp - from an object to a shared library ----------------------===//

#include "Link.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow;
using namespace llvm;

static Result<std::string> findLinker() {
  for (const char *name : {"ld.lld-" GLOW_LLVM_MAJOR, "ld.lld"})
    if (ErrorOr<std::string> path = sys::findProgramByName(name))
      return *path;
  return Status(Code::NotFound, "a shared library needs LLVM's linker: no "
                                "program is named 'ld.lld-" GLOW_LLVM_MAJOR
                                "' or 'ld.lld'; it is in Debian's package "
                                "lld-" GLOW_LLVM_MAJOR);
}

namespace {

/// A file that is gone when this is.
class Temporary {
public:
  explicit Temporary(StringRef suffix) {
    error = sys::fs::createTemporaryFile("glow", suffix, path);
    if (!error)
      remover.setFile(path);
  }
  SmallString<64> path;
  std::error_code error;

private:
  FileRemover remover;
};

} // namespace

static std::string contents(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

static Status writeObject(StringRef path, StringRef bytes) {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  stream << bytes;
  stream.close();
  if (!stream.has_error())
    return Status();
  std::string message = stream.error().message();
  stream.clear_error();
  return Status(Code::InvalidArgument,
                "cannot write '" + path.str() + "': " + message);
}

Result<std::string> cpu::linkShared(const std::string &object) {
  Result<std::string> linker = findLinker();
  if (!linker)
    return linker.status();
  Temporary from("o"), to("so"), said("txt");
  for (const Temporary *file : {&from, &to, &said})
    if (file->error)
      return Status(Code::InvalidArgument,
                    "cannot make a temporary file: " + file->error.message());
  if (Status status = writeObject(from.path, object); !status.ok())
    return status;
  std::string message;
  int exit = sys::ExecuteAndWait(
      *linker, {*linker, "-shared", "-Bsymbolic", "-o", to.path, from.path},
      std::nullopt, {StringRef(), StringRef(said.path), StringRef(said.path)},
      0, 0, &message);
  if (exit != 0)
    return Status(Code::Unsupported,
                  "the linker failed: " + contents(said.path) + message);
  return contents(to.path);
}
