//===- QuantizeWords.h - words of glow quantize ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_COMMANDS_QUANTIZEWORDS_H
#define GLOW_TOOLS_GLOW_COMMANDS_QUANTIZEWORDS_H

#include "glow/Quantization/Options.h"
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace glow::tool {

/// A word of the command line and what it means.
template <typename Meaning>
using Words = std::vector<std::pair<std::string, Meaning>>;

inline const Words<Scheme> schemes = {
    {"asymmetric", Scheme::Asymmetric},
    {"symmetric", Scheme::Symmetric},
    {"symmetric-uint8", Scheme::SymmetricUint8},
    {"power-of-two", Scheme::PowerOfTwo}};
inline const Words<RangeChoice> calibrations = {
    {"min-max", RangeChoice::MinMax},
    {"percentile", RangeChoice::Percentile},
    {"entropy", RangeChoice::Entropy},
    {"mean-square", RangeChoice::MeanSquare}};
/// Bits of activations and of weights.
inline const Words<std::pair<unsigned, unsigned>> precisions = {
    {"int8", {8, 8}},
    {"int16", {16, 16}},
    {"mixed", {8, 4}},
    {"weights8", {0, 8}},
    {"weights4", {0, 4}}};

inline const Words<unsigned> blockSizes = {
    {"16", 16}, {"32", 32}, {"64", 64}, {"128", 128}, {"256", 256}};

template <typename Meaning>
const Meaning &meaningOf(const Words<Meaning> &words, const std::string &text) {
  // The parser has refused all other texts.
  return std::ranges::find_if(
             words, [&](const auto &word) { return word.first == text; })
      ->second;
}

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_COMMANDS_QUANTIZEWORDS_H
