//===- Compute.cpp - refusals that concern index notation -----------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/Node.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::gen;
using namespace llvm;

static const TensorSignature *tensorOf(const NodeModel &node,
                                       const ExprPtr &expr) {
  if (expr->kind != Expr::Kind::Subscript ||
      expr->children[0]->kind != Expr::Kind::Name)
    return nullptr;
  StringRef name = expr->children[0]->text;
  const TensorSignature *input = node.findInput(name);
  return input ? input : node.findOutput(name);
}

/// Lists of sizes and of indices may be of any length; without them, a tensor
/// has one subscript for each size.
static void checkSubscripts(const NodeModel &node, const ExprPtr &expr) {
  if (const TensorSignature *tensor = tensorOf(node, expr)) {
    auto subscripts = ArrayRef<ExprPtr>(expr->children).drop_front();
    bool lists = any_of(subscripts, [](const ExprPtr &subscript) {
      return subscript->kind == Expr::Kind::Spread;
    });
    lists |= any_of(tensor->dims, [](const Dimension &dim) {
      return dim.form == Dimension::Form::Rest;
    });
    if (!lists && subscripts.size() != tensor->dims.size())
      fatalAt(expr->at, node.record,
              "'" + tensor->name + "' has " +
                  counted(tensor->dims.size(), "size") +
                  " in its signature, but " +
                  counted(subscripts.size(), "subscript"));
  }
  for (const ExprPtr &child : expr->children)
    checkSubscripts(node, child);
}

void glow::gen::checkCompute(const Model &model) {
  for (const NodeModel *node : model.ownNodes()) {
    for (const Statement &statement : node->computeTree()) {
      for (const ExprPtr &target : statement.targets) {
        const TensorSignature *tensor = tensorOf(*node, target);
        if (!tensor || !node->findOutput(tensor->name))
          fatalAt(target->at, node->record,
                  "index notation assigns to elements of a result, as '" +
                      node->outputs.front().name + "[...]'");
        checkSubscripts(*node, target);
      }
      checkSubscripts(*node, statement.value);
    }
  }
}
