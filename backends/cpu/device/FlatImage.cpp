//===- FlatImage.cpp - code that needs no linker --------------------------===//
// SPDX-License-Identifier: MIT

#include "FlatImage.h"
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>

using namespace glow;
using namespace glow::cpu;

static std::shared_ptr<char> mapBlock(size_t bytes) {
  void *block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    return nullptr;
  return {static_cast<char *>(block),
          [bytes](char *start) { ::munmap(start, bytes); }};
}

/// Whether a word at this place lies in the block.
static bool hasWord(const FlatCode &code, uint64_t place) {
  return place < code.bytes.size() && code.bytes.size() - place >= 8;
}

static bool makesSense(const FlatCode &code) {
  for (const FlatCode::Named &symbol : code.symbols)
    if (symbol.place >= code.bytes.size())
      return false;
  for (const FlatCode::Named &import : code.imports)
    if (!hasWord(code, import.place))
      return false;
  for (const FlatCode::Address &address : code.addresses)
    if (!hasWord(code, address.word) || address.place > code.bytes.size())
      return false;
  return !code.bytes.empty();
}

Result<std::shared_ptr<const FlatImage>> FlatImage::load(const FlatCode &code) {
  // Bytes of a file: every place that is written or called must lie in the
  // block.
  if (!makesSense(code))
    return Status(Code::InvalidArgument, "its code is damaged");
  size_t bytes = code.bytes.size();
  auto image = std::make_shared<FlatImage>();
  image->block = mapBlock(bytes);
  char *start = image->block.get();
  if (!start)
    return failure(Code::OutOfMemory, "no ", bytes, " bytes are free for code");
  auto set = [&](uint64_t place, const void *value) {
    std::memcpy(start + place, &value, sizeof value);
  };
  std::memcpy(start, code.bytes.data(), bytes);
  for (const FlatCode::Address &address : code.addresses)
    set(address.word, start + address.place);
  for (const FlatCode::Named &import : code.imports) {
    void *found = ::dlsym(RTLD_DEFAULT, import.name.c_str());
    if (!found)
      return failure(Code::NotFound, "its code calls '", import.name,
                     "', which is not here");
    set(import.place, found);
  }
  for (const FlatCode::Named &symbol : code.symbols)
    image->symbols[symbol.name] = symbol.place;
  // Never writable and executable at once.
  if (::mprotect(start, bytes, PROT_READ | PROT_EXEC) != 0)
    return Status(Code::Unsupported, "the system lets no code be loaded");
  __builtin___clear_cache(start, start + bytes);
  return std::shared_ptr<const FlatImage>(std::move(image));
}

void *FlatImage::find(const std::string &symbol) const {
  auto found = symbols.find(symbol);
  return found == symbols.end() ? nullptr : block.get() + found->second;
}
