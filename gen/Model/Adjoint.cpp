//===- Adjoint.cpp - gradients of index notation, as index notation -------===//
//
// `y[i] += f(x[j]) over j` has the gradient `d_x[j] += d_y[i] * f'(x[j]) over
// i, j`: the same loops, with the place that was written read, and the place
// that was read added to. So the derived gradient is a kernel of the same
// language, and needs no proof of its own for bounds: it touches what the first
// one does.
//
// Each read of the operand is a statement, and later sums add to the first:
// what is read in several places gets the sum of their gradients. What a later
// statement changes otherwise is refused with a reason, and the record writes
// the gradient down.
//
//===----------------------------------------------------------------------===//

#include "Model/Adjoint.h"
#include "Expr/Derivative.h"
#include "Model/Compute.h"
#include "Model/Gradient.h"
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
    if (tensorOf(node, expr)) {
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
  const NodeModel &node;
};

class Derivation {
public:
  Derivation(const Model &model, const NodeModel &node,
             const TensorSignature &operand)
      : model(model), node(node), operand(operand),
        statements(node.computeTree()) {}

  Adjoint run() {
    auto isList = [](const TensorSignature &tensor) { return tensor.variadic; };
    if (any_of(node.outputs, isList) || any_of(node.inputs, isList))
      refuse("it has a list of operands or results", nullptr);
    for (const Statement &statement : statements)
      if (statement.scan)
        refuse("a scan has no derived gradient", statement.scan->at);
    for (const Statement &statement : statements)
      if (result.why.empty())
        derive(statement);
    for (const TensorSignature &input : node.inputs)
      if (!input.optional || names.contains(input.name))
        result.operands.push_back(&input);
    for (const TensorSignature &output : node.outputs)
      if (names.contains(output.name))
        result.reads.push_back(&output);
    for (const TensorSignature &output : node.outputs)
      if (names.contains("d_" + output.name))
        result.results.push_back(&output);
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

  void derive(const Statement &statement) {
    Reads reads(node);
    ExprPtr value = reads.replace(statement.value);
    const TensorSignature &output = *tensorOf(node, statement.targets[0]);
    bool isFirst = written.insert(output.name).second;
    std::string why = whyNotPassedOn(statement, output, reads, value, isFirst);
    if (!why.empty())
      return refuse(why, statement.at);
    std::vector<size_t> found = reads.of(operand.name);
    if (found.empty() || !isReal(node, output))
      return;
    bool extremum = statement.op == "max=" || statement.op == "min=";
    if (extremum && value->kind == Expr::Kind::Name && isOnly(output))
      return shareAmongTies(statement, reads.all[found[0]]);
    if (statement.op != "=" && statement.op != "+=")
      return refuse("'" + statement.op + "' has no derived gradient",
                    statement.at);
    for (size_t read : found)
      add(statement, reads, value, read);
  }

  /// Why what flows into the results does not flow as it is into what earlier
  /// statements wrote; empty when it does.
  std::string whyNotPassedOn(const Statement &statement,
                             const TensorSignature &output, const Reads &reads,
                             const ExprPtr &value, bool isFirst) const {
    bool adds = isFirst || statement.op == "+=";
    for (const TensorSignature &other : node.outputs)
      for (size_t read : reads.of(other.name)) {
        std::string change = textOf(derivative(value, read));
        if (&other == &output)
          adds = statement.op == "=" && change == "1";
        else if (isReal(node, other) && change != "0")
          return "result '" + other.name + "' is read by a statement of '" +
                 output.name + "'";
      }
    return adds ? ""
                : "a later statement does more than add to '" + output.name +
                      "'";
  }

  bool isOnly(const TensorSignature &output) const {
    return count_if(statements, [&](const Statement &statement) {
             return tensorOf(node, statement.targets[0]) == &output;
           }) == 1;
  }

  /// The gradient of one read.
  void add(const Statement &statement, const Reads &reads, const ExprPtr &value,
           size_t read) {
    const ExprPtr &target = statement.targets[0];
    std::string d = "d_" + target->children[0]->text;
    ExprPtr term = reads.restore(
        simplify(makeBinary("*", at(d, target), derivative(value, read))));
    // What depends on the operand by a comparison alone has no gradient, and no
    // loop.
    if (textOf(term) == "0")
      return;
    if (ExprPtr lost = lostGuard(statement, reads.all[read], term))
      return refuse("where '" + textOf(lost) +
                        "' is not there, the statement does not count, which "
                        "the gradient would not see",
                    lost->at);
    add("d_" + operand.name, reads.all[read], term, statement);
  }

  /// An element without which the statement does not count, and that is not in
  /// the gradient; null if there is none.
  ExprPtr lostGuard(const Statement &statement, const ExprPtr &read,
                    const ExprPtr &term) const {
    StringSet<> kept, tensors;
    kept.insert(textOf(read));
    tensors.insert(operand.name);
    forEachElement(node, term, [&](const ExprPtr &element) {
      kept.insert(textOf(element));
      tensors.insert(element->children[0]->text);
    });
    ExprPtr lost;
    forEachGuard(node, statement, statement.value, [&](const ExprPtr &guard) {
      if (!kept.contains(textOf(guard)))
        lost = guard;
    });
    forEachElement(node, statement.value, [&](const ExprPtr &element) {
      if (tensorOf(node, element)->optional &&
          !tensors.contains(element->children[0]->text))
        lost = element;
    });
    return lost;
  }

  /// A maximum has no derivative where several elements are the largest. Each
  /// gets an equal part, so that the parts add up to what flows in.
  void shareAmongTies(const Statement &statement, const ExprPtr &read) {
    const ExprPtr &target = statement.targets[0];
    ExprPtr isLargest = makeBinary("==", read, target);
    ExprPtr share = makeBinary(
        "/", at("d_" + target->children[0]->text, target), at("ties", target));
    add("ties", target,
        makeCall("if", {isLargest, makeInteger(1), makeInteger(0)}), statement);
    add("d_" + operand.name, read,
        makeCall("if", {isLargest, share, makeInteger(0)}), statement);
    // Which elements were the largest is known from the result alone.
    result.countsTies = true;
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

  /// An index, and the size that it runs over.
  struct Place {
    std::string name;
    bool spread;
    std::optional<std::string> size; // without one, the signature has no name
    const char *at = nullptr;
  };

  void collectIndices(const ExprPtr &expr, std::vector<Place> &found) const {
    forEachElement(node, expr, [&](const ExprPtr &element) {
      for (size_t i = 0; i + 1 < element->children.size(); ++i) {
        const ExprPtr &subscript = element->children[i + 1];
        const Expr *index = indexIn(node, subscript);
        if (!index || any_of(found, [&](const Place &known) {
              return known.name == index->text;
            }))
          continue;
        bool spread = subscript->kind == Expr::Kind::Spread;
        auto size = sizeAt(*tensorOf(node, element), element, i);
        found.push_back({index->text, spread, size, index->at});
      }
    });
  }

  /// The indices of the statement that stand nowhere by themselves in its
  /// gradient, which goes through them all the same.
  std::vector<Place> lostIndices(const Statement &statement,
                                 const ExprPtr &place,
                                 const ExprPtr &value) const {
    std::vector<Place> kept, all;
    for (const IndexRange &range : statement.ranges)
      kept.push_back({range.name, range.spread, std::nullopt});
    collectIndices(statement.value, all);
    collectIndices(place, kept);
    // There the gradient of the result is read.
    collectIndices(statement.targets[0], kept);
    collectIndices(value, kept);
    erase_if(all, [&](const Place &index) {
      return any_of(
          kept, [&](const Place &other) { return other.name == index.name; });
    });
    return all;
  }

  void add(const std::string &tensor, const ExprPtr &place,
           const ExprPtr &value, const Statement &statement) {
    collectNames(value);
    for (const ExprPtr &index : drop_begin(place->children))
      collectNames(index);
    std::string ranges;
    auto addRange = [&](bool spread, StringRef name, const Twine &extent) {
      ranges += (ranges.empty() ? " over " : ", ") +
                (Twine(spread ? "*" : "") + name + " < " + extent).str();
    };
    for (const IndexRange &range : statement.ranges)
      addRange(range.spread, range.name, textOf(range.extent));
    for (const Place &lost : lostIndices(statement, place, value)) {
      if (!lost.size)
        return refuse("the size that '" + lost.name + "' runs over has no name",
                      lost.at);
      addRange(lost.spread, lost.name,
               lost.spread ? "[" + *lost.size + "]" : *lost.size);
    }
    result.compute += (result.compute.empty() ? "" : " ") +
                      textOf(at(tensor, place)) + " += " + textOf(value) +
                      ranges + ";";
  }

  const Model &model;
  const NodeModel &node;
  const TensorSignature &operand;
  std::vector<Statement> statements;
  StringSet<> written;
  Adjoint result;
  StringSet<> names; // that the gradient reads
};

} // namespace

Adjoint glow::gen::adjointOf(const Model &model, const NodeModel &node,
                             const TensorSignature &operand) {
  return Derivation(model, node, operand).run();
}
