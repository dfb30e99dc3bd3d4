//===- Samples.h - the samples of nodes, for generated tests --*- C++ -*-===//

#ifndef GLOW_GRAPH_SAMPLES_H
#define GLOW_GRAPH_SAMPLES_H

#include "mlir/IR/Builders.h"
#include <span>
#include <vector>

namespace glow {

/// "f32[2,3] in 0.5..2 constant", and the kind variable of the signature that
/// it follows, "" for none.
struct SampleOperand {
  const char *text, *variable;
  int exponent = 0; ///< of two, by which a step to the ends of a kind scales it
};

/// The kind that an attribute has in a sample: its name, and what is written.
using SampleKinds = llvm::function_ref<mlir::Type(const char *, const char *)>;

/// A kind variable of a signature and the kinds that it may stand for.
struct KindVariable {
  const char *name;
  std::vector<const char *> kinds;
};

/// A Sample record. Absent operands are left out. `build` makes the node of the
/// operands, or reports why not and returns null.
struct SampleInfo {
  const char *node, *label;
  const char *refuses; ///< the requirement that it breaks, "" for none
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
  const char *place; ///< of the record
  bool rounds;       ///< whether both sides may differ in their last bits
};

void registerSamples(std::span<const SampleInfo> table);
/// All samples, in the order of their records.
const std::vector<SampleInfo> &allSamples();

void registerRewriteSamples(std::span<const RewriteSample> table);
const std::vector<RewriteSample> &allRewriteSamples();

} // namespace glow

#endif // GLOW_GRAPH_SAMPLES_H
