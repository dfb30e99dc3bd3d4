//===- GradientsTest.cpp - requirements of gradients ----------------------===//
// SPDX-License-Identifier: MIT
//
// The samples (test/samples) check that the gradient of every node is right.
// This file tests cases that no sample covers.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/Gradients.h"
#include "glow/Graph/Nodes.h"
#include "glow/Pipeline/Pipeline.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace glow;

namespace {

class GradientsTest : public testing::Test {
protected:
  GradientsTest() {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The gradients of the first node after the reads, by those of its results.
  FailureOr<OperandGradients> differentiate(StringRef body) {
    std::string text = R"(
glow.placeholder @x input : tensor<2x3xf32>
glow.placeholder @c input : tensor<3xf32>
glow.placeholder @u input : tensor<2xf32>
glow.placeholder @i input : tensor<2xi64>
glow.func @main {
  %x = glow.read @x : tensor<2x3xf32>
  %c = glow.read @c : tensor<3xf32>
  %u = glow.read @u : tensor<2xf32>
  %i = glow.read @i : tensor<2xi64>
)" + body.str() + "\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << "does not parse: " << text;
      return failure();
    }
    node = nullptr;
    module->walk([&](Operation *op) {
      if (!node && findGradient(op->getName().getStringRef()))
        node = op;
    });
    OpBuilder builder(&context);
    builder.setInsertionPointAfter(node);
    // The results stand for their own gradients.
    SmallVector<Value> given(node->getResults());
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      said += diagnostic.str();
      return success();
    });
    return buildGradients(builder, node, given);
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  Operation *node = nullptr;
  std::string said;
};

// A node that is linear in the operand is its own second gradient.
TEST_F(GradientsTest, GoesThroughTheNodeAgainWhereThatIsLinear) {
  auto made = differentiate(
      "%y = glow.tile_in_gradient %x, %x repeats [1, 1] : (tensor<2x3xf32>, "
      "tensor<2x3xf32>) -> tensor<2x3xf32>");
  ASSERT_TRUE(succeeded(made)) << said;
  EXPECT_FALSE(made->values[0]);
  EXPECT_TRUE(llvm::isa<Tile>(made->values[1].getDefiningOp()));
}

TEST_F(GradientsTest, RefusesWithTheReasonOfTheRecord) {
  EXPECT_TRUE(failed(differentiate(
      "%y = glow.reduce_max_in_gradient_gradient %x, %u, %u, %x axes [1] "
      "keepDims false : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, "
      "tensor<2x3xf32>) -> tensor<2xf32>")));
  EXPECT_NE(said.find("op cannot be differentiated: it is a second gradient, "
                      "and third ones are not derived"),
            std::string::npos)
      << said;
}

TEST_F(GradientsTest, RefusesWhatOneValueOfAnAttributeForbids) {
  EXPECT_TRUE(failed(differentiate(
      "%y = glow.scatter_elements %c, %i, %u axis 0 reduction \"max\" : "
      "(tensor<3xf32>, tensor<2xi64>, tensor<2xf32>) -> tensor<3xf32>")));
  EXPECT_NE(said.find("reduction 'max' has no gradient"), std::string::npos)
      << said;
}

TEST_F(GradientsTest, LeavesIndicesWithoutOne) {
  auto made =
      differentiate("%y = glow.gather %x, %i axis 0 : (tensor<2x3xf32>, "
                    "tensor<2xi64>) -> tensor<2x3xf32>");
  ASSERT_TRUE(succeeded(made)) << said;
  EXPECT_TRUE(made->values[0]);
  EXPECT_FALSE(made->values[1]);
}

TEST_F(GradientsTest, IntegersHaveNone) {
  auto made = differentiate(
      "%y = glow.add %i, %i : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>");
  ASSERT_TRUE(succeeded(made)) << said;
  EXPECT_FALSE(made->values[0]);
}

// A lowering reads one value as two operands: the sum of the gradients of both
// operands must count the whole once.
TEST_F(GradientsTest, CountsAnOperandThatStandsTwiceOnce) {
  auto made = differentiate(
      "%y = glow.instance_norm %x, %c, %c epsilon 1.0e-5 : (tensor<2x3xf32>, "
      "tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>");
  ASSERT_TRUE(succeeded(made)) << said;
  EXPECT_TRUE(made->values[1]);
  EXPECT_FALSE(made->values[2]);
  EXPECT_TRUE(llvm::isa<Add>(made->values[1].getDefiningOp()));
}

} // namespace
