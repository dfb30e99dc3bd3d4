//===- Features.cpp - processor features that code needs ------------------===//
// SPDX-License-Identifier: MIT
//
// Bits of CPUID are those of Intel's Software Developer's Manual, volume 2, and
// of AMD's manual, volume 3, appendix E; bits of Arm processors those of
// Linux's Documentation/arch/arm64/elf_hwcaps.rst.
//
//===----------------------------------------------------------------------===//

#include "Features.h"
#include "Tiles.h"
#include <algorithm>
#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

using namespace glow::cpu;

namespace {

enum Register : uint8_t { Eax, Ebx, Ecx, Edx };
enum State : uint8_t { Always, Wide, Widest, Tiles };

struct Bit {
  std::string_view name;
  uint32_t leaf, part;
  Register where;
  uint8_t bit;
  State state = Always;
};

/// A bit of AT_HWCAP (1) or AT_HWCAP2 (2).
struct Capability {
  std::string_view name;
  uint8_t word, bit;
};

} // namespace

static constexpr Bit bits[] = {{"sse3", 1, 0, Ecx, 0},
                               {"ssse3", 1, 0, Ecx, 9},
                               {"sse4.1", 1, 0, Ecx, 19},
                               {"sse4.2", 1, 0, Ecx, 20},
                               {"sse4a", 0x80000001, 0, Ecx, 6},
                               {"popcnt", 1, 0, Ecx, 23},
                               {"lzcnt", 0x80000001, 0, Ecx, 5},
                               {"movbe", 1, 0, Ecx, 22},
                               {"bmi", 7, 0, Ebx, 3},
                               {"bmi2", 7, 0, Ebx, 8},
                               {"tbm", 0x80000001, 0, Ecx, 21},
                               {"adx", 7, 0, Ebx, 19},
                               {"aes", 1, 0, Ecx, 25},
                               {"pclmul", 1, 0, Ecx, 1},
                               {"sha", 7, 0, Ebx, 29},
                               {"gfni", 7, 0, Ecx, 8},
                               {"avx", 1, 0, Ecx, 28, Wide},
                               {"xop", 0x80000001, 0, Ecx, 11, Wide},
                               {"fma4", 0x80000001, 0, Ecx, 16, Wide},
                               {"f16c", 1, 0, Ecx, 29, Wide},
                               {"fma", 1, 0, Ecx, 12, Wide},
                               {"avx2", 7, 0, Ebx, 5, Wide},
                               {"vaes", 7, 0, Ecx, 9, Wide},
                               {"vpclmulqdq", 7, 0, Ecx, 10, Wide},
                               {"avxvnni", 7, 1, Eax, 4, Wide},
                               {"avxifma", 7, 1, Eax, 23, Wide},
                               {"avxvnniint8", 7, 1, Edx, 4, Wide},
                               {"avxneconvert", 7, 1, Edx, 5, Wide},
                               {"avxvnniint16", 7, 1, Edx, 10, Wide},
                               {"avx512f", 7, 0, Ebx, 16, Widest},
                               {"avx512cd", 7, 0, Ebx, 28, Widest},
                               {"avx512bw", 7, 0, Ebx, 30, Widest},
                               {"avx512dq", 7, 0, Ebx, 17, Widest},
                               {"avx512vl", 7, 0, Ebx, 31, Widest},
                               {"avx512ifma", 7, 0, Ebx, 21, Widest},
                               {"avx512vbmi", 7, 0, Ecx, 1, Widest},
                               {"avx512vbmi2", 7, 0, Ecx, 6, Widest},
                               {"avx512vnni", 7, 0, Ecx, 11, Widest},
                               {"avx512bitalg", 7, 0, Ecx, 12, Widest},
                               {"avx512vpopcntdq", 7, 0, Ecx, 14, Widest},
                               {"avx512vp2intersect", 7, 0, Edx, 8, Widest},
                               {"avx512bf16", 7, 1, Eax, 5, Widest},
                               {"avx512fp16", 7, 0, Edx, 23, Widest},
                               {"amx-tile", 7, 0, Edx, 24, Tiles},
                               {"amx-int8", 7, 0, Edx, 25, Tiles},
                               {"amx-bf16", 7, 0, Edx, 22, Tiles},
                               {"amx-fp16", 7, 1, Eax, 21, Tiles},
                               {"amx-complex", 7, 1, Edx, 8, Tiles}};

static constexpr Capability capabilities[] = {
    {"aes", 1, 3},      {"sha2", 1, 6},       {"crc", 1, 7},
    {"lse", 1, 8},      {"fullfp16", 1, 10},  {"rdm", 1, 12},
    {"jsconv", 1, 13},  {"complxnum", 1, 14}, {"rcpc", 1, 15},
    {"sha3", 1, 17},    {"dotprod", 1, 20},   {"sve", 1, 22},
    {"fp16fml", 1, 23}, {"rcpc-immo", 1, 26}, {"flagm", 1, 27},
    {"sve2", 2, 1},     {"fptoint", 2, 8},    {"i8mm", 2, 13},
    {"bf16", 2, 14}};

template <size_t size, typename Row>
static constexpr auto namesOf(const Row (&rows)[size]) {
  std::array<std::string_view, size> names;
  for (size_t i = 0; i < size; ++i)
    names[i] = rows[i].name;
  return names;
}

std::span<const std::string_view> glow::cpu::x86Features() {
  static constexpr auto names = namesOf(bits);
  return names;
}
std::span<const std::string_view> glow::cpu::armFeatures() {
  static constexpr auto names = namesOf(capabilities);
  return names;
}

/// The bits of XCR0 of a state: registers of 128 and 256 bits, those of 512
/// bits with masks, and tiles.
static uint64_t statesOf(State state) {
  switch (state) {
  case Always:
    return 0;
  case Wide:
    return 0x6;
  case Widest:
    return 0xe6;
  case Tiles:
    return 0x60000;
  }
  return 0;
}

bool glow::cpu::hasFeature(std::string_view name, const Cpuid &cpuid) {
  const Bit *bit = std::find_if(std::begin(bits), std::end(bits),
                                [&](const Bit &b) { return b.name == name; });
  if (bit == std::end(bits))
    return false;
  uint64_t states = statesOf(bit->state);
  return cpuid.leaf(bit->leaf, bit->part)[bit->where] >> bit->bit & 1 &&
         (cpuid.states & states) == states &&
         (bit->state != Tiles || cpuid.mayUseTiles);
}

#if defined(__x86_64__)
static std::array<uint32_t, 4> leafOfHost(uint32_t leaf, uint32_t part) {
  std::array<uint32_t, 4> registers = {};
  if (!__get_cpuid_count(leaf, part, &registers[Eax], &registers[Ebx],
                         &registers[Ecx], &registers[Edx]))
    return {};
  return registers;
}

/// XCR0; 0 where the system saves no extended state.
static uint64_t statesOfHost() {
  constexpr unsigned savesStates = 27;
  if (!(leafOfHost(1, 0)[Ecx] >> savesStates & 1))
    return 0;
  uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t(high) << 32 | low;
}

bool glow::cpu::hasFeature(std::string_view name) {
  static const Cpuid host = {leafOfHost, statesOfHost(), mayUseTiles()};
  return hasFeature(name, host);
}
#elif defined(__aarch64__) && defined(__linux__)
bool glow::cpu::hasFeature(std::string_view name) {
  for (const Capability &capability : capabilities)
    if (capability.name == name)
      return ::getauxval(capability.word == 1 ? AT_HWCAP : AT_HWCAP2) >>
                 capability.bit &
             1;
  return false;
}
#else
bool glow::cpu::hasFeature(std::string_view) { return false; }
#endif

std::string
glow::cpu::missingFeatures(const std::vector<std::string> &needed,
                           const std::function<bool(std::string_view)> &has) {
  std::string missing;
  for (const std::string &feature : needed)
    if (!has(feature))
      missing += (missing.empty() ? "" : ", ") + feature;
  return missing;
}
