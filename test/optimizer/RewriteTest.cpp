//===- RewriteTest.cpp - rewrites that do not end -------------------------===//
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
