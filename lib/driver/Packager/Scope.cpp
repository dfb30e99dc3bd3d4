//===- Scope.cpp - a library that only needs others -----------------------===//
// SPDX-License-Identifier: MIT
//
// The loader resolves the symbols of a library in the libraries that are opened
// together with it. So a plug-in, which names no library, is opened by one that
// needs Glow's and then the plug-in. The file has a table of strings and the
// dynamic section, and no user of the package needs a linker.
//
//===----------------------------------------------------------------------===//

#include "Libraries.h"
#include <cstring>
#include <elf.h>
#include <fstream>

using namespace glow;

namespace {
/// The parts of the file, which is mapped as it is.
struct Layout {
  Elf64_Ehdr header{};
  Elf64_Phdr segments[3]{};
  Elf64_Sym none{};                ///< a table of symbols begins with this one
  uint32_t hash[4] = {1, 1, 0, 0}; ///< one bucket and chain, both empty
};
} // namespace

static constexpr uint64_t pageSize = 1 << 16; // the largest of any processor

static uint64_t placeOf(const Layout &layout, const void *part) {
  return reinterpret_cast<const char *>(part) -
         reinterpret_cast<const char *>(&layout);
}

template <typename T> static void append(std::string &bytes, const T &part) {
  bytes.append(reinterpret_cast<const char *>(&part), sizeof part);
}

Result<std::string> glow::scopeLibrary(const std::vector<std::string> &needed,
                                       const std::string &like) {
  Layout layout;
  if (!std::ifstream(like, std::ios::binary)
           .read(reinterpret_cast<char *>(&layout.header),
                 sizeof layout.header))
    return failure(Code::InvalidArgument, "cannot read '", like, "'");

  std::string names(1, '\0');
  std::vector<Elf64_Dyn> entries;
  auto add = [&](int64_t tag, uint64_t value) {
    entries.push_back({.d_tag = tag, .d_un = {.d_val = value}});
  };
  auto addName = [&](int64_t tag, const std::string &name) {
    add(tag, names.size());
    names += name + '\0';
  };
  for (const std::string &name : needed)
    addName(DT_NEEDED, name);
  addName(DT_RPATH, "$ORIGIN");
  add(DT_HASH, placeOf(layout, layout.hash));
  add(DT_SYMTAB, placeOf(layout, &layout.none));
  add(DT_SYMENT, sizeof layout.none);
  constexpr size_t left = 3; // two for the strings, and the end
  const uint64_t size = (entries.size() + left) * sizeof(Elf64_Dyn);
  add(DT_STRTAB, sizeof layout + size);
  add(DT_STRSZ, names.size());
  add(DT_NULL, 0);

  Elf64_Ehdr &header = layout.header; // of the same processor
  header.e_type = ET_DYN;
  header.e_entry = header.e_shoff = 0;
  header.e_shnum = header.e_shstrndx = 0;
  header.e_phoff = placeOf(layout, layout.segments);
  header.e_phnum = std::size(layout.segments);
  const uint64_t all = sizeof layout + size + names.size();
  // The loader writes addresses into the dynamic section.
  layout.segments[0] = {.p_type = PT_LOAD,
                        .p_flags = PF_R | PF_W,
                        .p_offset = 0,
                        .p_vaddr = 0,
                        .p_paddr = 0,
                        .p_filesz = all,
                        .p_memsz = all,
                        .p_align = pageSize};
  layout.segments[1] = {.p_type = PT_DYNAMIC,
                        .p_flags = PF_R | PF_W,
                        .p_offset = sizeof layout,
                        .p_vaddr = sizeof layout,
                        .p_paddr = sizeof layout,
                        .p_filesz = size,
                        .p_memsz = size,
                        .p_align = 8};
  // Without this one, the loader would make stacks executable.
  layout.segments[2] = {.p_type = PT_GNU_STACK,
                        .p_flags = PF_R | PF_W,
                        .p_offset = 0,
                        .p_vaddr = 0,
                        .p_paddr = 0,
                        .p_filesz = 0,
                        .p_memsz = 0,
                        .p_align = 16};
  std::string bytes;
  append(bytes, layout);
  for (const Elf64_Dyn &entry : entries)
    append(bytes, entry);
  return bytes + names;
}
