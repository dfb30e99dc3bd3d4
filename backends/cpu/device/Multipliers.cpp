//===- Multipliers.cpp - the fastest products of a processor --------------===//
// SPDX-License-Identifier: MIT
//
// Each multiplier has enough accumulators to hide the latency of an addition. A
// function for an instruction set beyond that of the build contains its whole
// loop: a lambda would not inherit the instruction set.
//
//===----------------------------------------------------------------------===//

#include "Multipliers.h"
#include "Tiles.h"
#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace glow;
using namespace glow::cpu;

static constexpr int sums = 12;

// As many lanes as the longest vectors have; others take several registers.
using Floats = float __attribute__((vector_size(64)));

template <typename Vector>
[[gnu::always_inline]] static inline auto total(const Vector (&all)[sums]) {
  Vector sum = all[0];
  for (int i = 1; i < sums; ++i)
    sum += all[i];
  return int64_t(sum[0]);
}

[[gnu::always_inline]] static inline int64_t floats(int64_t rounds) {
#pragma clang fp contract(fast)
  const Floats by = Floats{} + 0.9f, more = Floats{} + 0.5f;
  Floats all[sums];
  for (int i = 0; i < sums; ++i)
    all[i] = Floats{} + float(i);
  for (int64_t round = 0; round < rounds; ++round)
#pragma clang loop unroll(full)
    for (Floats &sum : all)
      sum = sum * by + more;
  return total(all);
}

static constexpr double floatProducts = sums * sizeof(Floats) / sizeof(float);

#ifdef __x86_64__

__attribute__((target("avx512f,fma"), min_vector_width(512))) static int64_t
floatsBy512(int64_t rounds) {
  return floats(rounds);
}

__attribute__((target("avx2,fma"))) static int64_t floatsBy256(int64_t rounds) {
  return floats(rounds);
}

__attribute__((target("avx512f,avx512vnni"),
               min_vector_width(512))) static int64_t
bytesBy512(int64_t rounds) {
  const __m512i by = _mm512_set1_epi8(3);
  __m512i all[sums] = {};
  for (int64_t round = 0; round < rounds; ++round)
#pragma clang loop unroll(full)
    for (__m512i &sum : all)
      sum = _mm512_dpbusd_epi32(sum, by, by);
  return total(all);
}

__attribute__((target("avx2,avxvnni"))) static int64_t
bytesBy256(int64_t rounds) {
  const __m256i by = _mm256_set1_epi8(3);
  __m256i all[sums] = {};
  for (int64_t round = 0; round < rounds; ++round)
#pragma clang loop unroll(full)
    for (__m256i &sum : all)
      sum = _mm256_dpbusd_avx_epi32(sum, by, by);
  return total(all);
}

// Bytes are widened: products of bytes saturate there.
__attribute__((target("avx2"))) static int64_t pairsBy256(int64_t rounds) {
  __m256i by = _mm256_set1_epi16(3);
  __m256i all[sums] = {};
  for (int64_t round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
    for (__m256i &sum : all)
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(by, sum));
  }
  return total(all);
}

__attribute__((target("avx512f,avx512bf16"),
               min_vector_width(512))) static int64_t
halvesBy512(int64_t rounds) {
  const auto by = __m512bh(_mm512_set1_epi16(0x3f00)); // 0.5
  __m512 all[sums] = {};
  for (int64_t round = 0; round < rounds; ++round)
#pragma clang loop unroll(full)
    for (__m512 &sum : all)
      sum = _mm512_dpbf16_ps(sum, by, by);
  return total(all);
}

// As Intel's manual has it: 16 rows of 64 bytes in each of the eight tiles.
struct alignas(64) TileShapes {
  uint8_t palette = 1, start = 0, reserved[14] = {};
  uint16_t columnBytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// Two rows of tiles by two columns; all of them begin with 0.
#define GLOW_MULTIPLY_TILES(instruction)                                       \
  const TileShapes shapes;                                                     \
  _tile_loadconfig(&shapes);                                                   \
  for (int64_t round = 0; round < rounds; ++round) {                           \
    instruction(0, 4, 6);                                                      \
    instruction(1, 4, 7);                                                      \
    instruction(2, 5, 6);                                                      \
    instruction(3, 5, 7);                                                      \
  }                                                                            \
  alignas(64) int32_t first[256];                                              \
  _tile_stored(0, first, 64);                                                  \
  _tile_release();                                                             \
  return first[0]

__attribute__((target("amx-tile,amx-int8"))) static int64_t
bytesByTiles(int64_t rounds) {
  GLOW_MULTIPLY_TILES(_tile_dpbssd);
}

__attribute__((target("amx-tile,amx-bf16"))) static int64_t
halvesByTiles(int64_t rounds) {
  GLOW_MULTIPLY_TILES(_tile_dpbf16ps);
}
#undef GLOW_MULTIPLY_TILES

/// Products of a round with vectors or tiles, by those of one instruction.
static constexpr double ofVectors(int products) { return sums * products; }
static constexpr double ofTiles(int depth) { return 4.0 * 16 * 16 * depth; }

std::vector<Multiplier> cpu::multipliers() {
  const bool has512 = __builtin_cpu_supports("avx512f"),
             has256 = __builtin_cpu_supports("avx2") &&
                      __builtin_cpu_supports("fma"),
             hasTiles = __builtin_cpu_supports("amx-tile") && mayUseTiles();
  struct Choice {
    bool isThere;
    Multiplier multiplier;
  };
  const Choice choices[] = {
      {has512, {ElementKind::F32, floatProducts, floatsBy512}},
      {has256, {ElementKind::F32, floatProducts, floatsBy256}},
      {true, {ElementKind::F32, floatProducts, floats}},
      {hasTiles && __builtin_cpu_supports("amx-int8"),
       {ElementKind::I8, ofTiles(64), bytesByTiles}},
      {has512 && __builtin_cpu_supports("avx512vnni"),
       {ElementKind::I8, ofVectors(64), bytesBy512}},
      {has256 && __builtin_cpu_supports("avxvnni"),
       {ElementKind::I8, ofVectors(32), bytesBy256}},
      {has256, {ElementKind::I8, ofVectors(16), pairsBy256}},
      {hasTiles && __builtin_cpu_supports("amx-bf16"),
       {ElementKind::BF16, ofTiles(32), halvesByTiles}},
      {has512 && __builtin_cpu_supports("avx512bf16"),
       {ElementKind::BF16, ofVectors(32), halvesBy512}},
  };
  // The first of a kind is the fastest.
  std::vector<Multiplier> found;
  for (const auto &[isThere, multiplier] : choices)
    if (isThere && (found.empty() || found.back().kind != multiplier.kind))
      found.push_back(multiplier);
  return found;
}

#else

std::vector<Multiplier> cpu::multipliers() {
  return {{ElementKind::F32, floatProducts, floats}};
}

#endif
