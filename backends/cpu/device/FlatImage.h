//===- FlatImage.h - code that needs no linker ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A program's object file, linked once, when it is stored: one block of bytes,
// and the few words in it that depend on where it lies. Includes no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_FLATIMAGE_H
#define GLOW_BACKENDS_CPU_DEVICE_FLATIMAGE_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace glow::cpu {

struct FlatCode {
  /// A name and a place, in bytes from the start.
  struct Named {
    std::string name;
    uint64_t place = 0;
  };
  /// A word that is to hold the address of another place.
  struct Address {
    uint64_t word = 0, place = 0;
  };
  std::string bytes;              ///< "" for no code
  std::vector<Named> symbols;     ///< functions
  std::vector<Named> imports;     ///< words: addresses of the C library's
  std::vector<Address> addresses; ///< words: addresses in the block
};

template <typename Stream> void describe(Stream &stream, FlatCode::Named &x) {
  stream(x.name, x.place);
}
template <typename Stream> void describe(Stream &stream, FlatCode::Address &x) {
  stream(x.word, x.place);
}
template <typename Stream> void describe(Stream &stream, FlatCode &code) {
  stream(code.bytes, code.symbols, code.imports, code.addresses);
}

/// The code of a program: linked, or an object file.
struct MadeCode {
  FlatCode flat; ///< without bytes if it is the other
  std::string object;
  /// Extensions (Features.h) that the code may use, for other processors.
  std::vector<std::string> features = {};
};

/// Code of this processor that can be called.
class FlatImage {
public:
  /// Fails with Code::InvalidArgument if places lie outside of the block, and
  /// with Code::NotFound naming an import that this process has not.
  static Result<std::shared_ptr<const FlatImage>> load(const FlatCode &code);

  /// Null when there is no function of this name.
  void *find(const std::string &symbol) const;

private:
  std::shared_ptr<char> block;
  std::map<std::string, uint64_t> symbols;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_FLATIMAGE_H
