//===- SignatureTest.cpp - stable signature of a model --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Storage.h"
#include "glow/Optimizer/Passes.h"
#include "glow/Pipeline/Pipeline.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <functional>
#include <gtest/gtest.h>

using namespace mlir;
using namespace glow;

namespace {

/// A pass that changes placeholders, as none should.
struct ChangePlaceholder
    : PassWrapper<ChangePlaceholder, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ChangePlaceholder)
  explicit ChangePlaceholder(std::function<void(PlaceholderOp)> change)
      : change(std::move(change)) {}
  void runOnOperation() override {
    change(*getOperation().getOps<PlaceholderOp>().begin());
  }
  std::function<void(PlaceholderOp)> change;
};

/// The message of the verification after such a pass; "" if it passes.
std::string messageAfter(std::function<void(PlaceholderOp)> change) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  auto module = parseSourceString<ModuleOp>(R"(
glow.placeholder @unused input : tensor<2xf32>
glow.placeholder @x input : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2xf32>
  glow.save %x, @y : tensor<2xf32>
}
)",
                                            &context);
  auto signature = std::make_shared<Signature>();
  PassManager passes(&context);
  passes.addPass(createCheckGraph(signature));
  passes.addPass(std::make_unique<ChangePlaceholder>(std::move(change)));
  passes.addPass(createCheckGraph(signature));
  bool passed = mlir::succeeded(passes.run(*module));
  EXPECT_EQ(passed, message.empty()) << message;
  return message;
}

} // namespace

TEST(Signature, StaysTheSame) {
  EXPECT_EQ(messageAfter([](PlaceholderOp) {}), "");
}

TEST(Signature, TypesMustNotChange) {
  auto change = [](PlaceholderOp placeholder) {
    auto type = RankedTensorType::get({3}, Builder(placeholder).getF32Type());
    placeholder.setType(type);
  };
  EXPECT_EQ(messageAfter(change),
            "a pass made of the placeholder @unused of 'tensor<2xf32>' the "
            "placeholder @unused of 'tensor<3xf32>'");
}

TEST(Signature, PlaceholdersMustStay) {
  auto change = [](PlaceholderOp placeholder) { placeholder->erase(); };
  EXPECT_EQ(messageAfter(change),
            "a pass made of the placeholder @unused of 'tensor<2xf32>' the "
            "placeholder @x of 'tensor<2xf32>'");
}
