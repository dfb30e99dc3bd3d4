//===- Samples.h - the samples of nodes, for generated tests --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_SAMPLES_H
#define GLOW_GRAPH_SAMPLES_H

#include "mlir/IR/Builders.h"
#include <span>
#include <vector>

namespace glow {

/// An operand of a sample: "f32[2,3] in 0.5..2 constant", and the kind variable
/// of the signature that gives its kind, "" for none.
struct SampleOperand {
  const char *text, *variable;
  int exponent = 0; ///< each step towards the ends of a kind scales the operand
                    ///< by 2 to this power
  /// The magnitude up to which a rewrite holds, by the largest number of the
  /// kind; null for all numbers.
  double (*limit)(double largest) = nullptr;
};

/// Gives the kind of an attribute in a sample, from the attribute's name and
/// the kind as written.
using SampleKinds = llvm::function_ref<mlir::Type(const char *, const char *)>;

/// A kind variable of a signature and the kinds that it allows.
struct KindVariable {
  const char *name;
  std::vector<const char *> kinds;
};

/// A Sample record without its absent operands. `build` makes the node from the
/// operands, or reports the reason and returns null.
struct SampleInfo {
  const char *node, *label;
  const char *refuses; ///< the violated requirement, "" for none
  std::vector<SampleOperand> operands;
  std::vector<KindVariable> variables;
  mlir::Operation *(*build)(mlir::OpBuilder &, mlir::Location, mlir::ValueRange,
                            SampleKinds);
};

/// The left side of a rewrite or a pattern.
struct RewriteSample {
  const char *rewrite;
  std::vector<SampleOperand> operands;
  llvm::LogicalResult (*build)(mlir::OpBuilder &, mlir::Location,
                               mlir::ValueRange,
                               llvm::SmallVectorImpl<mlir::Value> &);
  const char *place; ///< location of the record
  bool rounds;       ///< whether the two sides may differ in their last bits
};

void registerSamples(std::span<const SampleInfo> table);
/// All samples, in the order of their records.
const std::vector<SampleInfo> &allSamples();

void registerRewriteSamples(std::span<const RewriteSample> table);
const std::vector<RewriteSample> &allRewriteSamples();

} // namespace glow

#endif // GLOW_GRAPH_SAMPLES_H
