//===- Weights.cpp - constants that programs of the cache share -----------===//
// SPDX-License-Identifier: MIT

#include "Weights.h"
#include "CheckedFile.h"
#include <filesystem>
#include <mutex>

using namespace glow;
namespace fs = std::filesystem;

static std::string pathOf(const std::string &folder, std::string_view name) {
  return folder + "/" + std::string(name) + ".weights";
}

/// Removes the first name of a list and returns it.
static std::string_view takeName(std::string_view &names) {
  const size_t end = std::min(names.find('\n'), names.size());
  const std::string_view name = names.substr(0, end);
  names.remove_prefix(std::min(end + 1, names.size()));
  return name;
}

/// The bytes of a file that this process has mapped, or maps now. A file never
/// changes under its name, so that one check is enough.
static std::optional<StoredConstant> load(const std::string &path) {
  struct Mapped {
    std::string path;
    std::string_view bytes;
    std::weak_ptr<const void> owner;
  };
  static std::mutex mutex;
  static std::vector<Mapped> all;
  std::lock_guard lock(mutex);
  std::erase_if(all, [](const Mapped &one) { return one.owner.expired(); });
  for (const Mapped &one : all)
    if (one.path == path)
      if (std::shared_ptr<const void> owner = one.owner.lock())
        return StoredConstant{one.bytes, owner};
  std::optional<CheckedBytes> file = CheckedBytes::read(path);
  if (!file || !file->header.fits(file->file.bytes.size()))
    return std::nullopt;
  const std::string_view bytes =
      file->file.bytes.substr(file->header.constantsAt);
  all.push_back({path, bytes, file->file.owner});
  return StoredConstant{bytes, file->file.owner};
}

std::string glow::storeWeights(const std::string &folder,
                               const Program &program) {
  std::string names;
  for (const Constant &constant : program.constants) {
    if (!isLarge(constant))
      continue;
    const std::string_view bytes(static_cast<const char *>(constant.data),
                                 constant.type.bytes());
    HashOfParts hash;
    hash.add(bytes);
    const std::string name = hash.finish().text();
    const std::string path = pathOf(folder, name);
    names += name + "\n";
    // A damaged file is written again.
    if (load(path)) {
      recordUse(path);
      continue;
    }
    FileHeader header;
    header.constantsAt = pagesAfter(sizeof header);
    CheckedFile file(path);
    file.padTo(header.constantsAt);
    file.write(bytes);
    file.finish(header);
  }
  return names;
}

std::optional<std::vector<StoredConstant>>
glow::loadWeights(const std::string &folder, std::string_view names) {
  std::vector<StoredConstant> constants;
  while (!names.empty()) {
    const std::string path = pathOf(folder, takeName(names));
    std::optional<StoredConstant> constant = load(path);
    if (!constant)
      return std::nullopt;
    constants.push_back(std::move(*constant));
    recordUse(path);
  }
  return constants;
}

uint64_t glow::bytesOfWeights(const std::string &folder,
                              std::string_view names) {
  uint64_t total = 0;
  while (!names.empty()) {
    std::error_code error;
    if (uint64_t bytes = fs::file_size(pathOf(folder, takeName(names)), error);
        !error)
      total += bytes;
  }
  return total;
}
