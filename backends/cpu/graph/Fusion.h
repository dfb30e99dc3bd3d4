//===- Fusion.h - shared parts of the fusion passes -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_GRAPH_FUSION_H
#define GLOW_BACKENDS_CPU_GRAPH_FUSION_H

#include "Join.h"
#include "glow/Generated/CpuNodes.h"
#include "glow/Graph/Build.h"
#include "glow/Optimizer/Rewrites.h"
#include <optional>

namespace glow {
#include "glow/Generated/CpuFunctions.h.inc"
} // namespace glow

namespace glow::cpu {

/// The value that all elements of a tensor have, if it is known: of a Splat, of
/// a constant of one element, or of a broadcast of these.
std::optional<double> uniformValue(mlir::Value tensor);

/// The value of an attribute, if it is a number.
std::optional<double> numberOf(mlir::Attribute attribute);

/// The nodes of fixed sizes that depend on no size of a run: neither they nor
/// the nodes whose results reach them take lengths. In order; nothing if all
/// nodes are so.
std::optional<std::vector<mlir::Operation *>>
nodesOfFixedSizes(mlir::ModuleOp module);

/// Whether `user` is the only user of `value`.
bool onlyUser(mlir::Value value, mlir::Operation *user);

/// The tensor behind all reshapes of `value`.
mlir::Value withoutReshapes(mlir::Value value);

/// The formula, or the epilogue, of a node that has one; it was checked when it
/// was made.
template <typename Node> const Formula &formulaOf(Node node) {
  if constexpr (requires { node.getEpilogueAttr(); })
    return node.getEpilogueAttr().value();
  else
    return node.getFormulaAttr().value();
}

/// Adds the patterns that let CpuAttention read its operands in place.
void addAttention(mlir::RewritePatternSet &patterns);

/// Adds the pattern that joins the projections whose results CpuAttention
/// reads. They must have all of their epilogues.
void addProjections(mlir::RewritePatternSet &patterns);

/// Adds the pattern that fuses three convolutions into CpuBottleneck. They must
/// have all of their epilogues.
void addBottleneck(mlir::RewritePatternSet &patterns);

/// Adds the patterns that fuse a bias, a conversion to real numbers, and a
/// conversion back to bytes into CpuConvInteger.
void addSums(mlir::RewritePatternSet &patterns);

/// Adds the pattern that fuses nodes of index notation with formulas beside
/// them. Runs when products and convolutions have their epilogues.
void addLoops(mlir::RewritePatternSet &patterns);
/// Adds the patterns that turn formulas of whole operands into nodes again, for
/// processors without vectors. The nodes may write over their operands.
void addUnfusing(mlir::RewritePatternSet &patterns);

/// Adds the patterns that let formulas read and write bytes. Runs when formulas
/// have all of their calls.
void addBytes(mlir::RewritePatternSet &patterns);

/// Adds the pattern that finds products of vectors with many zeros. The nodes
/// that make these vectors must have all of their epilogues.
void addSparse(mlir::RewritePatternSet &patterns);

/// Adds the patterns that let products read a second matrix as it was before it
/// was transposed. Attention must be fused, and products must have all of their
/// epilogues.
void addTransposed(mlir::RewritePatternSet &patterns);

/// Adds the pattern that packs trees of constants.
void addTrees(mlir::RewritePatternSet &patterns);

/// Whether the node has Pointwise nodes of f32 only.
bool isElementwise(CpuFusedLoops node);

/// A formula whose operands are each read, and each there once: f32 first, each
/// part in the order in which the formula reads it.
struct FusedFormula {
  Formula formula;
  llvm::SmallVector<mlir::Value> operands;
  size_t reals; ///< number of operands of f32

  llvm::ArrayRef<mlir::Value> ins() const {
    return llvm::ArrayRef(operands).take_front(reals);
  }
  llvm::ArrayRef<mlir::Value> others() const {
    return llvm::ArrayRef(operands).drop_front(reals);
  }
};

/// Orders the operands of a formula, which are its inputs behind the `first`
/// ones. Nothing if operands of other kinds than f32 have several kinds.
std::optional<FusedFormula>
withOrderedOperands(Formula formula, llvm::ArrayRef<mlir::Value> operands,
                    size_t first = 0);

/// Makes the node of a formula, with elements of f32 or of `kind`.
mlir::Value makeFused(mlir::OpBuilder &builder, mlir::Location location,
                      const FusedFormula &fused, const Sizes &shape,
                      mlir::Type kind = {});
/// Makes the node of a formula on operands of f32.
mlir::Value makeFused(mlir::OpBuilder &builder, mlir::Location location,
                      llvm::ArrayRef<mlir::Value> operands, Formula formula,
                      const Sizes &shape);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_GRAPH_FUSION_H
