//===- PlannedInstrs.h - the instructions of a node that run ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_EXPLAIN_PLANNEDINSTRS_H
#define GLOW_EXPLAIN_PLANNEDINSTRS_H

#include "glow/IR/Structure.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace glow {

/// The instructions of a planned function, by the names of their nodes. An
/// instruction of several nodes has the name of the first, and holds the other
/// names.
class PlannedInstrs {
public:
  explicit PlannedInstrs(ir::FuncOp function);

  /// Takes the instructions named `node`, in the number and with the mnemonics
  /// of `mnemonics`.
  std::vector<std::string> take(llvm::StringRef node,
                                const std::vector<std::string> &mnemonics);
  /// Takes all remaining instructions named `node`.
  std::vector<std::string> takeRest(llvm::StringRef node);

  /// The node whose instruction also does the work of `node`; or "".
  std::string holderOf(llvm::StringRef node) const;

private:
  llvm::StringMap<std::vector<std::string>> own; ///< mnemonics, in their order
  llvm::StringMap<std::string> holders;
};

} // namespace glow

#endif // GLOW_EXPLAIN_PLANNEDINSTRS_H
