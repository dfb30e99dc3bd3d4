//===- Link.cpp - from an object to a shared library ----------------------===//
// SPDX-License-Identifier: MIT

#include "Link.h"
#include "glow/Program/ProgramSeal.h"
#include "lld/Common/Driver.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>
#include <fstream>
#include <mutex>

using namespace glow;
using namespace llvm;

/// The part of the linker for bitcode names Polly, of which Debian has another
/// package. There is no bitcode here.
[[gnu::weak, gnu::visibility("hidden")]] PassPluginLibraryInfo
getPollyPluginInfo();
PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "", [](PassBuilder &) {}};
}

LLD_HAS_DRIVER(elf)

/// Links a shared library, as the program ld.lld does. `said` receives the
/// linker's messages.
static bool runLinker(ArrayRef<const char *> arguments, std::string &said) {
  // The linker keeps its state in globals.
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  raw_string_ostream os(said);
  return lld::lldMain(arguments, os, os, {{lld::Gnu, &lld::elf::link}})
             .retCode == 0;
}

namespace {

/// A temporary file, which the destructor removes.
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

/// The bytes of a file, with capacity for `more` bytes behind them. Reserved at
/// once, because the file may take most of the memory.
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
  Temporary data("o"), to("so");
  std::deque<Temporary> from;
  for (size_t i = 0; i < objects.size(); ++i)
    from.emplace_back("o");
  SmallVector<const Temporary *> files = {&data, &to};
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
  SmallVector<const char *> command = {"ld.lld",        "-shared",
                                       "-Bsymbolic",    "-o",
                                       to.path.c_str(), data.path.c_str()};
  for (Temporary &file : from)
    command.push_back(file.path.c_str());
  if (std::string said; !runLinker(command, said))
    return Status(Code::Unsupported, "the linker failed: " + said);
  return contents(to.path, sizeof(ProgramSeal));
}
