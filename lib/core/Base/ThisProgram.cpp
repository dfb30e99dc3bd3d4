//===- ThisProgram.cpp - path of the running executable -------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/ThisProgram.h"
#include <climits>
#include <cstdlib>
#include <sys/auxv.h>
#include <unistd.h>

using namespace glow;

static std::string findProgram() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length > 0 && size_t(length) < sizeof path)
    return std::string(path, size_t(length));
  const auto *started = reinterpret_cast<const char *>(::getauxval(AT_EXECFN));
  return started && ::realpath(started, path) ? path : "";
}

const std::string &glow::thisProgram() {
  static const std::string path = findProgram();
  return path;
}

std::string glow::whyNoProgram() {
  return thisProgram().empty()
             ? "; /proc, by which a program finds its folder, is not mounted"
             : "";
}

/// Finds the path before the program changes its folder: the name may be
/// relative.
[[maybe_unused]] static const bool isFound = (thisProgram(), true);
