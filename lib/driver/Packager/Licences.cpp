//===- Licences.cpp - licence texts of a package --------------------------===//
// SPDX-License-Identifier: MIT
//
// dpkg has a list of the files of each package in /var/lib/dpkg/info, and each
// package its licence in /usr/share/doc/PACKAGE/copyright. That text may refer
// to a file in /usr/share/common-licenses, which other systems do not have.
//
//===----------------------------------------------------------------------===//

#include "Licences.h"
#include "GlowLicence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <filesystem>
#include <optional>
#include <set>

using namespace glow;
namespace fs = std::filesystem;

static std::optional<std::string> textOf(const fs::path &path) {
  auto bytes = llvm::MemoryBuffer::getFile(path.string());
  if (!bytes)
    return std::nullopt;
  return (*bytes)->getBuffer().str();
}

/// The packages of files, by path. A file of /usr/lib is listed as one of /lib
/// by packages that are older than the union of both.
static std::map<std::string, std::string>
packagesOf(const std::set<std::string> &files, const std::string &system) {
  std::map<std::string, std::string> packages;
  std::error_code error;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(system + "/var/lib/dpkg/info", error)) {
    if (entry.path().extension() != ".list")
      continue;
    const std::optional<std::string> list = textOf(entry.path());
    if (!list)
      continue;
    // "libllvm22:amd64.list"
    const std::string stem = entry.path().stem().string();
    for (llvm::StringRef line : llvm::split(*list, '\n'))
      for (const std::string &path : {line.str(), "/usr" + line.str()})
        if (files.contains(path))
          packages[path] = stem.substr(0, stem.find(':'));
  }
  return packages;
}

/// Adds the files of common licences that a text refers to.
static void addCommon(const std::string &text, const std::string &system,
                      std::map<std::string, std::string> &texts) {
  const std::string folder = "/usr/share/common-licenses/";
  for (size_t at = 0; (at = text.find(folder, at)) != text.npos;) {
    at += folder.size();
    const size_t end = text.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.", at);
    std::string name = text.substr(at, std::min(end, text.size()) - at);
    while (name.ends_with('.')) // of the sentence
      name.pop_back();
    if (name.empty())
      continue;
    if (auto common = textOf(system + folder + name))
      texts[name + ".txt"] = std::move(*common);
  }
}

Licences glow::licencesOf(const std::vector<std::string> &libraries,
                          const std::string &system) {
  Licences licences;
  licences.texts["glow.txt"] = glowLicence;
  std::map<std::string, std::string> paths; // real ones
  std::set<std::string> files;
  for (const std::string &library : libraries) {
    std::error_code error;
    const fs::path real = fs::canonical(library, error);
    paths[library] = error ? library : real.string();
    files.insert(paths[library]);
  }
  const auto packages = packagesOf(files, system);
  for (const std::string &library : libraries) {
    auto package = packages.find(paths[library]);
    std::optional<std::string> text;
    if (package != packages.end())
      text =
          textOf(system + "/usr/share/doc/" + package->second + "/copyright");
    if (!text) {
      licences.missing.push_back(fs::path(library).filename().string());
      continue;
    }
    addCommon(*text, system, licences.texts);
    licences.texts[package->second + ".txt"] = std::move(*text);
  }
  return licences;
}
