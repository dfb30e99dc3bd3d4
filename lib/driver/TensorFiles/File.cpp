//===- File.cpp - files, read whole and written whole ---------------------===//
// SPDX-License-Identifier: MIT

#include "glow/TensorFiles/File.h"
#include "glow/Base/InputFile.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace glow;

/// Appends the rest of a file; returns false with errno when it cannot be read.
static bool readRest(int file, std::string &bytes, uint64_t limit) {
  constexpr size_t chunk = 1 << 20;
  while (bytes.size() <= limit) {
    size_t end = bytes.size();
    // Past the length that the system reported, there is usually only the end.
    bytes.resize(std::max(bytes.capacity(), end + chunk));
    ssize_t got = ::read(file, bytes.data() + end, bytes.size() - end);
    bytes.resize(end + std::max<ssize_t>(got, 0));
    if (got == 0)
      return true;
    if (got < 0 && errno != EINTR)
      return false;
  }
  return true;
}

Result<std::string> glow::readFile(const std::string &path, uint64_t limit) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.status();
  uint64_t size = uint64_t(file->about().st_size);
  std::string bytes;
  if (size <= limit)
    bytes.reserve(size + 1);
  if (!readRest(file->descriptor(), bytes, limit))
    return failure(Code::NotFound, "cannot read '", path,
                   "': ", std::strerror(errno));
  if (bytes.size() > limit)
    return failure(Code::InvalidArgument, "'", path, "' is longer than ", limit,
                   " bytes");
  return bytes;
}
