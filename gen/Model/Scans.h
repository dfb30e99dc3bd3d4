//===- Scans.h - statements that hold step by step --------------*- C++ -*-===//
//
//   scan t from 0 {
//     out[t,n] = if(first(t), start[n], out[previous(t),n]) * in[t,n];
//   }
//
// `previous(t)` is t of the step before, `previous(t, 2)` of the one before
// that, `following(t)` of the next one; `first(t)` holds in the first step, and
// `last(t)` in the last one.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_SCANS_H
#define GLOW_GEN_MODEL_SCANS_H

#include "Model/Node.h"

namespace glow::gen {

/// Gives scans the sizes that their indices run over. Refuses, with a caret, an
/// index that stands nowhere by itself.
void sizeScans(const NodeModel &node, std::vector<Statement> &statements);

/// Writes out what is said of steps. Refuses, with a caret, words of a scan
/// outside of one.
void resolveScans(const NodeModel &node, std::vector<Statement> &statements);

/// The name by which what is written out knows the number of steps.
std::string stepsName(const Scan &scan);

/// How many steps before, if negative, or after the one that is made a
/// subscript means, in words or written out; nothing where it does not say so.
std::optional<int64_t> stepsOf(const Scan &scan, const ExprPtr &subscript);

/// The number of the subscript that mentions the scan's index; nothing where
/// none does.
std::optional<size_t> scannedPlace(const Scan &scan, const ExprPtr &element);

/// How many statements stand in the scan of the first one, which itself is one
/// alone where it is in none.
size_t countInScan(llvm::ArrayRef<Statement> statements);

/// Whether the result of a scan's sum, which several steps or none may add to,
/// is filled before the scan.
bool isFilledBefore(const NodeModel &node, const Statement &statement);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_SCANS_H
