//===- Declared.cpp - the functions that Cpu.td declares ------------------===//
// SPDX-License-Identifier: MIT

#include "common/BroadcastKind.h"
#include "glow/Base/Rank.h"
#include "glow/Graph/Nodes.h"
#include "glow/IR/FormulaLoops.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;

namespace glow::expr {

bool isCpuFormula(const std::string &text, int64_t operands, mlir::Type kind) {
  // The context caches the attribute, so that no text is parsed twice.
  auto attribute = FormulaAttr::get(kind.getContext(), text);
  const Formula &formula = attribute.value();
  return attribute.isValid() && formula.inputs() <= size_t(operands) &&
         ir::isPointwise(formula);
}

bool isCpuLoops(const std::string &text, mlir::TypeRange ins,
                mlir::TypeRange others, const Sizes &shape, mlir::Type kind) {
  llvm::SmallVector<mlir::RankedTensorType> inputs;
  for (mlir::TypeRange types : {ins, others})
    for (mlir::Type type : types)
      inputs.push_back(llvm::cast<mlir::RankedTensorType>(type));
  if (inputs.empty() || shape.size() > highestRank ||
      !isProven([&] { return allAtLeast(shape, 0); }))
    return false;
  mlir::MLIRContext *context = kind.getContext();
  auto attribute = FormulaAttr::get(context, text);
  auto result = rankedTensorOf(shape, mlir::Float32Type::get(context));
  // Bounds of subscripts may overflow 64 bits; sizes of the caller do not. The
  // overflow flag is restored below.
  const bool before = hasOverflowed();
  bool holds = attribute.isValid() &&
               (kind.isF32() || ir::isPointwise(attribute.value())) &&
               ir::hasLoops(attribute.value(), result, inputs);
  hasOverflowed() = before;
  return holds;
}

std::string scoreFormula(double scale, double softcap, bool hasBias,
                         bool hasFilter, bool hasSeen, double unseen) {
  Formula formula;
  Formula::Argument scores = Formula::Input{0};
  auto call = [&](const char *mnemonic,
                  std::vector<Formula::Argument> arguments) {
    formula.calls.push_back({mnemonic, std::move(arguments)});
    return Formula::Argument(Formula::Value{formula.calls.size() - 1});
  };
  if (scale != 1)
    scores = call("mul", {scores, scale});
  if (softcap > 0) {
    scores = call("tanh", {call("div", {scores, std::max(softcap, 1e-9)})});
    scores = call("mul", {softcap, scores});
  }
  if (hasBias)
    scores = call("add", {scores, Formula::Input{1}});
  if (hasFilter)
    scores = call("add", {scores, Formula::Input{2}});
  if (hasSeen)
    scores = call("select",
                  {call("greater", {Formula::Input{3}, 0.0}), scores, unseen});
  return formula.text();
}

bool areReadBeside(mlir::TypeRange extras, const Sizes &out, bool blocked) {
  size_t channel = blocked ? 0 : out.size() - 1;
  return llvm::all_of(extras, [&](mlir::Type extra) {
    const Sizes sizes = sizesOf(llvm::cast<mlir::RankedTensorType>(extra));
    // A length repeats or not, in all runs.
    return (sizes.areFixed() || isProven([&] { return sizes == out; })) &&
           broadcastKindOf(sizes.extents(), out.extents(), channel, blocked)
               .has_value();
  });
}

} // namespace glow::expr
