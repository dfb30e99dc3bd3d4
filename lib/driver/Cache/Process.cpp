//===- Process.cpp - files and processor of this process ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/ThisProgram.h"
#include "glow/Cache/Cache.h"
#include <filesystem>
#include <fstream>
#include <link.h>

using namespace glow;
namespace fs = std::filesystem;

std::vector<FileState> glow::filesOfProcess() {
  std::vector<FileState> files;
  ::dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *files) {
        // The program itself has no name.
        const std::string path =
            *info->dlpi_name ? std::string(info->dlpi_name) : thisProgram();
        if (std::optional<FileState> file = FileState::of(path))
          static_cast<std::vector<FileState> *>(files)->push_back(*file);
        return 0;
      },
      &files);
  return files;
}

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

static const size_t filesAtStart = filesOfProcess().size();

bool glow::isAsStarted() { return filesOfProcess().size() == filesAtStart; }

std::string glow::fileBeside(const std::string &name) {
  const fs::path self = thisProgram();
  return name.empty() || self.empty() ? self.string()
                                      : (self.parent_path() / name).string();
}

std::string glow::compilerFront() { return fileBeside("glow"); }
