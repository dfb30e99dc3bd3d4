//===- Termination.cpp - refusals of rewrites that would never end --------===//
// SPDX-License-Identifier: MIT
//
// The right side of a rewrite is rewritten by every rewrite that matches a part
// of it, its names standing for themselves, as far as the search goes. When
// what comes out holds the left side again, a graph would never be done.
// Conditions count where one on the way is plainly the opposite of another.
//
// Names stand for themselves: a cycle that needs a certain term behind a name
// is not found here. SimplifyGraph has a limit for it.
//
// A tier for each rewrite, as rules have, would be more to write than the
// equation, and a count of nodes would refuse those that only move one. The
// search finds every circle of rewrites that fit without more on their names,
// and refuses none that ends, except where conditions exclude each other for a
// reason that is not written in them. The rest meets a limit when a graph is
// rewritten (rewriteToTheEnd).
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Check/Conditions.h"
#include "Expr/Constant.h"
#include "Expr/Fields.h"
#include "Expr/Numbers.h"
#include "Expr/Parser.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

namespace {

/// The terms that the names of a left side stand for.
using Bindings = StringMap<ExprPtr>;

/// A right side after some rewrites.
struct Reached {
  ExprPtr term;
  ExprPtr condition; // under which they apply; may be null
  std::vector<const Record *> by;
};

/// The rewrites that one rewrite leads to.
class Search {
public:
  Search(const Model &model, const std::vector<RewriteModel> &rewrites,
         const RewriteModel &start)
      : model(model), rewrites(rewrites), start(start) {}

  void run() {
    if (ExprPtr condition = conditionOf(start); !neverHolds(condition))
      reached.push_back({start.right, condition, {}});
    seen.insert(numbers.of(start.right));
    // The list grows.
    for (size_t i = 0; i < reached.size(); ++i) {
      Reached from = reached[i];
      checkReturn(from);
      addRewritten(from.term, from, [](ExprPtr term) { return term; });
    }
  }

private:
  using Rebuild = function_ref<ExprPtr(ExprPtr)>;
  static constexpr size_t mostTerms = 64;
  /// Beyond this many parts a term is not rewritten any more: rewrites that
  /// repeat their operands in conditions would make it grow without end.
  static constexpr size_t mostParts = 5000;

  /// Whether two rewrites may apply to one graph: rewrites of different
  /// backends never do.
  static bool mayMeet(const Record &a, const Record &b) {
    StringRef one = textField<"Rewrite.backend">(a),
              other = textField<"Rewrite.backend">(b);
    return one.empty() || other.empty() || one == other;
  }

  /// Every term that one rewrite makes of `part`; `rebuild` puts what is in its
  /// place into the whole.
  void addRewritten(const ExprPtr &part, const Reached &from, Rebuild rebuild) {
    for (const RewriteModel &rewrite : rewrites) {
      if (reached.size() >= mostTerms)
        return;
      Bindings names;
      if (!mayMeet(*rewrite.record, *start.record) ||
          !matches(rewrite.left, part, names))
        continue;
      Reached next = from;
      next.term = rebuild(instantiate(rewrite.right, names));
      ExprPtr condition = conditionOf(rewrite);
      if (partsOf(next.term) > mostParts ||
          (condition && partsOf(instantiate(condition, names)) > mostParts))
        continue;
      // A term that was there before leads nowhere new.
      unsigned number = numbers.of(next.term);
      if (seen.contains(number))
        continue;
      next.condition = both(from.condition, conditionOn(rewrite, names));
      if (neverHolds(next.condition))
        continue;
      seen.insert(number);
      next.by.push_back(rewrite.record);
      reached.push_back(std::move(next));
    }
    for (size_t i : operandsIn(part))
      addRewritten(part->children[i], from, [&](ExprPtr child) {
        auto copy = std::make_shared<Expr>(*part);
        copy->children[i] = std::move(child);
        return rebuild(copy);
      });
  }

  void checkReturn(const Reached &from) {
    if (!holdsStart(from.term, from.condition))
      return;
    std::string names;
    for (const Record *record : from.by) {
      names += (names.empty() ? "'" : ", '") + record->getName().str() + "'";
      PrintNote(record->getLoc().front(),
                "'" + record->getName() + "' is declared here");
    }
    std::string side = "'" + textOf(from.term) + "'";
    fatalAt(start.right->at, *start.record,
            "rewrite '" + start.record->getName() + "' never ends: its right " +
                "side " + (names.empty() ? "" : "becomes, by " + names + ", ") +
                side + (names.empty() ? " holds" : ", which holds") +
                " its left side again");
  }

  bool holdsStart(const ExprPtr &part, const ExprPtr &condition) {
    Bindings names;
    if (matches(start.left, part, names) &&
        !neverHolds(both(condition, conditionOn(start, names))))
      return true;
    return any_of(operandsIn(part), [&](size_t i) {
      return holdsStart(part->children[i], condition);
    });
  }

  /// The number of parts of an expression as a tree: a shared part counts each
  /// time that it occurs. At most 2^62.
  static size_t partsOf(const ExprPtr &expr) {
    DenseMap<const Expr *, size_t> known;
    return partsOf(expr, known);
  }

  static size_t partsOf(const ExprPtr &expr,
                        DenseMap<const Expr *, size_t> &known) {
    if (size_t parts = known.lookup(expr.get()))
      return parts;
    size_t parts = 1;
    for (const ExprPtr &child : expr->children)
      parts = std::min(parts + partsOf(child, known), size_t(1) << 62);
    known[expr.get()] = parts;
    return parts;
  }

  static ExprPtr conditionOn(const RewriteModel &rewrite,
                             const Bindings &names) {
    ExprPtr condition = conditionOf(rewrite);
    return condition ? foldConstants(instantiate(condition, names)) : nullptr;
  }

  using Instances = DenseMap<const Expr *, ExprPtr>;

  static ExprPtr instantiate(const ExprPtr &expr, const Bindings &names) {
    Instances made;
    return instantiate(expr, names, made);
  }

  static ExprPtr instantiate(const ExprPtr &expr, const Bindings &names,
                             Instances &made) {
    if (expr->kind == Expr::Kind::Name) {
      ExprPtr value = names.lookup(expr->text);
      return value ? value : expr;
    }
    if (ExprPtr known = made.lookup(expr.get()))
      return known;
    std::vector<ExprPtr> children;
    for (const ExprPtr &child : expr->children)
      children.push_back(instantiate(child, names, made));
    ExprPtr instance = expr;
    if (children != expr->children) {
      auto copy = std::make_shared<Expr>(*expr);
      copy->children = std::move(children);
      instance = copy;
    }
    made[expr.get()] = instance;
    return instance;
  }

  const NodeModel *nodeIn(const ExprPtr &expr) const {
    return isLiteral(expr) ? nullptr : nodeOf(model, expr);
  }

  /// For each child of a node, its place among operands and then attributes.
  static std::vector<size_t> slotsOf(const NodeModel &node, const Expr &expr) {
    std::vector<size_t> slots;
    size_t next = 0;
    for (size_t i = 0; i < expr.children.size(); ++i) {
      StringRef label = i < expr.labels.size() ? StringRef(expr.labels[i]) : "";
      auto named = [&](const auto &x) { return x.name == label; };
      size_t slot = next;
      if (label.empty())
        ++next;
      else if (node.findInput(label))
        slot = find_if(node.inputs, named) - node.inputs.begin();
      else
        slot = node.inputs.size() +
               (find_if(node.attributes, named) - node.attributes.begin());
      slots.push_back(slot);
    }
    return slots;
  }

  /// The children that are tensors made by nodes, or may be.
  std::vector<size_t> operandsIn(const ExprPtr &expr) const {
    std::vector<size_t> operands;
    const NodeModel *node = nodeIn(expr);
    std::vector<size_t> slots;
    if (node)
      slots = slotsOf(*node, *expr);
    // A condition is no tensor.
    bool choice = expr->kind == Expr::Kind::Call && expr->text == "if";
    for (size_t i = 0; i < expr->children.size(); ++i)
      if (node ? slots[i] < node->inputs.size()
               : expr->kind == Expr::Kind::List || (choice && i > 0))
        operands.push_back(i);
    return operands;
  }

  /// Parts of left sides, and the terms that they should match.
  using Pairs = std::vector<std::pair<ExprPtr, ExprPtr>>;

  /// Whether a left side matches a term.
  bool matches(const ExprPtr &left, const ExprPtr &term, Bindings &names) {
    return matches({{left, term}}, names);
  }

  bool matches(Pairs pending, Bindings &names) {
    while (!pending.empty()) {
      auto [left, term] = pending.back();
      pending.pop_back();
      const NodeModel *node = nodeIn(left);
      if (node ? nodeIn(term) != node
               : !matchesWithout(left, term, pending, names))
        return false;
      if (!node)
        continue;
      std::optional<Pairs> operands = operandsOf(*node, *left, *term);
      if (!operands)
        return false;
      if (commutes(*node, left) && operands->size() == 2) {
        Pairs other = pending;
        other.push_back({(*operands)[0].first, (*operands)[1].second});
        other.push_back({(*operands)[1].first, (*operands)[0].second});
        Bindings bound = names;
        if (matches(std::move(other), bound)) {
          names = std::move(bound);
          return true;
        }
      }
      append_range(pending, *operands);
    }
    return true;
  }

  /// Matches a part that is not a node. Pairs of its children are added to
  /// `pending`.
  bool matchesWithout(const ExprPtr &left, const ExprPtr &term, Pairs &pending,
                      Bindings &names) {
    if (left->kind == Expr::Kind::Name && left->text != "true" &&
        left->text != "false") {
      auto [known, isNew] = names.try_emplace(left->text, term);
      // A name that occurs twice stands for the same both times.
      return isNew || numbers.of(known->second) == numbers.of(term);
    }
    if (left->kind != Expr::Kind::List || term->kind != Expr::Kind::List)
      return numbers.of(instantiate(left, names)) == numbers.of(term);
    if (left->children.size() != term->children.size())
      return false;
    for (auto [part, other] : zip(left->children, term->children))
      pending.push_back({part, other});
    return true;
  }

  /// Pairs each operand and attribute of `left` with the term that it should
  /// match. An operand or attribute that the term leaves out is absent, or has
  /// the attribute's initial value.
  std::optional<Pairs> operandsOf(const NodeModel &node, const Expr &left,
                                  const Expr &term) {
    std::vector<ExprPtr> given(node.inputs.size() + node.attributes.size());
    for (auto [i, slot] : enumerate(slotsOf(node, term)))
      if (slot < given.size())
        given[slot] = term.children[i];
    for (auto [i, attribute] : enumerate(node.attributes))
      if (ExprPtr &value = given[node.inputs.size() + i];
          !value && !attribute.initially.empty())
        value = Parser(attribute.initially, *attribute.kind).expression();
    Pairs pairs;
    for (auto [i, slot] : enumerate(slotsOf(node, left))) {
      if (slot >= given.size())
        return std::nullopt;
      pairs.push_back(
          {left.children[i], given[slot] ? given[slot] : makeName("none")});
    }
    return pairs;
  }

  const Model &model;
  const std::vector<RewriteModel> &rewrites;
  const RewriteModel &start;
  std::vector<Reached> reached;
  Numbers numbers;
  DenseSet<unsigned> seen;
};

} // namespace

void glow::gen::checkTermination(const Model &model) {
  std::vector<RewriteModel> rewrites = everyRewrite(model);
  // A left side that is no node is refused where the rewrite is emitted.
  erase_if(rewrites, [&](const RewriteModel &rewrite) {
    return !nodeOf(model, rewrite.left);
  });
  for (const RewriteModel &rewrite : rewrites)
    if (model.isOwn(*rewrite.record))
      Search(model, rewrites, rewrite).run();
}
