//===- OwnNames.cpp - libraries that a package shares with no other -------===//
// SPDX-License-Identifier: MIT
//
// Protobuf keeps a table of the messages of all its users in a process, and
// ends the process where two have messages of one name, such as Glow's own
// provider and that of a chip. So a package has protobuf for itself: the loader
// knows libraries by their names, which are changed in the copies.
//
//===----------------------------------------------------------------------===//

#include "Libraries.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>

using namespace glow;

/// A name of the same length: "libpr-1a2b3c4d.so" for "libprotobuf.so.32".
static std::string nameFor(const std::string &name, const std::string &user) {
  const std::string hash =
      llvm::utohexstr(llvm::xxh3_64bits(llvm::StringRef(user)),
                      /*LowerCase=*/true, /*Width=*/16);
  const std::string ending = "-" + hash.substr(0, 8) + ".so";
  const size_t kept = name.size() - std::min(name.size(), ending.size());
  return name.substr(0, kept) + ending.substr(0, name.size());
}

Result<LibraryNames>
glow::ownNames(const std::map<std::string, std::string> &libraries,
               const std::string &user) {
  std::map<std::string, std::vector<std::string>> needs;
  LibraryNames names;
  for (const auto &[name, path] : libraries) {
    Result<std::vector<std::string>> needed = neededBy(path);
    if (!needed)
      return needed.status();
    needs[name] = needed.take();
    if (name.starts_with("libprotobuf"))
      names[name] = nameFor(name, user);
  }
  auto isRenamed = [&](const std::string &name) {
    return names.contains(name);
  };
  // Their users, too, except for libraries that no other package has.
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto &[name, needed] : needs)
      if (!isRenamed(name) && !name.starts_with(user) &&
          !name.starts_with("libonnxruntime-ep-") &&
          std::ranges::any_of(needed, isRenamed)) {
        names[name] = nameFor(name, user);
        grows = true;
      }
  }
  return names;
}

std::string glow::nameIn(const LibraryNames &names, const std::string &name) {
  auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

std::string glow::withNames(std::string_view library,
                            const LibraryNames &names) {
  std::string bytes(library);
  for (const auto &[before, after] : names) {
    // An entry of the table of strings.
    const std::string from = '\0' + before + '\0', to = '\0' + after + '\0';
    for (size_t at = 0; (at = bytes.find(from, at)) != bytes.npos;)
      bytes.replace(at, to.size(), to);
  }
  return bytes;
}
