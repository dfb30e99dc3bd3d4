//===- IndexNames.cpp - names that index notation gives to values ---------===//
// SPDX-License-Identifier: MIT
//
// A name stands for its text: the indices in it are those of the statement that
// reads the name. Expressions keep their position in the file when they replace
// a name.
//
//===----------------------------------------------------------------------===//

#include "Expr/Parser.h"
#include "Model/node/Compute.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace glow::gen;
using namespace llvm;

namespace {

class Names {
public:
  explicit Names(const NodeModel &node) : node(node) {}

  /// Replaces the names in a statement by their values.
  void replaceIn(Statement &statement) {
    replace(statement.value);
    replace(statement.otherwise);
    for (IndexRange &range : statement.ranges)
      for (ExprPtr *expr : {&range.extent, &range.low, &range.high})
        replace(*expr);
  }

  void replace(ExprPtr &expr) {
    if (!expr)
      return;
    for (const auto &entry : values)
      if (mentions(expr, entry.first()))
        read.insert(entry.first());
    expr = substitute(expr, values);
  }

  void give(const Statement &statement) {
    const ExprPtr &name = statement.targets[0];
    if (isTaken(name->text))
      fail(name, "'" + name->text + "' has a meaning in '" + node.className +
                     "' already");
    if (statement.op != "=" || statement.otherwise || !statement.ranges.empty())
      fail(name, "a name stands for what '=' gives it; 'else', 'over' and sums "
                 "belong to the statement that reads it");
    if (mentions(statement.value, name->text))
      fail(name, "'" + name->text + "' stands in its own value");
    values[name->text] = statement.value;
    given.push_back(name);
  }

  void checkAllRead() const {
    for (const ExprPtr &name : given)
      if (!read.contains(name->text))
        fail(name, "no statement reads '" + name->text +
                       "'; a result is assigned to by its elements, as '" +
                       node.outputs.front().name + "[...]'");
  }

private:
  bool isTaken(StringRef name) const {
    static constexpr StringRef own[] = {"before", "each", "infinity", "true",
                                        "false"};
    return is_contained(own, name) || values.contains(name) ||
           node.findInput(name) || node.findWritten(name) ||
           node.scope("").find(name);
  }

  [[noreturn]] void fail(const ExprPtr &at, const Twine &message) const {
    fatalAt(at->at, node.record, message);
  }

  const NodeModel &node;
  StringMap<ExprPtr> values;
  std::vector<ExprPtr> given;
  StringSet<> read;
};

} // namespace

std::vector<Statement>
glow::gen::withoutNames(const NodeModel &node,
                        std::vector<Statement> statements) {
  Names names(node);
  std::vector<Statement> result;
  for (Statement &statement : statements) {
    names.replaceIn(statement);
    if (statement.targets[0]->kind == Expr::Kind::Name) {
      names.give(statement);
      continue;
    }
    names.replace(statement.targets[0]);
    result.push_back(std::move(statement));
  }
  names.checkAllRead();
  return result;
}
