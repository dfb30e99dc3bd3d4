//===- Column.h - coverage of one backend -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_COVERAGE_COLUMN_H
#define GLOW_COVERAGE_COLUMN_H

#include "glow/Backend/Backend.h"
#include "glow/Importer/ImportContext.h"
#include "glow/Lowering/Rules.h"
#include "glow/Optimizer/Rewrites.h"
#include "llvm/ADT/StringMap.h"

namespace glow {

/// From best to worst.
enum class Verdict { Runs, Reference, Lowered, When, Fallback, Cannot };

struct Cell {
  Verdict verdict = Verdict::Cannot;
  std::string text;
  std::string backend = ""; ///< the fallback that runs it
  /// Rewrites of the backend's own that take the node, alone or with others.
  std::vector<const RewriteInfo *> rewrites = {};
};

/// The verdicts of one backend on nodes, and on operators by their nodes.
class Column {
public:
  /// `fallbacks` are the columns of the backends that run, in this order, the
  /// nodes that this backend cannot run.
  Column(const BackendInfo &backend, std::vector<Column *> fallbacks)
      : backend(backend), fallbacks(std::move(fallbacks)) {}

  /// The verdict on a node of a model, which a fallback receives unchanged.
  Cell node(llvm::StringRef name);

  /// The verdict on an operator: that of the worst node that it may create.
  Cell import(const ImportEntry &entry);

  const BackendInfo &backend;

private:
  const Cell &own(llvm::StringRef name);
  Cell find(llvm::StringRef name);
  Cell rewriting(llvm::StringRef name, Cell otherwise) const;
  Cell findOther(llvm::StringRef name);
  llvm::StringRef worstOf(const RuleInfo &rule);
  Cell lowering(llvm::StringRef name, llvm::StringRef serves);

  const std::vector<Column *> fallbacks;
  llvm::StringMap<std::unique_ptr<Cell>> known;
};

} // namespace glow

#endif // GLOW_COVERAGE_COLUMN_H
