//===- Continuity.cpp - continuity of nodes in their operands -------------===//
// SPDX-License-Identifier: MIT

#include "Model/rules/Continuity.h"
#include "Expr/Constant.h"
#include "Expr/Derivative.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Compute.h"
#include "Model/node/Reads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static bool mayBeFloat(const NodeModel &node, const TensorSignature &tensor) {
  return any_of(node.kindsOf(tensor), [](StringRef kind) {
    return kind.starts_with("f") || kind.starts_with("bf");
  });
}

static bool isComparison(const ExprPtr &expr) {
  return expr->kind == Expr::Kind::Binary &&
         is_contained({"<", "<=", ">", ">=", "==", "!="},
                      StringRef(expr->text));
}

/// Whether `holds` for any expression in `expr`; outer expressions come first.
static bool anyIn(const ExprPtr &expr,
                  llvm::function_ref<bool(const ExprPtr &)> holds) {
  return holds(expr) || any_of(expr->children, [&](const ExprPtr &child) {
           return anyIn(child, holds);
         });
}

namespace {

/// Looks for steps in an expression whose elements of floats have names.
class StepFinder {
public:
  StepFinder(const Functions &functions, std::vector<std::string> elements)
      : functions(functions), elements(std::move(elements)) {}

  bool find(const ExprPtr &expr) const {
    if (isComparison(expr) ||
        (expr->kind == Expr::Kind::Binary && expr->text == "%"))
      return reads(expr);
    if (expr->kind == Expr::Kind::Call) {
      if (expr->text == "if" && expr->children.size() == 3)
        return (reads(expr->children[0]) && !meet(expr)) ||
               find(expr->children[1]) || find(expr->children[2]);
      if (isStep(expr->text) && reads(expr))
        return true;
    }
    return any_of(expr->children,
                  [&](const ExprPtr &child) { return find(child); });
  }

private:
  bool isElement(const ExprPtr &expr) const {
    return expr->kind == Expr::Kind::Name && is_contained(elements, expr->text);
  }
  bool reads(const ExprPtr &expr) const {
    return anyIn(expr, [&](const ExprPtr &part) { return isElement(part); });
  }

  /// A function whose derivatives are 0 is constant between its jumps.
  bool isStep(StringRef name) const {
    const ScalarType *function = functions.findScalar(name);
    if (!function)
      return false;
    return bitField<"ScalarFunction.jumps">(*function->record) ||
           all_of(function->derivatives,
                  [](StringRef derivative) { return derivative == "0"; });
  }

  /// Whether both branches of a choice are the same where its condition
  /// changes: where an element is equal to an expression without elements.
  bool meet(const ExprPtr &choice) const {
    const ExprPtr &condition = choice->children[0];
    if (!isComparison(condition))
      return false;
    for (unsigned side : {0, 1}) {
      const ExprPtr &element = condition->children[side];
      const ExprPtr &edge = condition->children[1 - side];
      if (!isElement(element) || reads(edge))
        continue;
      auto at = [&](const ExprPtr &branch) {
        return textOf(reduced(substitute(branch, element->text, edge)));
      };
      return at(choice->children[1]) == at(choice->children[2]);
    }
    return false;
  }

  /// The expression with integers folded, and with functions resolved whose
  /// records give their value at 0.
  ExprPtr reduced(ExprPtr expr) const {
    for (std::string before; before != textOf(expr);) {
      before = textOf(expr);
      expr = simplify(foldConstants(ofZero(simplify(expr))));
    }
    return expr;
  }
  ExprPtr ofZero(const ExprPtr &expr) const {
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprPtr &child : copy->children)
      child = ofZero(child);
    if (copy->kind != Expr::Kind::Call || copy->children.size() != 1 ||
        textOf(copy->children[0]) != "0")
      return copy;
    const ScalarType *function = functions.findScalar(copy->text);
    StringRef value =
        function ? textField<"ScalarFunction.atZero">(*function->record) : "";
    return value.empty() ? ExprPtr(copy)
                         : makeExpr(Expr::Kind::Integer, value, {}, expr->at);
  }

  const Functions &functions;
  const std::vector<std::string> elements;
};

} // namespace

static bool formulaJumps(const Model &model, const NodeModel &node) {
  std::vector<std::string> elements;
  for (const TensorSignature &input : node.inputs)
    if (mayBeFloat(node, input))
      elements.push_back(input.name);
  return StepFinder(model.functions, elements).find(node.formulaTree());
}

static bool computeJumps(const Model &model, const NodeModel &node) {
  return any_of(node.statements(), [&](const Statement &statement) {
    Reads reads(node);
    ExprPtr value = reads.replace(statement.value);
    std::vector<std::string> elements;
    for (auto [number, element] : enumerate(reads.all))
      if (mayBeFloat(node, *tensorOf(node, element)))
        elements.push_back(Reads::nameOf(number));
    return StepFinder(model.functions, elements).find(value);
  });
}

/// The names that a lowering gives to the kind of the node's only operand that
/// may be of floats.
static std::vector<std::string>
kindsOfFloats(const NodeModel &node, const std::vector<Statement> &statements) {
  std::vector<std::string> operands, names;
  for (const TensorSignature &input : node.inputs)
    if (mayBeFloat(node, input))
      operands.push_back(input.name);
  if (operands.size() != 1)
    return names;
  for (const Statement &statement : statements)
    if (statement.op == "=" && statement.targets.size() == 1 &&
        textOf(statement.value) == "kind(" + operands.front() + ")")
      names.push_back(textOf(statement.targets.front()));
  return names;
}

/// An expression of a lowering for an operand of floats: a choice that asks
/// whether the kind is one of floats, or something else, is its first branch.
static ExprPtr ofFloats(const ExprPtr &expr,
                        const std::vector<std::string> &kinds) {
  auto holds = [&](const ExprPtr &condition) {
    return anyIn(condition,
                 [&](const ExprPtr &part) {
                   return part->kind == Expr::Kind::Call &&
                          part->text == "isFloat" &&
                          part->children.size() == 1 &&
                          is_contained(kinds, textOf(part->children[0]));
                 }) &&
           !anyIn(condition, [](const ExprPtr &part) {
             return part->text == "&&" || part->text == "!";
           });
  };
  if (expr->kind == Expr::Kind::Call && expr->text == "if" &&
      expr->children.size() == 3 && holds(expr->children[0]))
    return ofFloats(expr->children[1], kinds);
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = ofFloats(child, kinds);
  return copy;
}

/// Calls `holds` with each node that the lowering names; with `forFloats`, for
/// an operand of floats.
static bool anyLowered(const Model &model, const NodeModel &node,
                       llvm::function_ref<bool(const NodeModel &)> holds) {
  if (node.lowering.empty())
    return false;
  Parser parser(node.lowering, node.record);
  const std::vector<Statement> statements = parser.statements();
  const std::vector<std::string> kinds = kindsOfFloats(node, statements);
  return any_of(valuesOf(statements), [&](const ExprPtr &value) {
    return value && anyIn(ofFloats(value, kinds), [&](const ExprPtr &part) {
             const NodeModel *called = part->kind == Expr::Kind::Call
                                           ? model.findNode(part->text)
                                           : nullptr;
             return called && called != &node && called->tier < node.tier &&
                    holds(*called);
           });
  });
}

/// The gradient of a function with kinks jumps at them, where that of either
/// side serves.
static bool isAtKink(const Model &model, const NodeModel &node) {
  if (bitField<"Node.atKink">(node.record))
    return true;
  if (node.record.isValueUnset("gradientOf"))
    return false;
  const Record *of = recordField<"Node.gradientOf">(node.record);
  const NodeModel *origin = model.findNode(of->getName());
  return origin && !jumps(model, *origin);
}

bool glow::gen::jumps(const Model &model, const NodeModel &node) {
  if (isAtKink(model, node))
    return false;
  if (node.isPointwise())
    return formulaJumps(model, node);
  if (!node.compute.empty())
    return computeJumps(model, node);
  // A lowering compares indices and masks as well, about which nothing is known
  // here: only nodes that jump from floats to floats count.
  return anyLowered(model, node, [&](const NodeModel &called) {
    return called.isPointwise() && mayBeFloat(called, called.outputs.front()) &&
           formulaJumps(model, called);
  });
}

/// Adds the operands of a product in a sum of terms.
static void addFactors(const NodeModel &node, const ExprPtr &expr,
                       std::vector<size_t> &factors) {
  auto operandsIn = [&](const ExprPtr &part) {
    std::vector<size_t> operands;
    for (auto [number, input] : enumerate(node.inputs))
      if (readsTensor(node, part, input))
        operands.push_back(number);
    return operands;
  };
  anyIn(expr, [&](const ExprPtr &part) {
    if (part->kind != Expr::Kind::Binary || part->text != "*")
      return false;
    std::vector<size_t> left = operandsIn(part->children[0]);
    std::vector<size_t> right = operandsIn(part->children[1]);
    if (left.empty() || right.empty() || left == right)
      return false;
    append_range(factors, left);
    append_range(factors, right);
    return true;
  });
}

std::vector<size_t> glow::gen::factorsOf(const Model &model,
                                         const NodeModel &node) {
  std::vector<size_t> factors;
  for (StringRef name : textsField<"Node.factors">(node.record)) {
    auto found = find_if(node.inputs, [&](const TensorSignature &input) {
      return input.name == name;
    });
    if (found == node.inputs.end())
      fatalAt(nullptr, node.record,
              "'factors' has '" + name + "', which is no operand of '" +
                  node.className + "'");
    factors.push_back(size_t(found - node.inputs.begin()));
  }
  if (!node.compute.empty())
    for (const Statement &statement : node.statements())
      if (statement.op == "+=" || statement.op == "mean=")
        addFactors(node, statement.value, factors);
  // A node of one operand builds the other factor itself, such as pixel
  // weights.
  const bool mayMultiply = count_if(node.inputs, [&](const auto &input) {
                             return mayBeFloat(node, input);
                           }) > 1;
  if (node.formula.empty() && node.compute.empty() && mayMultiply &&
      anyLowered(model, node, [&](const NodeModel &called) {
        return !factorsOf(model, called).empty();
      }))
    for (size_t i = 0; i < node.inputs.size(); ++i)
      factors.push_back(i);
  sort(factors);
  factors.erase(unique(factors), factors.end());
  return factors;
}
