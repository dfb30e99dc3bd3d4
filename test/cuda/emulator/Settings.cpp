//===- Settings.cpp - changes of the emulator by a test -------------------===//
// SPDX-License-Identifier: MIT

#include "Emulator.h"
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <unistd.h>

using namespace emulator;

void emulator::wrong(const std::string &why) {
  std::fprintf(stderr, "emulated CUDA: %s\n", why.c_str());
  std::fflush(stderr);
  ::_exit(86);
}

static void take(Settings &settings, const std::string &key,
                 const std::string &value) {
  const uint64_t number = std::strtoull(value.c_str(), nullptr, 10);
  if (key == "seed")
    settings.seed = number;
  else if (key == "memory")
    settings.memory = number;
  else if (key == "devices")
    settings.devices = int(number);
  else if (key == "version")
    settings.version = int(number);
  else if (key == "capability")
    settings.capability = int(number);
  else if (key == "remove" && value == "bounds")
    settings.keepsBounds = false;
  else if (key == "remove" && value == "barriers")
    settings.keepsBarriers = false;
  else if (key == "calls")
    settings.lists = true;
  else if (key == "keep")
    settings.kept = value;
  else if (key == "fail") {
    Settings::Fault fault{};
    std::istringstream parts(value);
    std::string part;
    std::getline(parts, fault.call, ':');
    std::getline(parts, part, ':');
    fault.number = unsigned(std::stoul(part));
    std::getline(parts, part, ':');
    fault.error = Error(std::stoi(part));
    settings.faults.push_back(std::move(fault));
  } else
    wrong("GLOW_EMULATED_CUDA has no '" + key + "=" + value + "'");
}

const Settings &emulator::settings() {
  static const Settings all = [] {
    Settings made;
    const char *given = std::getenv("GLOW_EMULATED_CUDA");
    std::istringstream words(given ? given : "");
    for (std::string word; std::getline(words, word, ',');) {
      const size_t at = word.find('=');
      take(made, word.substr(0, at),
           at == std::string::npos ? "" : word.substr(at + 1));
    }
    return made;
  }();
  return all;
}
