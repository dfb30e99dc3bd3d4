//===- Hash.h - hashes of bytes ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_HASH_H
#define GLOW_BASE_HASH_H

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace glow {

/// A hash of 128 bits, by XXH3. Different bytes have the same hash only by
/// accident. It does not protect against bytes that are crafted to collide.
struct Hash {
  uint64_t high = 0, low = 0;

  static Hash of(std::string_view bytes);
  std::string text() const; ///< 32 hexadecimal digits
  auto operator<=>(const Hash &) const = default;
};

/// Hash of bytes that arrive in parts; equal to the hash of all of them at
/// once.
class HashOfParts {
public:
  HashOfParts();
  ~HashOfParts();
  void add(std::string_view bytes);
  Hash finish() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace glow

#endif // GLOW_BASE_HASH_H
