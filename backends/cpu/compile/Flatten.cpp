//===- Flatten.cpp - linking an object file into one block ----------------===//
// SPDX-License-Identifier: MIT
//
// The object has the large code model, so that it has two kinds of relocations:
// words of 64 bits with addresses, and distances within the object. Calls of
// functions outside, which are those of the C library, go through the table. So
// the cache keeps a block of bytes, the words in it that hold addresses, and
// names. A shared library would need a linker to make it, and an object file
// one to load it.
//
//===----------------------------------------------------------------------===//

#include "Flatten.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"

using namespace glow::cpu;
using namespace llvm;
using object::ELF64LEObjectFile;
using object::SectionRef;
using object::SymbolRef;

namespace {

/// All sections one after the other, and the global offset table behind them.
class Flattener {
public:
  explicit Flattener(const ELF64LEObjectFile &file) : file(file) {}

  std::optional<FlatCode> run() {
    if (!place() || !link())
      return std::nullopt;
    name();
    return std::move(code);
  }

private:
  /// Lays out the sections that are loaded when the code runs.
  bool place() {
    for (SectionRef section : file.sections()) {
      object::ELFSectionRef elf(section);
      // No unwinder looks through frames of code that throws nothing.
      if (!(elf.getFlags() & ELF::SHF_ALLOC) ||
          cantFail(section.getName()) == ".eh_frame")
        continue;
      Expected<StringRef> bytes = section.getContents();
      bool relocated = cantFail(section.getName()).starts_with(".data.rel.ro");
      // The block becomes read-only: data that is written has no place in it.
      if ((elf.getFlags() & ELF::SHF_WRITE && !relocated) ||
          section.isVirtual() || !bytes)
        return consumeError(bytes.takeError()), false;
      align(section.getAlignment().value());
      places[section.getIndex()] = code.bytes.size();
      code.bytes += bytes->str();
    }
    align(8);
    table = code.bytes.size();
    return true;
  }

  void align(uint64_t to) {
    code.bytes.resize(alignTo(code.bytes.size(), to), '\0');
  }

  /// The place of a symbol in the block; nothing if the symbol is elsewhere.
  std::optional<uint64_t> placeOf(const SymbolRef &symbol) const {
    auto section = cantFail(symbol.getSection());
    if (section == file.section_end())
      return std::nullopt;
    auto found = places.find(section->getIndex());
    if (found == places.end())
      return std::nullopt;
    return found->second + cantFail(symbol.getValue());
  }

  /// The word of the table with a symbol's address.
  uint64_t entryOf(const SymbolRef &symbol) {
    StringRef name = cantFail(symbol.getName());
    auto [entry, isNew] = entries.try_emplace(name, code.bytes.size());
    if (!isNew)
      return entry->second;
    code.bytes.append(8, '\0');
    if (std::optional<uint64_t> place = placeOf(symbol))
      code.addresses.push_back({entry->second, *place});
    else
      code.imports.push_back({name.str(), entry->second});
    return entry->second;
  }

  bool link() {
    for (SectionRef section : file.sections()) {
      auto target = section.getRelocatedSection();
      if (!target || *target == file.section_end())
        continue;
      auto found = places.find((*target)->getIndex());
      if (found == places.end())
        continue;
      for (object::ELFRelocationRef relocation : section.relocations())
        if (!apply(relocation, found->second + relocation.getOffset()))
          return false;
    }
    return true;
  }

  bool apply(const object::ELFRelocationRef &relocation, uint64_t word) {
    SymbolRef symbol = *relocation.getSymbol();
    Expected<int64_t> addend = relocation.getAddend();
    if (!addend)
      return consumeError(addend.takeError()), false;
    auto put = [&](uint64_t value) {
      support::endian::write64le(code.bytes.data() + word, value);
      return true;
    };
    uint32_t type = relocation.getType();
    if (type == ELF::R_X86_64_GOTPC64)
      return put(table + *addend - word);
    if (type == ELF::R_X86_64_GOT64)
      return put(entryOf(symbol) - table + *addend);
    std::optional<uint64_t> place = placeOf(symbol);
    // An address from outside, filled in when the block is loaded.
    if (!place && type == ELF::R_X86_64_64 && !*addend)
      code.imports.push_back({cantFail(symbol.getName()).str(), word});
    if (!place)
      return type == ELF::R_X86_64_64 && !*addend;
    switch (type) {
    case ELF::R_X86_64_GOTOFF64:
      return put(*place + *addend - table);
    case ELF::R_X86_64_64:
      code.addresses.push_back({word, *place + *addend});
      return true;
    case ELF::R_X86_64_PC64:
      return put(*place + *addend - word);
    case ELF::R_X86_64_PC32:
    case ELF::R_X86_64_PLT32:
      support::endian::write32le(code.bytes.data() + word,
                                 uint32_t(*place + *addend - word));
      return true;
    default:
      return false;
    }
  }

  void name() {
    for (SymbolRef symbol : file.symbols()) {
      std::optional<uint64_t> place = placeOf(symbol);
      if (place && cantFail(symbol.getType()) == SymbolRef::ST_Function)
        code.symbols.push_back({cantFail(symbol.getName()).str(), *place});
    }
  }

  const ELF64LEObjectFile &file;
  FlatCode code;
  DenseMap<uint64_t, uint64_t> places; // of sections
  StringMap<uint64_t> entries;         // words of the table
  uint64_t table = 0;
};

} // namespace

std::optional<FlatCode> glow::cpu::flatten(const std::string &object) {
  Expected<std::unique_ptr<object::ObjectFile>> file =
      object::ObjectFile::createELFObjectFile({object, "program"});
  if (!file) {
    consumeError(file.takeError());
    return std::nullopt;
  }
  auto *elf = dyn_cast<ELF64LEObjectFile>(file->get());
  if (!elf || elf->getArch() != Triple::x86_64)
    return std::nullopt;
  return Flattener(*elf).run();
}
