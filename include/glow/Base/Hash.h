//===- Hash.h - what tells bytes apart --------------------------*- C++ -*-===//

#ifndef GLOW_BASE_HASH_H
#define GLOW_BASE_HASH_H

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// 128 bits; different bytes have the same hash by accident only. Not for bytes
/// that somebody makes in order to have it.
struct Hash {
  uint64_t high = 0, low = 0;

  static Hash of(std::string_view bytes);
  std::string text() const; ///< 32 hexadecimal digits
  auto operator<=>(const Hash &) const = default;
};

/// The hash of the hashes of each MiB, of bytes that come in parts.
class HashOfParts {
public:
  void add(std::string_view bytes);
  Hash finish();

private:
  void close(std::string_view bytes) { hashes.push_back(Hash::of(bytes)); }

  static constexpr size_t whole = size_t(1) << 20;
  std::string open; // what is not a whole MiB yet
  std::vector<Hash> hashes;
};

} // namespace glow

#endif // GLOW_BASE_HASH_H
