//===- Rewrite.cpp - typed views of rewrites ------------------------------===//

#include "Model/Rewrite.h"
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

/// The expression with the operands of nodes that commute in every order.
static std::vector<ExprPtr> ordersOf(const Model &model, const ExprPtr &expr) {
  const NodeModel *node = nodeOf(model, expr);
  if (!node || isLiteral(expr))
    return {expr};
  std::vector<ExprPtr> orders = {expr};
  for (auto [i, child] : enumerate(expr->children)) {
    std::vector<ExprPtr> extended;
    for (const ExprPtr &order : orders)
      for (const ExprPtr &choice : ordersOf(model, child)) {
        auto copy = std::make_shared<Expr>(*order);
        copy->children[i] = choice;
        extended.push_back(copy);
      }
    orders = std::move(extended);
  }
  if (!bitField<"Node.commutes">(node->record) || expr->children.size() != 2)
    return orders;
  for (size_t i = 0, size = orders.size(); i < size; ++i) {
    auto copy = std::make_shared<Expr>(*orders[i]);
    std::swap(copy->children[0], copy->children[1]);
    if (textOf(copy) != textOf(orders[i]))
      orders.push_back(copy);
  }
  return orders;
}

static void addOrders(const Model &model, const Record *record,
                      std::vector<RewriteModel> &rewrites) {
  Parser parser(textField<"Rewrite.equation">(*record), *record);
  ExprPtr left = parser.expression();
  parser.expect("=>");
  ExprPtr right = parser.expression();
  parser.expectEnd();
  left = model.functions.written(left, *record);
  right = model.functions.written(right, *record);
  for (auto [i, order] : enumerate(ordersOf(model, left)))
    rewrites.push_back({record->getName().str() + (i ? std::to_string(i) : ""),
                        record, order, right});
}

std::vector<RewriteModel> glow::gen::rewritesOf(const Model &model) {
  std::vector<RewriteModel> result;
  for (const Record *record : model.own("Rewrite"))
    addOrders(model, record, result);
  return result;
}

std::vector<RewriteModel> glow::gen::everyRewrite(const Model &model) {
  std::vector<RewriteModel> result;
  for (const Record *record :
       model.records.getAllDerivedDefinitionsIfDefined("Rewrite"))
    addOrders(model, record, result);
  return result;
}
