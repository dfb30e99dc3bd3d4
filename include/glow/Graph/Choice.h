//===- Choice.h - the words of choices --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A choice of a record is an enumeration in C++ and a word in text. ClassGen
// generates both, and an overload of `wordsOf` that maps the enumeration to its
// words.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_CHOICE_H
#define GLOW_GRAPH_CHOICE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace glow {

template <typename Choice> llvm::StringRef wordOf(Choice choice) {
  return wordsOf(choice)[size_t(choice)];
}

template <typename Choice>
std::optional<Choice> choiceNamed(llvm::StringRef word) {
  auto &words = wordsOf(Choice());
  auto *found = llvm::find(words, word);
  if (found == std::end(words))
    return std::nullopt;
  return Choice(found - std::begin(words));
}

} // namespace glow

#endif // GLOW_GRAPH_CHOICE_H
