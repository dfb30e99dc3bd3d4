//===- Repeated.cpp - common subexpressions of an expression --------------===//
// SPDX-License-Identifier: MIT

#include "Expr/Repeated.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace glow::gen;
using namespace llvm;

namespace {

/// Numbers equal parts alike, so that an expression is a graph of those.
class Namer {
public:
  using Predicate = std::function<bool(const ExprPtr &)>;

  Namer(StringRef prefix, const Predicate &mayName, const Predicate &isWhole,
        std::vector<RepeatedPart> &parts)
      : prefix(prefix), mayName(mayName), isWhole(isWhole), parts(parts) {}

  ExprPtr run(const ExprPtr &expr) {
    size_t root = numberOf(expr, false);
    for (Part &part : all)
      for (size_t child : part.children)
        ++all[child].uses;
    return written(root);
  }

private:
  struct Part {
    ExprPtr expr;
    bool inBranch;
    std::vector<size_t> children; // none of what is whole
    size_t uses = 0;
    ExprPtr result; // once it is written
  };
  using Key = std::tuple<int, std::string, bool, std::vector<size_t>>;

  size_t numberOf(const ExprPtr &expr, bool inBranch) {
    Part part{expr, inBranch, {}, 0, nullptr};
    std::string text = isWhole(expr) ? textOf(expr) : expr->text;
    bool chooses = expr->kind == Expr::Kind::Call && expr->text == "if";
    if (!isWhole(expr))
      for (auto [i, child] : enumerate(expr->children))
        part.children.push_back(
            numberOf(child, inBranch || (chooses && i > 0)));
    auto [known, isNew] = numbers.try_emplace(
        Key(int(expr->kind), text, inBranch, part.children), all.size());
    if (isNew)
      all.push_back(std::move(part));
    return known->second;
  }

  ExprPtr written(size_t number) {
    if (all[number].result)
      return all[number].result;
    auto copy = std::make_shared<Expr>(*all[number].expr);
    for (auto [i, child] : enumerate(all[number].children))
      copy->children[i] = written(child);
    ExprPtr result = copy;
    if (all[number].uses > 1 && mayName(all[number].expr)) {
      std::string name = (prefix + Twine(parts.size())).str();
      parts.push_back({name, copy, all[number].inBranch});
      result = makeExpr(Expr::Kind::Name, name, {}, copy->at);
    }
    all[number].result = result;
    return result;
  }

  const StringRef prefix;
  const Predicate &mayName, &isWhole;
  std::vector<RepeatedPart> &parts;
  std::vector<Part> all;
  std::map<Key, size_t> numbers;
};

} // namespace

ExprPtr
glow::gen::nameRepeated(const ExprPtr &expr, StringRef prefix,
                        const std::function<bool(const ExprPtr &)> &mayName,
                        const std::function<bool(const ExprPtr &)> &isWhole,
                        std::vector<RepeatedPart> &parts) {
  return Namer(prefix, mayName, isWhole, parts).run(expr);
}
