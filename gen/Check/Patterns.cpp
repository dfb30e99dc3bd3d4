//===- Patterns.cpp - refusals that concern DRR patterns ------------------===//

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// MLIR makes the rewrite; what it has to keep is tested on a graph.
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
  for (const Record *sample : samples)
    if (none_of(patterns, [&](const Record *pattern) {
          return textField<"PatternSample.pattern">(*sample) ==
                 pattern->getName();
        }))
      fatalAt(nullptr, *sample,
              "no pattern is named '" +
                  textField<"PatternSample.pattern">(*sample) + "'");
}
