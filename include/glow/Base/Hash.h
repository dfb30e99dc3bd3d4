//===- Hash.h - what tells bytes apart --------------------------*- C++ -*-===//

#ifndef GLOW_BASE_HASH_H
#define GLOW_BASE_HASH_H

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace glow {

/// 128 bits, by XXH3; different bytes have the same hash by accident only. Not
/// for bytes that are made in order to have it.
struct Hash {
  uint64_t high = 0, low = 0;

  static Hash of(std::string_view bytes);
  std::string text() const; ///< 32 hexadecimal digits
  auto operator<=>(const Hash &) const = default;
};

/// The hash of bytes that come in parts: that of all of them.
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
