//===- Rewrite.cpp - typed views of rewrites ------------------------------===//
// SPDX-License-Identifier: MIT

#include "Model/rules/Rewrite.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

const NodeModel *glow::gen::nodeOf(const Model &model, const ExprPtr &expr) {
  if (expr->kind == Expr::Kind::Call)
    return model.findNode(expr->text);
  if (expr->kind == Expr::Kind::Binary)
    return model.nodeFor(expr->text);
  if (expr->kind == Expr::Kind::Unary)
    return model.nodeFor("unary" + expr->text);
  return nullptr;
}

static ExprPtr withChild(const ExprPtr &expr, size_t i, const ExprPtr &child) {
  auto copy = std::make_shared<Expr>(*expr);
  copy->children[i] = child;
  return copy;
}

static ExprPtr swapped(const ExprPtr &expr) {
  auto copy = std::make_shared<Expr>(*expr);
  std::swap(copy->children[0], copy->children[1]);
  return copy;
}

bool glow::gen::commutes(const NodeModel &node, const ExprPtr &expr) {
  return bitField<"Node.commutes">(node.record) && expr->children.size() == 2 &&
         textOf(expr->children[0]) != textOf(expr->children[1]);
}

std::vector<ExprPtr> glow::gen::ordersOf(const Model &model,
                                         const ExprPtr &expr) {
  const NodeModel *node = nodeOf(model, expr);
  if (!node || isLiteral(expr))
    return {expr};
  std::vector<ExprPtr> orders = {expr};
  for (auto [i, child] : enumerate(expr->children)) {
    std::vector<ExprPtr> extended;
    for (const ExprPtr &order : orders)
      for (const ExprPtr &choice : ordersOf(model, child))
        extended.push_back(withChild(order, i, choice));
    orders = std::move(extended);
  }
  if (commutes(*node, expr))
    for (size_t i = 0, size = orders.size(); i < size; ++i)
      orders.push_back(swapped(orders[i]));
  return orders;
}

std::vector<ExprPtr> glow::gen::swapsOf(const Model &model,
                                        const ExprPtr &expr) {
  const NodeModel *node = nodeOf(model, expr);
  std::vector<ExprPtr> swaps = {expr};
  if (!node || isLiteral(expr))
    return swaps;
  for (auto [i, child] : enumerate(expr->children)) {
    std::vector<ExprPtr> choices = swapsOf(model, child);
    for (const ExprPtr &choice : drop_begin(choices))
      swaps.push_back(withChild(expr, i, choice));
  }
  if (commutes(*node, expr))
    swaps.push_back(swapped(expr));
  return swaps;
}

static std::pair<ExprPtr, ExprPtr> sidesOf(const Record &record) {
  Parser parser(textField<"Rewrite.equation">(record), record);
  ExprPtr left = parser.expression();
  parser.expect("=>");
  ExprPtr right = parser.expression();
  parser.expectEnd();
  return {left, right};
}

ExprPtr glow::gen::rightWithCalls(const Record &record) {
  return sidesOf(record).second;
}

static RewriteModel read(const Model &model, const Record *record) {
  auto [left, right] = sidesOf(*record);
  return {record->getName().str(), record,
          model.functions.written(left, *record),
          model.functions.written(right, *record)};
}

std::vector<RewriteModel> glow::gen::rewritesOf(const Model &model) {
  std::vector<RewriteModel> result;
  for (const Record *record : model.own("Rewrite"))
    result.push_back(read(model, record));
  return result;
}

std::vector<RewriteModel> glow::gen::everyRewrite(const Model &model) {
  std::vector<RewriteModel> result;
  for (const Record *record :
       model.records.getAllDerivedDefinitionsIfDefined("Rewrite"))
    result.push_back(read(model, record));
  return result;
}
