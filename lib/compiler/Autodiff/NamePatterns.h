//===- NamePatterns.h - storage by regular expressions ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COMPILER_AUTODIFF_NAMEPATTERNS_H
#define GLOW_COMPILER_AUTODIFF_NAMEPATTERNS_H

#include "mlir/IR/BuiltinOps.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace re2 {
class RE2;
}

namespace glow {

/// Matches names by a list of regular expressions; an empty list matches all.
class NamePatterns {
public:
  explicit NamePatterns(llvm::ArrayRef<std::string> texts);
  ~NamePatterns();

  bool empty() const { return all.empty(); }
  /// Whether an expression matches the whole name.
  bool match(llvm::StringRef name);

  /// Fails after an error if a text is no regular expression.
  llvm::LogicalResult check(mlir::ModuleOp module) const;
  /// Fails after an error if an expression has matched no name. `names` are
  /// those that it could match, and `what` is their word: "constant".
  llvm::LogicalResult checkUsed(mlir::ModuleOp module, llvm::StringRef what,
                                llvm::ArrayRef<llvm::StringRef> names) const;

private:
  std::vector<std::pair<std::unique_ptr<re2::RE2>, bool>> all;
};

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_NAMEPATTERNS_H
