//===- Adjoint.cpp - gradients of index notation, as index notation -------===//
//
// `y[i] += f(x[j]) over j` has the gradient `d_x[j] += d_y[i] * f'(x[j]) over
// i, j`: the same loops, with the place that was written read, and the place
// that was read added to. So the derived gradient is a kernel of the same
// language, and needs no proof of its own for bounds: it touches what the first
// one does.
//
// That holds for one read of the operand by one sum. What is read twice, or
// changed by a later statement, is refused with a reason, and the record writes
// the gradient down.
//
//===----------------------------------------------------------------------===//

#include "Model/Adjoint.h"
#include "Expr/Derivative.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace glow::gen;
using namespace llvm;

std::string glow::gen::adjointName(const NodeModel &node,
                                   const TensorSignature &operand) {
  return node.className +
         convertToCamelFromSnakeCase(operand.name, /*capitalizeFirst=*/true) +
         "Gradient";
}

namespace {

/// Reads of tensors in an expression, each replaced by a name of its own.
class Reads {
public:
  explicit Reads(const NodeModel &node) : node(node) {}

  ExprPtr replace(const ExprPtr &expr) {
    if (isRead(expr)) {
      auto same = find_if(all, [&](const ExprPtr &read) {
        return textOf(read) == textOf(expr);
      });
      // The same place is the same read: it has one derivative.
      size_t index = same - all.begin();
      if (same == all.end())
        all.push_back(expr);
      return makeName("$" + Twine(index));
    }
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprPtr &child : copy->children)
      child = replace(child);
    return copy;
  }

  ExprPtr restore(ExprPtr expr) const {
    for (auto [i, read] : enumerate(all))
      expr = substitute(expr, "$" + std::to_string(i), read);
    return expr;
  }

  /// The reads of one tensor, by number.
  std::vector<size_t> of(StringRef tensor) const {
    std::vector<size_t> result;
    for (auto [i, read] : enumerate(all))
      if (read->children[0]->text == tensor)
        result.push_back(i);
    return result;
  }

  std::vector<ExprPtr> all;

private:
  bool isRead(const ExprPtr &expr) const {
    return expr->kind == Expr::Kind::Subscript &&
           expr->children[0]->kind == Expr::Kind::Name &&
           (node.findInput(expr->children[0]->text) ||
            node.findOutput(expr->children[0]->text));
  }

  const NodeModel &node;
};

class Derivation {
public:
  Derivation(const Model &model, const NodeModel &node,
             const TensorSignature &operand)
      : model(model), node(node), operand(operand) {}

  Adjoint run() {
    if (node.outputs.size() != 1 || node.outputs[0].variadic ||
        any_of(node.inputs, [](auto &input) { return input.variadic; }))
      refuse("it has a variadic operand or several results", nullptr);
    for (const auto &[i, statement] : enumerate(node.computeTree()))
      if (result.why.empty())
        derive(statement, i == 0);
    for (const TensorSignature &input : node.inputs)
      if (!input.optional || names.contains(input.name))
        result.operands.push_back(&input);
    return result;
  }

private:
  void refuse(const Twine &why, const char *at) {
    result.why = why.str();
    result.at = at;
  }

  ExprPtr derivative(const ExprPtr &value, size_t read) const {
    return derivativeOf(value, "$" + std::to_string(read), model.functions,
                        node.record);
  }

  void derive(const Statement &statement, bool first) {
    Reads reads(node);
    ExprPtr value = reads.replace(statement.value);
    const ExprPtr &target = statement.targets[0];
    if (!first)
      for (size_t own : reads.of(node.outputs[0].name))
        if (textOf(reads.all[own]) != textOf(target) ||
            textOf(derivative(value, own)) != "1")
          return refuse("a later statement does more than add to the result",
                        statement.at);
    std::vector<size_t> found = reads.of(operand.name);
    if (found.empty())
      return;
    if (found.size() > 1 || !result.compute.empty())
      return refuse("'" + operand.name + "' is read in two places",
                    statement.at);
    bool extremum = statement.op == "max=" || statement.op == "min=";
    if (extremum && value->kind == Expr::Kind::Name && first)
      return shareAmongTies(statement, reads.all[found[0]]);
    if (statement.op != "=" && (statement.op != "+=" || !first))
      return refuse("'" + statement.op + "' has no derived gradient",
                    statement.at);
    ExprPtr term =
        simplify(makeBinary("*", at("d_" + node.outputs[0].name, target),
                            derivative(value, found[0])));
    // What depends on the operand by a comparison alone has no gradient, and no
    // loop.
    if (textOf(term) != "0")
      add("d_" + operand.name, reads.all[found[0]], reads.restore(term),
          statement);
  }

  /// A maximum has no derivative where several elements are the largest. Each
  /// gets an equal part, so that the parts add up to what flows in.
  void shareAmongTies(const Statement &statement, const ExprPtr &read) {
    const ExprPtr &target = statement.targets[0];
    ExprPtr isLargest = makeBinary("==", read, target);
    ExprPtr share = makeBinary("/", at("d_" + node.outputs[0].name, target),
                               at("ties", target));
    add("ties", target,
        makeCall("if", {isLargest, makeInteger(1), makeInteger(0)}), statement);
    add("d_" + operand.name, read,
        makeCall("if", {isLargest, share, makeInteger(0)}), statement);
    // Which elements were the largest is known from the result alone.
    result.readsResult = true;
  }

  void collectNames(const ExprPtr &expr) {
    if (expr->kind == Expr::Kind::Name)
      names.insert(expr->text);
    for (const ExprPtr &child : expr->children)
      collectNames(child);
  }

  /// The element of another tensor in the same place.
  static ExprPtr at(const std::string &tensor, const ExprPtr &place) {
    auto copy = std::make_shared<Expr>(*place);
    copy->children[0] = makeName(tensor);
    return copy;
  }

  void add(const std::string &tensor, const ExprPtr &place,
           const ExprPtr &value, const Statement &statement) {
    collectNames(value);
    for (const ExprPtr &index : drop_begin(place->children))
      collectNames(index);
    std::string ranges;
    for (const IndexRange &range : statement.ranges)
      ranges += (ranges.empty() ? " over " : ", ") +
                std::string(range.spread ? "*" : "") + range.name + " < " +
                textOf(range.extent);
    result.compute += (result.compute.empty() ? "" : " ") +
                      textOf(at(tensor, place)) + " += " + textOf(value) +
                      ranges + ";";
  }

  const Model &model;
  const NodeModel &node;
  const TensorSignature &operand;
  Adjoint result;
  StringSet<> names; // that the gradient reads
};

} // namespace

Adjoint glow::gen::adjointOf(const Model &model, const NodeModel &node,
                             const TensorSignature &operand) {
  return Derivation(model, node, operand).run();
}
