//===- RewriteTest.cpp - rewriting to the end
//-------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Nodes.h"
#include "glow/Optimizer/Rewrites.h"
#include "glow/Pipeline/Pipeline.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace glow;

namespace {

/// Swaps the operands of every sum, without end.
struct SwapOperands : OpRewritePattern<Add> {
  explicit SwapOperands(MLIRContext *context) : OpRewritePattern(context) {
    setDebugName("SwapOperands");
  }
  LogicalResult matchAndRewrite(Add add,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<Add>(add, add->getResultTypes(),
                                     ValueRange{add.getRhs(), add.getLhs()},
                                     Add::Properties());
    return success();
  }
};

const RewriteInfo table[] = {{"SwapOperands",
                              [](RewritePatternSet &patterns) {
                                patterns.add<SwapOperands>(
                                    patterns.getContext());
                              },
                              "chip/Chip.td:7",
                              /*backend=*/"",
                              /*beforeFolding=*/false}};

} // namespace

namespace {

/// Marks a sum if the next one is marked, or no sum follows: one in each pass
/// over the nodes, from the last to the first.
struct MarkBeforeMarked : OpRewritePattern<Add> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(Add node,
                                PatternRewriter &rewriter) const override {
    auto next = dyn_cast<Add>(node->getNextNode());
    if (node->hasAttr("marked") || (next && !next->hasAttr("marked")))
      return failure();
    rewriter.modifyOpInPlace(
        node, [&] { node->setAttr("marked", rewriter.getUnitAttr()); });
    return success();
  }
};

} // namespace

TEST(Rewrite, HasNoLimitOfPasses) {
  MLIRContext context;
  DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  constexpr unsigned count = 30; // MLIR's driver has a limit of 10 passes
  std::string text = R"(
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @z output : tensor<2xf32>
glow.func @main {
  %0 = glow.read @x : tensor<2xf32>
)";
  for (unsigned i = 0; i < count; ++i)
    text += ("  %" + Twine(i + 1) + " = glow.add %" + Twine(i) + ", %" +
             Twine(i) + " : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n")
                .str();
  text += "  glow.save %" + std::to_string(count) + ", @z : tensor<2xf32>\n}\n";
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  ASSERT_TRUE(module);
  RewritePatternSet patterns(&context);
  patterns.add<MarkBeforeMarked>(&context);
  EXPECT_TRUE(succeeded(rewriteToTheEnd(*module, std::move(patterns))));
  module->walk([](Add sum) { EXPECT_TRUE(sum->hasAttr("marked")); });
}

TEST(Rewrite, WithoutEndIsAnErrorThatNamesTheRecord) {
  MLIRContext context;
  DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  auto module = parseSourceString<ModuleOp>(R"(
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y input : tensor<2xf32>
glow.placeholder @z output : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  %y = glow.read @y : tensor<2xf32>
  %z = glow.add %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  glow.save %z, @z : tensor<2xf32>
}
)",
                                            ParserConfig(&context));
  ASSERT_TRUE(module);
  registerRewrites(table);
  RewritePatternSet patterns(&context);
  addRewrites(patterns);
  std::string said;
  unsigned line = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str();
    if (auto at = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
      line = at.getLine();
  });
  EXPECT_TRUE(failed(rewriteToTheEnd(*module, std::move(patterns))));
  EXPECT_EQ(line, 8u);
  EXPECT_NE(said.find("rewriting does not end: after "), said.npos) << said;
  EXPECT_NE(said.find("'SwapOperands' still applies (the rewrite at "
                      "chip/Chip.td:7)"),
            said.npos)
      << said;
}
