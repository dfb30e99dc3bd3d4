//===- Libraries.cpp - shared libraries and their needs -------------------===//
// SPDX-License-Identifier: MIT

#include "Libraries.h"
#include "glow/Base/ThisProgram.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>

using namespace glow;
using Elf = llvm::object::ELFFile<llvm::object::ELF64LE>;
namespace fs = std::filesystem;

static Status notElf(const std::string &path, llvm::Error error) {
  return failure(Code::InvalidArgument, "cannot read the library '", path,
                 "': ", llvm::toString(std::move(error)));
}

Result<std::vector<std::string>> glow::neededBy(const std::string &library) {
  auto bytes = llvm::MemoryBuffer::getFile(library, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!bytes)
    return failure(Code::NotFound, "cannot read the library '", library,
                   "': ", bytes.getError().message());
  auto file = Elf::create((*bytes)->getBuffer());
  if (!file)
    return notElf(library, file.takeError());
  auto entries = file->dynamicEntries();
  if (!entries)
    return notElf(library, entries.takeError());
  const char *names = nullptr;
  for (const auto &entry : *entries)
    if (entry.getTag() == DT_STRTAB) {
      auto at = file->toMappedAddr(entry.getPtr());
      if (!at)
        return notElf(library, at.takeError());
      names = reinterpret_cast<const char *>(*at);
    }
  std::vector<std::string> needed;
  for (const auto &entry : *entries)
    if (names && entry.getTag() == DT_NEEDED)
      needed.push_back(names + entry.getVal());
  return needed;
}

/// Libraries of C and C++, and the loader.
static bool isOfEverySystem(const std::string &name) {
  static constexpr std::string_view stems[] = {
      "ld-linux",      "libc.so",    "libm.so",     "libdl.so",    "librt.so",
      "libpthread.so", "libutil.so", "libgcc_s.so", "libstdc++.so"};
  return std::ranges::any_of(
      stems, [&](std::string_view stem) { return name.starts_with(stem); });
}

/// Where the loader has found a library, or finds it now. "" if nowhere.
static std::string loadedPath(const std::string &name) {
  void *library = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  const link_map *about = nullptr;
  return library && ::dlinfo(library, RTLD_DI_LINKMAP, &about) == 0
             ? about->l_name
             : "";
}

Status glow::addNeeded(std::map<std::string, std::string> &libraries,
                       const std::string &folder) {
  std::vector<std::string> open;
  for (const auto &[name, path] : libraries)
    open.push_back(path);
  while (!open.empty()) {
    const std::string library = open.back();
    open.pop_back();
    Result<std::vector<std::string>> needed = neededBy(library);
    if (!needed)
      return needed.status();
    for (const std::string &name : *needed) {
      if (isOfEverySystem(name) || libraries.contains(name))
        continue;
      std::string path = folder + "/" + name;
      if (!fs::is_regular_file(path))
        path = loadedPath(name);
      if (path.empty())
        return failure(Code::NotFound, "'", library, "' needs the library '",
                       name, "', which is nowhere: ", ::dlerror());
      libraries[name] = path;
      open.push_back(path);
    }
  }
  return Status();
}

Result<std::string> glow::packagedFile(const std::string &name) {
  std::error_code error;
  const fs::path folder = fs::canonical(thisProgram(), error).parent_path();
  const fs::path places[] = {
      folder / ".." / "lib" / GLOW_MULTIARCH / "glow" / name,
      folder / ".." / "lib" / "glow" / name,
      folder / ".." / "onnxruntime" / "plugin" / name}; // of a build
  for (const fs::path &place : places)
    if (fs::is_regular_file(place, error))
      return place.lexically_normal().string();
  return failure(Code::NotFound, "'", places[1].lexically_normal().string(),
                 "' does not exist: it is installed with the files that "
                 "plug-ins are built with, in the package glow-dev",
                 whyNoProgram());
}
