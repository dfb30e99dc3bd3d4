//===- Fusion.h - what the passes that fuse nodes share ---------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_GRAPH_FUSION_H
#define GLOW_BACKENDS_CPU_GRAPH_FUSION_H

#include "Join.h"
#include "common/BroadcastKind.h"
#include "glow/Generated/CpuNodes.h"
#include "glow/Graph/Build.h"
#include "glow/Optimizer/Rewrites.h"
#include <optional>

namespace glow::cpu {

/// The value of all elements, where it is known: of a Splat, or of a constant
/// of one element, or one of these repeated.
std::optional<double> uniformValue(mlir::Value tensor);

/// The number an attribute says, if it is one.
std::optional<double> numberOf(mlir::Attribute attribute);

/// Whether `user` is all that reads `value`.
bool onlyUser(mlir::Value value, mlir::Operation *user);

/// The tensor that reshapes alone made `value` of, or `value`.
mlir::Value withoutReshapes(mlir::Value value);

/// The formula, or the epilogue, of a node that has one; it was checked when it
/// was made.
const Formula &formulaOf(CpuFusedElementwise node);
const Formula &formulaOf(CpuFusedLoops node);
const Formula &formulaOf(CpuConv conv);
const Formula &formulaOf(CpuConvTranspose conv);
const Formula &formulaOf(CpuMatMul product);
const Formula &formulaOf(CpuConvInteger conv);

/// Adds the patterns that let CpuAttention read its operands in place.
void addAttention(mlir::RewritePatternSet &patterns);

/// Adds the pattern that joins the projections whose results CpuAttention
/// reads. They must have all of their epilogues.
void addProjections(mlir::RewritePatternSet &patterns);

/// Adds the pattern that makes CpuBottleneck of three convolutions, which have
/// all of their formulas.
void addBottleneck(mlir::RewritePatternSet &patterns);

/// Adds the patterns by which the code of CpuConvInteger adds a bias to its
/// sums and makes real numbers of them, and bytes of these.
void addSums(mlir::RewritePatternSet &patterns);

/// Adds the pattern by which nodes of index notation and formulas beside them
/// become one loop, when products and convolutions have their epilogues.
void addLoops(mlir::RewritePatternSet &patterns);
/// On processors without vectors, formulas of whole operands become nodes
/// again, which may write over their operands.
void addUnfusing(mlir::RewritePatternSet &patterns);

/// Adds the patterns by which formulas read and write bytes, when they have all
/// of their calls.
void addBytes(mlir::RewritePatternSet &patterns);

/// Adds the pattern that finds products of vectors with many zeros, when what
/// they are made of has all of its epilogues.
void addSparse(mlir::RewritePatternSet &patterns);

/// Adds the pattern that packs trees of constants.
void addTrees(mlir::RewritePatternSet &patterns);

/// Makes a fused node without duplicate and unread operands.
mlir::Value makeFusedElementwise(mlir::OpBuilder &builder,
                                 mlir::Location location,
                                 llvm::ArrayRef<mlir::Value> operands,
                                 Formula formula, const Ints &shape);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_GRAPH_FUSION_H
