//===- NamePatterns.cpp - storage by regular expressions ------------------===//
// SPDX-License-Identifier: MIT

#include "NamePatterns.h"
#include "llvm/ADT/StringExtras.h"
#include <re2/re2.h>

using namespace glow;
using namespace mlir;

NamePatterns::NamePatterns(ArrayRef<std::string> texts) {
  RE2::Options options;
  options.set_log_errors(false);
  for (const std::string &text : texts)
    all.emplace_back(std::make_unique<RE2>(text, options), false);
}
NamePatterns::~NamePatterns() = default;

bool NamePatterns::match(StringRef name) {
  bool found = all.empty();
  for (auto &[expression, used] : all)
    if (RE2::FullMatch(name.str(), *expression))
      found = used = true;
  return found;
}

LogicalResult NamePatterns::check(ModuleOp module) const {
  for (const auto &[expression, used] : all)
    if (!expression->ok())
      return module.emitError()
             << "'" << expression->pattern()
             << "' is no regular expression: " << expression->error();
  return success();
}

/// The first names of a long list, and the number of the others.
static std::string listOf(ArrayRef<StringRef> names) {
  constexpr size_t most = 20;
  if (names.empty())
    return "none";
  std::string text = llvm::join(names.take_front(most), ", ");
  if (names.size() > most)
    text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

LogicalResult NamePatterns::checkUsed(ModuleOp module, StringRef what,
                                      ArrayRef<StringRef> names) const {
  for (const auto &[expression, used] : all)
    if (!used)
      return module.emitError()
             << "no " << what << " that can be trained matches '"
             << expression->pattern() << "'; there are: " << listOf(names);
  return success();
}
