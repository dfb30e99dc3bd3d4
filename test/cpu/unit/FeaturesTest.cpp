//===- FeaturesTest.cpp - processor features that code needs --------------===//
// SPDX-License-Identifier: MIT

#include "device/Features.h"
#include <gtest/gtest.h>
#include <map>

using namespace glow::cpu;

namespace {

/// A bit of CPUID: leaf, part, register, and its number.
using Place = std::tuple<uint32_t, uint32_t, unsigned, unsigned>;

/// A processor that has everything but, where it is given, one bit.
Cpuid processorWithout(std::optional<Place> without = std::nullopt) {
  auto leaf = [without](uint32_t leaf, uint32_t part) {
    std::array<uint32_t, 4> registers;
    registers.fill(~0u);
    if (without && leaf == std::get<0>(*without) &&
        part == std::get<1>(*without))
      registers[std::get<2>(*without)] &= ~(1u << std::get<3>(*without));
    return registers;
  };
  return {leaf, ~uint64_t(0), true};
}

std::vector<std::string> missingIn(const Cpuid &cpuid) {
  std::vector<std::string> missing;
  for (std::string_view feature : x86Features())
    if (!hasFeature(feature, cpuid))
      missing.emplace_back(feature);
  return missing;
}

} // namespace

TEST(Features, each_has_a_bit_of_its_own) {
  EXPECT_TRUE(missingIn(processorWithout()).empty());
  std::map<std::string, unsigned> bits;
  for (auto [leaf, part] :
       {std::pair(1u, 0u), {7u, 0u}, {7u, 1u}, {0x80000001u, 0u}})
    for (unsigned where = 0; where < 4; ++where)
      for (unsigned bit = 0; bit < 32; ++bit) {
        auto missing =
            missingIn(processorWithout(Place{leaf, part, where, bit}));
        EXPECT_LE(missing.size(), 1u) << leaf << " " << where << " " << bit;
        for (const std::string &name : missing)
          ++bits[name];
      }
  for (std::string_view feature : x86Features())
    EXPECT_EQ(bits[std::string(feature)], 1u) << feature;
}

TEST(Features, the_system_keeps_the_registers) {
  Cpuid cpuid = processorWithout();
  auto isMissing = [&](std::string_view name) {
    return !hasFeature(name, cpuid);
  };
  cpuid.states = 0x7; // registers of 256 bits
  EXPECT_FALSE(isMissing("avx2"));
  EXPECT_TRUE(isMissing("avx512f") && isMissing("avx512vnni"));
  cpuid.states = 0x1;
  EXPECT_TRUE(isMissing("avx") && isMissing("avxvnni"));
  EXPECT_FALSE(isMissing("sse4.2"));
  cpuid.states = ~uint64_t(0), cpuid.mayUseTiles = false;
  EXPECT_TRUE(isMissing("amx-int8") && isMissing("amx-tile"));
  EXPECT_FALSE(isMissing("avx512bf16"));
}

TEST(Features, what_is_missing_is_named) {
  auto has = [](std::string_view name) { return name == "avx"; };
  EXPECT_EQ(missingFeatures({"avx"}, has), "");
  EXPECT_EQ(missingFeatures({"fma", "avx", "avx512-of-later"}, has),
            "fma, avx512-of-later");
}
