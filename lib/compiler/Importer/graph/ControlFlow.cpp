//===- ControlFlow.cpp - nodes with graphs inside -------------------------===//
// SPDX-License-Identifier: MIT

#include "rows/ImportRegistry.h"
#include <limits>

using namespace glow;
using namespace mlir;

/// Imports an `If` with a known condition as the branch that is taken.
/// Exporters ask for the rank or size of an input, and write a branch for each
/// answer.
static LogicalResult importIf(ImportContext &context) {
  FailureOr<Sizes> condition = context.constantSizes(context.input(0), "cond");
  if (failed(condition))
    return failure();
  if (condition->size() != 1)
    return context.fail("input 'cond' has " + Twine(condition->size()) +
                        " elements, but 1 is wanted");
  FailureOr<llvm::SmallVector<Value>> results = context.inlineGraph(
      int64_t(condition->front()) ? "then_branch" : "else_branch", {});
  if (failed(results))
    return failure();
  if (results->size() != context.outputs())
    return context.fail("its branch has " + Twine(results->size()) +
                        " outputs, but the node lists " +
                        Twine(context.outputs()));
  for (auto [index, value] : llvm::enumerate(*results))
    context.setOutput(unsigned(index), value);
  return success();
}

std::span<const ImportEntry> glow::controlFlowImports() {
  static constexpr const char *inputs[] = {"cond"};
  static constexpr const char *attributes[] = {"then_branch", "else_branch"};
  static constexpr ImportEntry entries[] = {
      {"ai.onnx", "If", 1, importIf, inputs, attributes, 1, 1,
       std::numeric_limits<unsigned>::max()}};
  return entries;
}
