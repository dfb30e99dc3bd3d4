//===- EntryNames.cpp - names of functions in a bundle --------------------===//
// SPDX-License-Identifier: MIT

#include "commands/EntryNames.h"
#include "glow/Base/WordsOfCxx.h"
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

using namespace glow;
using namespace glow::tool;

/// Whether the name is a keyword of C or C++, whose compilers both read the
/// header, or a symbol that every program has.
static bool isTaken(const std::string &name) {
  static constexpr std::string_view ofC =
      " main memcpy memmove memset restrict typeof typeof_unqual ";
  return isWordOfCxx(name) || ofC.find(" " + name + " ") != ofC.npos;
}

bool tool::isIdentifier(const std::string &name) {
  auto isWordCharacter = [](unsigned char c) {
    return std::isalnum(c) || c == '_';
  };
  return !name.empty() && !isTaken(name) &&
         !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), isWordCharacter);
}

std::string tool::identifierOf(const std::string &path) {
  std::string name = std::filesystem::path(path).stem();
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  // It may begin with a digit, as many names of models do.
  return isIdentifier(name) ? name : "model_" + name;
}
