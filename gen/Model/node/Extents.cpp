//===- Extents.cpp - sizes of indices, by the word 'extent' ---------------===//
// SPDX-License-Identifier: MIT
//
// `extent(i)` is the size that index `i` runs over. It becomes one name, so
// that no later walk over the tree finds the index in it.
//
//===----------------------------------------------------------------------===//

#include "Expr/Builtin.h"
#include "Expr/Parser.h"
#include "Model/node/Compute.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace glow::gen;
using namespace llvm;

std::string glow::gen::extentName(StringRef size) {
  return ("extent(" + size + ")").str();
}

bool glow::gen::isSize(const NodeModel &node, StringRef name) {
  return any_of(node.dimensionNames(),
                [&](const auto &size) { return size.first == name; });
}

namespace {

/// The extents that one statement asks for.
class Extents {
public:
  Extents(const NodeModel &node, const Statement &statement)
      : node(node), statement(statement) {}

  ExprPtr written(const ExprPtr &expr) const {
    if (!expr)
      return nullptr;
    if (isCallOf(expr, Builtin::Extent))
      return sizeOf(expr);
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprPtr &child : copy->children)
      child = written(child);
    return copy;
  }

private:
  ExprPtr sizeOf(const ExprPtr &call) const {
    if (call->children.size() != 1 ||
        call->children[0]->kind != Expr::Kind::Name)
      fatalAt(call->at, node.record,
              "'extent' takes one index, as 'extent(i)'");
    const std::string &index = call->children[0]->text;
    // An index with the name of a size may run over another size.
    if (ExprPtr size = rangeOf(index))
      return ofSizes(size, call->at);
    if (isSize(node, index))
      return makeExpr(Expr::Kind::Name, extentName(index), {}, call->at);
    fatalAt(call->at, node.record,
            "'" + index +
                "' is no index that stands by itself in a place of "
                "one size, and no size of the signature");
  }

  ExprPtr rangeOf(StringRef index) const {
    if (statement.scan && statement.scan->index == index)
      return statement.scan->extent;
    const IndexRange *range = glow::gen::rangeOf(statement, index);
    if (range && range->extent)
      return range->extent;
    for (const ExprPtr &expr : {statement.targets[0], statement.value})
      if (ExprPtr size = extentIn(node, expr, index))
        return size;
    return nullptr;
  }

  /// Names of sizes, where an index may have the same name.
  ExprPtr ofSizes(const ExprPtr &size, const char *at) const {
    StringMap<ExprPtr> names;
    for (const auto &[name, type] : node.dimensionNames())
      names[name] = makeExpr(Expr::Kind::Name, extentName(name), {}, at);
    return substitute(size, names);
  }

  const NodeModel &node;
  const Statement &statement;
};

} // namespace

void glow::gen::nameExtents(const NodeModel &node, Statement &statement) {
  Extents extents(node, statement);
  ExprPtr target = extents.written(statement.targets[0]);
  ExprPtr value = extents.written(statement.value);
  ExprPtr otherwise = extents.written(statement.otherwise);
  for (IndexRange &range : statement.ranges)
    for (ExprPtr *expr : {&range.extent, &range.low, &range.high})
      *expr = extents.written(*expr);
  statement.targets[0] = target;
  statement.value = value;
  statement.otherwise = otherwise;
}
