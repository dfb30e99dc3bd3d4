//===- Activations.cpp - what recurrent nodes do to gates -----------------===//

#include "glow/Program/Activations.h"
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
