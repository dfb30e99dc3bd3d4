//===- Scans.h - statements that hold step by step --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
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

#ifndef GLOW_GEN_MODEL_NODE_SCANS_H
#define GLOW_GEN_MODEL_NODE_SCANS_H

#include "Model/node/Node.h"

namespace glow::gen {

/// Gives scans the sizes that their indices run over. Refuses, with a caret, an
/// index that stands nowhere by itself.
void sizeScans(const NodeModel &node, std::vector<Statement> &statements);

/// Resolves the calls about steps, such as `previous(t)`. Refuses, with a
/// caret, such a call outside of a scan.
void resolveScans(const NodeModel &node, std::vector<Statement> &statements);

/// The name of the number of steps in resolved expressions.
std::string stepsName(const Scan &scan);

/// The step of a subscript relative to the current one, negative for earlier
/// steps, whether it is a call or resolved. Nothing for any other subscript.
std::optional<int64_t> stepsOf(const Scan &scan, const ExprPtr &subscript);

/// The number of the subscript that mentions the scan's index; nothing where
/// none does.
std::optional<size_t> scannedPlace(const Scan &scan, const ExprPtr &element);

/// The number of statements in the scan of the first statement; 1 where the
/// first statement is in no scan.
size_t countInScan(llvm::ArrayRef<Statement> statements);

/// Whether the result of a scan's sum, which several steps or none may add to,
/// is filled before the scan.
bool isFilledBefore(const NodeModel &node, const Statement &statement);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_NODE_SCANS_H
