//===- CompilerFiles.cpp - files of the compiler's code -------------------===//
// SPDX-License-Identifier: MIT

#include "CompilerFiles.h"
#include "glow/Base/ThisProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <link.h>
#include <span>

using namespace glow;

namespace {

/// A file that the dynamic linker loaded.
struct LoadedFile {
  FileState file;
  std::string name;                ///< in the lists of needed files
  std::vector<std::string> needed; ///< names of other files
  bool hasCompiler = false;
};

} // namespace

/// Reads the names in the dynamic section of a file.
static void readNames(const dl_phdr_info &info, LoadedFile &loaded) {
  const auto headers = std::span(info.dlpi_phdr, info.dlpi_phnum);
  const auto found = llvm::find_if(
      headers, [](const auto &header) { return header.p_type == PT_DYNAMIC; });
  if (found == headers.end())
    return; // linked statically
  const auto *first =
      reinterpret_cast<const ElfW(Dyn) *>(info.dlpi_addr + found->p_vaddr);
  const char *strings = nullptr;
  for (const auto *entry = first; entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_STRTAB) {
      // Some linkers leave an offset here, others the address.
      const auto at = entry->d_un.d_ptr;
      strings = reinterpret_cast<const char *>(
          at < info.dlpi_addr ? info.dlpi_addr + at : at);
    }
  for (const auto *entry = first; strings && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SONAME)
      loaded.name = strings + entry->d_un.d_val;
    else if (entry->d_tag == DT_NEEDED)
      loaded.needed.emplace_back(strings + entry->d_un.d_val);
  }
}

/// Whether an address is in a loaded file.
static bool contains(const dl_phdr_info &info, uintptr_t address) {
  return llvm::any_of(std::span(info.dlpi_phdr, info.dlpi_phnum),
                      [&](const auto &header) {
                        const auto begin = info.dlpi_addr + header.p_vaddr;
                        return header.p_type == PT_LOAD && address >= begin &&
                               address - begin < header.p_memsz;
                      });
}

static std::vector<LoadedFile> loadedFiles() {
  std::vector<LoadedFile> files;
  ::dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *files) {
        // The program itself has no name.
        const std::string path =
            *info->dlpi_name ? std::string(info->dlpi_name) : thisProgram();
        std::optional<FileState> file = FileState::of(path);
        if (!file) // such as the system's own, which is no file
          return 0;
        LoadedFile loaded{
            *file, llvm::StringRef(path).rsplit('/').second.str(), {}};
        loaded.hasCompiler =
            contains(*info, reinterpret_cast<uintptr_t>(&filesOfCompiler));
        readNames(*info, loaded);
        static_cast<std::vector<LoadedFile> *>(files)->push_back(
            std::move(loaded));
        return 0;
      },
      &files);
  return files;
}

std::vector<FileState> glow::filesOfCompiler() {
  const std::vector<LoadedFile> files = loadedFiles();
  std::vector<bool> counts(files.size());
  auto needs = [&](size_t user, size_t used) {
    return llvm::is_contained(files[user].needed, files[used].name);
  };
  // Adds files by a relation until there are no more.
  auto extend = [&](auto isRelated) {
    std::vector<size_t> work;
    for (size_t i = 0; i < files.size(); ++i)
      if (counts[i])
        work.push_back(i);
    while (!work.empty()) {
      const size_t of = work.back();
      work.pop_back();
      for (size_t other = 0; other < files.size(); ++other)
        if (!counts[other] && isRelated(other, of)) {
          counts[other] = true;
          work.push_back(other);
        }
    }
  };
  for (size_t i = 0; i < files.size(); ++i)
    counts[i] = files[i].hasCompiler;
  extend([&](size_t other, size_t of) { return needs(other, of); });
  extend([&](size_t other, size_t of) { return needs(of, other); });
  std::vector<FileState> all;
  for (size_t i = 0; i < files.size(); ++i)
    if (counts[i])
      all.push_back(files[i].file);
  llvm::sort(all, [](const FileState &a, const FileState &b) {
    return a.path < b.path;
  });
  return all;
}

static const size_t filesAtStart = filesOfCompiler().size();

bool glow::isAsStarted() { return filesOfCompiler().size() == filesAtStart; }
