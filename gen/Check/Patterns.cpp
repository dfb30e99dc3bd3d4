//===- Patterns.cpp - refusals that concern DRR patterns ------------------===//
// SPDX-License-Identifier: MIT

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"
#include <map>

using namespace glow::gen;
using namespace llvm;

/// All samples of one pattern agree in the fields that describe the pattern.
static void checkSamplesAgree(ArrayRef<const Record *> samples) {
  std::map<StringRef, const Record *> first;
  for (const Record *sample : samples) {
    StringRef pattern = textField<"PatternSample.pattern">(*sample);
    const Record &other = *first.try_emplace(pattern, sample).first->second;
    if (textField<"PatternSample.backend">(*sample) !=
            textField<"PatternSample.backend">(other) ||
        bitField<"PatternSample.beforeFolding">(*sample) !=
            bitField<"PatternSample.beforeFolding">(other))
      fatalAt(nullptr, *sample,
              "the samples of pattern '" + pattern +
                  "' say different things of when it applies");
  }
}

/// MLIR emits the rewrite of a DRR pattern; its sample tests it on a graph.
void glow::gen::checkPatterns(const Model &model) {
  std::vector<const Record *> samples = model.own("PatternSample");
  std::vector<const Record *> patterns;
  for (const Record *pattern : model.own("Pattern"))
    if (!pattern->isAnonymous())
      patterns.push_back(pattern);
    else
      fatalAt(nullptr, *pattern, "a pattern without a name has no sample");
  for (const Record *pattern : patterns)
    if (none_of(samples, [&](const Record *sample) {
          return textField<"PatternSample.pattern">(*sample) ==
                 pattern->getName();
        }))
      fatalAt(nullptr, *pattern,
              "pattern '" + pattern->getName() + "' has no PatternSample");
  checkSamplesAgree(samples);
  for (const Record *sample : samples)
    if (none_of(patterns, [&](const Record *pattern) {
          return textField<"PatternSample.pattern">(*sample) ==
                 pattern->getName();
        }))
      fatalAt(nullptr, *sample,
              "no pattern is named '" +
                  textField<"PatternSample.pattern">(*sample) + "'");
}
