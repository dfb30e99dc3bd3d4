//===- Activations.cpp - activations of recurrent nodes -------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Activations.h"
#include <charconv>
#include <cmath>
#include <sstream>

using namespace glow;

static std::vector<std::string> partsOf(const std::string &text, char between) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);)
    parts.push_back(part);
  return parts;
}

std::vector<Activation> glow::parseActivations(const std::string &text) {
  std::vector<Activation> list;
  for (const std::string &part : partsOf(text, ',')) {
    Activation &activation = list.emplace_back();
    for (const std::string &word : partsOf(part, ' ')) {
      if (word.empty())
        continue;
      const char *end = word.data() + word.size();
      double value = 0;
      auto [stop, error] = std::from_chars(word.data(), end, value);
      if (activation.mnemonic.empty())
        activation.mnemonic = word;
      else
        activation.values.push_back(error == std::errc() && stop == end ? value
                                                                        : NAN);
    }
  }
  return list;
}

static Activation activationAt(const std::string &text, int64_t index) {
  std::vector<Activation> list = parseActivations(text);
  return index >= 0 && index < int64_t(list.size()) ? list[size_t(index)]
                                                    : Activation();
}

std::string expr::activationName(const std::string &text, int64_t index) {
  return activationAt(text, index).mnemonic;
}

double expr::activationValue(const std::string &text, int64_t index,
                             int64_t value) {
  Activation activation = activationAt(text, index);
  return value >= 0 && value < int64_t(activation.values.size())
             ? activation.values[size_t(value)]
             : 0;
}
