//===- InputFile.cpp - regular files for reading --------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/InputFile.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

using namespace glow;

Result<InputFile> InputFile::open(const std::string &path) {
  // O_NONBLOCK: opening a pipe does not wait for its other end.
  int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0)
    return failure(Code::NotFound, "cannot open '", path,
                   "': ", std::strerror(errno));
  struct stat state = {};
  InputFile file(number, state);
  if (::fstat(number, &file.state) != 0)
    return failure(Code::NotFound, "cannot open '", path,
                   "': ", std::strerror(errno));
  if (!S_ISREG(file.state.st_mode))
    return failure(Code::InvalidArgument, "'", path, "' is ",
                   S_ISDIR(file.state.st_mode) ? "a folder"
                                               : "a device or pipe",
                   ", it should be a file");
  return file;
}

InputFile::InputFile(InputFile &&other) noexcept
    : number(std::exchange(other.number, -1)), state(other.state) {}

InputFile::~InputFile() {
  if (number >= 0)
    ::close(number);
}

bool glow::isOursAlone(const struct stat &about) {
  bool isOurs = about.st_uid == 0 || about.st_uid == ::geteuid();
  return isOurs && !(about.st_mode & (S_IWGRP | S_IWOTH));
}
