//===- Elsewhere.cpp - plug-ins of a program that has LLVM in itself ------===//
// SPDX-License-Identifier: MIT

#include "../cli/CommandLine.h"
#include "../cli/Plugins.h"
#include "glow/Cache/Cache.h"
#include <cerrno>
#include <system_error>
#include <unistd.h>

using namespace glow;

static Status becomeShared() {
  std::string shared = fileBeside("glow-compiler-shared");
  ::execv(shared.c_str(), tool::commandLine());
  return failure(
      Code::NotFound, "cannot start '", shared,
      "', which loads plug-ins: ", std::generic_category().message(errno));
}

Status tool::loadPluginOf(const std::string &) { return becomeShared(); }

Status tool::loadPassesOf(const std::string &) { return becomeShared(); }
