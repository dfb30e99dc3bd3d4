//===- Link.cpp - from an object to a shared library ----------------------===//

#include "Link.h"
#include "glow/Program/ProgramSeal.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>
#include <fstream>

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

/// The bytes of a file, with room for so many more behind them: the file may be
/// most of the memory.
static std::string contents(StringRef path, size_t more = 0) {
  std::string bytes;
  std::ifstream stream(path.str(), std::ios::binary | std::ios::ate);
  if (!stream)
    return bytes;
  auto size = size_t(std::streamoff(stream.tellg()));
  bytes.reserve(size + more);
  bytes.resize(size);
  stream.seekg(0).read(bytes.data(), std::streamsize(size));
  return stream ? bytes : "";
}

static Status writeFile(StringRef path,
                        function_ref<void(raw_ostream &)> write) {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  write(stream);
  stream.close();
  if (!stream.has_error())
    return Status();
  std::string message = stream.error().message();
  stream.clear_error();
  return Status(Code::InvalidArgument,
                "cannot write '" + path.str() + "': " + message);
}

Result<std::string> cpu::linkShared(ArrayRef<std::string> objects,
                                    StringRef name, ByteSource constants) {
  Result<std::string> linker = findLinker();
  if (!linker)
    return linker.status();
  Temporary data("o"), to("so"), said("txt");
  std::deque<Temporary> from;
  for (size_t i = 0; i < objects.size(); ++i)
    from.emplace_back("o");
  SmallVector<const Temporary *> files = {&data, &to, &said};
  for (const Temporary &file : from)
    files.push_back(&file);
  for (const Temporary *file : files)
    if (file->error)
      return Status(Code::InvalidArgument,
                    "cannot make a temporary file: " + file->error.message());
  Status status;
  for (size_t i = 0; i < objects.size() && status.ok(); ++i)
    status = writeFile(from[i].path,
                       [&](raw_ostream &stream) { stream << objects[i]; });
  if (status.ok())
    status = writeFile(data.path, [&](raw_ostream &stream) {
      writeConstantObject(stream, objects.front(), name, constants);
    });
  if (!status.ok())
    return status;
  constants.write = nullptr;
  std::string message;
  SmallVector<StringRef> command = {*linker, "-shared", "-Bsymbolic",
                                    "-o",    to.path,   data.path};
  for (const Temporary &file : from)
    command.push_back(file.path);
  int exit = sys::ExecuteAndWait(
      *linker, command, std::nullopt,
      {StringRef(), StringRef(said.path), StringRef(said.path)}, 0, 0,
      &message);
  if (exit != 0)
    return Status(Code::Unsupported,
                  "the linker failed: " + contents(said.path) + message);
  return contents(to.path, sizeof(ProgramSeal));
}
