//===- MemoryFile.cpp - bytes as a file -----------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/MemoryFile.h"
#include "glow/Base/InputFile.h"
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace glow;

static constexpr std::string_view folder = "/proc/self/fd/";

namespace {
/// The names of all live memory files, by path.
struct Names {
  std::mutex mutex;
  std::map<std::string, std::string, std::less<>> all;
};
} // namespace

/// Is never freed: a file may live as long as the process.
static Names &names() {
  static auto *names = new Names;
  return *names;
}

MemoryFile::MemoryFile(std::string called, int descriptor)
    : name(std::move(called)), descriptor(descriptor),
      thePath(pathOf(descriptor)) {
  std::lock_guard lock(names().mutex);
  names().all[thePath] = name;
}

MemoryFile::~MemoryFile() {
  {
    std::lock_guard lock(names().mutex);
    names().all.erase(thePath);
  }
  ::close(descriptor); // whose number may come again from here on
}

std::string MemoryFile::pathOf(int descriptor) {
  return std::string(folder) + std::to_string(descriptor);
}

bool MemoryFile::isPath(std::string_view path) {
  return path.starts_with(folder);
}

bool MemoryFile::begins(const std::string &path, std::string_view bytes) {
  if (!isPath(path))
    return false;
  Result<InputFile> file = InputFile::open(path);
  std::string first(bytes.size(), 0);
  return file &&
         ::pread(file->descriptor(), first.data(), first.size(), 0) ==
             ssize_t(first.size()) &&
         first == bytes;
}

std::string MemoryFile::withNames(std::string_view text) {
  std::string named;
  while (true) {
    size_t at = text.find(folder), end = at + folder.size();
    if (at == std::string_view::npos)
      return named.append(text);
    while (end < text.size() &&
           std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    const std::string_view path = text.substr(at, end - at);
    std::lock_guard lock(names().mutex);
    auto known = names().all.find(path);
    named.append(text.substr(0, at));
    named.append(known == names().all.end() ? path : known->second);
    text.remove_prefix(end);
  }
}

static bool write(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes.remove_prefix(size_t(count));
  }
  return true;
}

Result<std::shared_ptr<const MemoryFile>>
MemoryFile::make(std::string name, std::string_view bytes) {
  auto fail = [&](Code code, const char *what) {
    return failure(code, name, ": ", what, ": ", std::strerror(errno));
  };
  int descriptor =
      ::memfd_create("glow model", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0)
    return fail(Code::Unsupported, "there can be no file in memory");
  std::shared_ptr<const MemoryFile> file(new MemoryFile(name, descriptor));
  if (!write(descriptor, bytes))
    return fail(Code::OutOfMemory, "there is no memory for a copy");
  // Sealed pages can be used as they are, like those of a file of ours that no
  // other user may write to.
  if (::fchmod(descriptor, S_IRUSR) != 0 ||
      ::fcntl(descriptor, F_ADD_SEALS,
              F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return fail(Code::Unsupported, "a file in memory cannot be sealed");
  return file;
}
