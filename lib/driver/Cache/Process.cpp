//===- Process.cpp - the processor, files beside the program --------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/ThisProgram.h"
#include "glow/Cache/Cache.h"
#include <filesystem>
#include <fstream>

using namespace glow;
namespace fs = std::filesystem;

std::string glow::machineText() {
  std::ifstream file("/proc/cpuinfo");
  std::string text;
  // Fields of the first processor that do not change while it runs.
  for (std::string line; std::getline(file, line) && !line.empty();)
    for (const char *field :
         {"vendor_id", "cpu family", "model", "stepping", "flags", "Features",
          "CPU implementer", "CPU variant", "CPU part", "CPU revision"})
      if (line.starts_with(field))
        text += line + "\n";
  return text;
}

std::string glow::fileBeside(const std::string &name) {
  const fs::path self = thisProgram();
  return name.empty() || self.empty() ? self.string()
                                      : (self.parent_path() / name).string();
}

std::string glow::compilerFront() { return fileBeside("glow"); }
