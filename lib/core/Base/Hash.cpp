//===- Hash.cpp - hashes of bytes -----------------------------------------===//
// SPDX-License-Identifier: MIT
//
// XXH3 needs only its header, so a program without LLVM has the hash too. The
// hash separates inputs that differ by accident. It does not resist inputs made
// to collide: a user that may write to the cache's folder can do worse.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Hash.h"
#include <cstdio>

// The whole library is its header: there is nothing to link.
#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace glow;

static Hash hashOf(XXH128_hash_t value) { return {value.high64, value.low64}; }

Hash Hash::of(std::string_view bytes) {
  return hashOf(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string Hash::text() const {
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx",
                static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return name;
}

struct HashOfParts::State {
  XXH3_state_t of;
};

HashOfParts::HashOfParts() : state(std::make_unique<State>()) {
  XXH3_128bits_reset(&state->of);
}
HashOfParts::~HashOfParts() = default;

void HashOfParts::add(std::string_view bytes) {
  XXH3_128bits_update(&state->of, bytes.data(), bytes.size());
}

Hash HashOfParts::finish() const {
  return hashOf(XXH3_128bits_digest(&state->of));
}
