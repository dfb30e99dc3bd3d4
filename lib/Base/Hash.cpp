//===- Hash.cpp - what tells bytes apart ----------------------------------===//

#include "glow/Base/Hash.h"
#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace glow;

/// Digits of the fractions of square roots of primes.
static constexpr uint64_t factors[8] = {0x6a09e667f3bcc909, 0xbb67ae8584caa73b,
                                        0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                        0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                        0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

/// Both halves of a product, so that every bit of it depends on every bit of
/// the value.
static uint64_t folded(uint64_t value, uint64_t factor) {
  auto product = static_cast<unsigned __int128>(value) * factor;
  return uint64_t(product) ^ uint64_t(product >> 64);
}

Hash Hash::of(std::string_view bytes) {
  // Eight sums side by side, since one would wait for its own products.
  uint64_t sums[8];
  std::copy_n(factors, 8, sums);
  auto take = [&](const char *from) {
    uint64_t words[8];
    std::memcpy(words, from, sizeof words);
    for (int i = 0; i < 8; ++i)
      sums[i] = folded(sums[i] ^ words[i], factors[7 - i]);
  };
  size_t rest = bytes.size() % 64;
  for (size_t at = 0; at + rest < bytes.size(); at += 64)
    take(bytes.data() + at);
  char last[64] = {};
  bytes.copy(last, rest, bytes.size() - rest);
  take(last);
  Hash hash{bytes.size(), ~bytes.size()};
  for (uint64_t sum : sums) {
    hash.high = folded(hash.high ^ sum, factors[0]);
    hash.low = folded(hash.low + sum, factors[1]);
  }
  return hash;
}

std::string Hash::text() const {
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx",
                static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return name;
}

void HashOfParts::add(std::string_view bytes) {
  while (!bytes.empty()) {
    size_t count = std::min(bytes.size(), whole - open.size());
    if (count == whole) {
      close(bytes.substr(0, whole));
    } else if (open += bytes.substr(0, count); open.size() == whole) {
      close(open);
      open.clear();
    }
    bytes.remove_prefix(count);
  }
}

Hash HashOfParts::finish() {
  close(open);
  return Hash::of({reinterpret_cast<const char *>(hashes.data()),
                   hashes.size() * sizeof hashes[0]});
}
