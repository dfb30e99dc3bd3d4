//===- ConstantObject.cpp - constants beside code, as an ELF file ---------===//
// SPDX-License-Identifier: MIT
//
// LLVM would need five times the memory of constants for its modules, fragments
// and buffers. An object with one section is simply a header, the bytes, and
// three tables.
//
//===----------------------------------------------------------------------===//

#include "ConstantObject.h"
#include "glow/Base/Memory.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace glow::cpu;
using namespace llvm;

namespace {

constexpr uint64_t alignment = 64;

/// The fewest bytes of constants behind which there are pages to prefetch.
constexpr uint64_t leastPrefetched = 256 << 10;
static_assert(sizeof(ELF::Elf64_Ehdr) == alignment,
              "the bytes follow the header");

/// The sections, in their order.
enum Section { None, Data, Symbols, Names, SectionCount };

/// All names, each ending in 0, after an empty one.
class NameTable {
public:
  ELF::Elf64_Word add(StringRef name) {
    auto place = ELF::Elf64_Word(text.size());
    text += name.str() + '\0';
    return place;
  }
  std::string text = std::string(1, '\0');
};

template <typename T> void writeAs(raw_ostream &stream, const T &value) {
  stream.write(reinterpret_cast<const char *>(&value), sizeof value);
}

} // namespace

static ELF::Elf64_Shdr sectionOf(ELF::Elf64_Word name, ELF::Elf64_Word type,
                                 uint64_t offset, uint64_t bytes) {
  ELF::Elf64_Shdr section{};
  section.sh_name = name;
  section.sh_type = type;
  section.sh_offset = offset;
  section.sh_size = bytes;
  section.sh_addralign = 1;
  return section;
}

void glow::cpu::writeConstantObject(raw_ostream &stream, StringRef beside,
                                    StringRef name, const ByteSource &data) {
  NameTable names;
  ELF::Elf64_Sym symbols[2] = {};
  symbols[1].st_name = names.add(name);
  symbols[1].setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
  symbols[1].st_other = ELF::STV_HIDDEN;
  symbols[1].st_shndx = Data;
  symbols[1].st_size = data.bytes;

  ELF::Elf64_Shdr sections[SectionCount] = {};
  const uint64_t behind = data.bytes < leastPrefetched ? 0 : prefetchedBehind;
  const uint64_t bytes = data.bytes + behind;
  const uint64_t table = alignment + alignTo(bytes, 8);
  sections[Data] =
      sectionOf(names.add(".rodata"), ELF::SHT_PROGBITS, alignment, bytes);
  sections[Data].sh_flags = ELF::SHF_ALLOC;
  sections[Data].sh_addralign = alignment;
  sections[Symbols] =
      sectionOf(names.add(".symtab"), ELF::SHT_SYMTAB, table, sizeof symbols);
  sections[Symbols].sh_link = Names;
  sections[Symbols].sh_info = 1; // the first that other files see
  sections[Symbols].sh_entsize = sizeof symbols[0];
  sections[Symbols].sh_addralign = 8;
  ELF::Elf64_Word own = names.add(".strtab");
  names.text.resize(alignTo(names.text.size(), 8));
  sections[Names] = sectionOf(own, ELF::SHT_STRTAB, table + sizeof symbols,
                              names.text.size());

  // The machine and the ABI are those of the object file beside it.
  ELF::Elf64_Ehdr header;
  std::memcpy(&header, beside.data(), sizeof header);
  header.e_shoff = table + sizeof symbols + names.text.size();
  header.e_shnum = SectionCount;
  header.e_shstrndx = Names;
  writeAs(stream, header);
  data.write([&](std::string_view bytes) {
    stream.write(bytes.data(), bytes.size());
  });
  stream.write_zeros(unsigned(table - alignment - data.bytes));
  writeAs(stream, symbols);
  stream << names.text;
  writeAs(stream, sections);
}
