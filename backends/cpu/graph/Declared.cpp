//===- Declared.cpp - the functions that Cpu.td declares ------------------===//

#include "common/BroadcastKind.h"
#include "glow/Graph/Nodes.h"
#include "glow/IR/InstrInfo.h"
#include "glow/IR/Loops.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;

namespace {

/// Goes through the calls of a formula. Numbers are of one kind, here f32.
class Checker {
public:
  std::optional<ElementKind> resultOf(const Formula::Call &call) const {
    const ir::InstrInfo *info = ir::findInstr(call.mnemonic);
    if (!info)
      return std::nullopt;
    for (ElementKind kind : {ElementKind::F32, ElementKind::Bool})
      if (auto kinds = ir::formulaKinds(call.mnemonic, kind);
          kinds && takes(*kinds, info->attributes.size(), call.arguments))
        return kinds->result;
    return std::nullopt;
  }

  bool add(const Formula::Call &call) {
    std::optional<ElementKind> result = resultOf(call);
    results.push_back(result.value_or(ElementKind::F32));
    return result == ElementKind::F32 || result == ElementKind::Bool;
  }

  bool givesNumber() const {
    return results.empty() || results.back() == ElementKind::F32;
  }

private:
  bool takes(const ir::FormulaKinds &kinds, size_t attributes,
             llvm::ArrayRef<Formula::Argument> arguments) const {
    size_t operands = kinds.operands.size();
    if (arguments.size() != operands + attributes)
      return false;
    for (auto [kind, argument] : llvm::zip(kinds.operands, arguments))
      if (!std::get_if<double>(&argument) && kindOf(argument) != kind)
        return false;
    return llvm::all_of(arguments.drop_front(operands),
                        [](const Formula::Argument &argument) {
                          return std::get_if<double>(&argument);
                        });
  }

  std::optional<ElementKind> kindOf(const Formula::Argument &argument) const {
    if (std::get_if<Formula::Input>(&argument))
      return ElementKind::F32;
    if (auto *value = std::get_if<Formula::Value>(&argument))
      return results[value->index];
    return std::nullopt;
  }

  std::vector<ElementKind> results;
};

} // namespace

namespace glow::expr {

bool isCpuFormula(const std::string &text, int64_t operands, mlir::Type kind) {
  // It is in the context: no text is parsed twice.
  auto attribute = FormulaAttr::get(kind.getContext(), text);
  const Formula &formula = attribute.value();
  Checker checker;
  return attribute.isValid() && formula.inputs() <= size_t(operands) &&
         llvm::all_of(formula.calls,
                      [&](const auto &call) { return checker.add(call); }) &&
         checker.givesNumber();
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

bool areReadBeside(mlir::TypeRange extras, const Ints &out, bool blocked) {
  size_t channel = blocked ? 0 : out.size() - 1;
  return llvm::all_of(extras, [&](mlir::Type extra) {
    Ints shape(llvm::cast<mlir::ShapedType>(extra).getShape());
    return broadcastKindOf(shape, out, channel, blocked).has_value();
  });
}

} // namespace glow::expr
