//===- BodyView.cpp - the names of a body, looked through -----------------===//
// SPDX-License-Identifier: MIT

#include "Model/rules/BodyView.h"
#include "Expr/Builtin.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::gen;
using namespace llvm;

BodyView::BodyView(const Model &model, const Record &record,
                   const std::vector<Statement> &body)
    : model(model), record(record), body(body) {
  bind(body, root);
}

/// Binds names to their values. A name with several values, as in loops, is not
/// looked through. A value that uses the name's former value is, up to that
/// use.
void BodyView::bind(const std::vector<Statement> &statements,
                    BodyFrame &frame) {
  for (const Statement &statement : statements) {
    for (const ExprPtr &target : targetsOf(statement.body))
      frame.names[target->text] = {};
    for (auto [i, target] : enumerate(statement.targets)) {
      ExprPtr value = statement.value;
      if (mentions(value, target->text))
        value = substitute(value, target->text, makeName("$former"));
      auto [place, isNew] = frame.names.try_emplace(
          target->text,
          BodyPlace{value, &frame, statement.targets.size() > 1 ? int(i) : -1});
      if (!isNew)
        place->second = {};
    }
  }
}

const BodyFrame *BodyView::inside(const LetFunction &function,
                                  const BodyPlace &call) {
  std::unique_ptr<BodyFrame> &frame = calls[{call.expr.get(), call.frame}];
  if (frame)
    return frame.get();
  frame = std::make_unique<BodyFrame>();
  for (auto [parameter, argument] :
       zip_equal(function.parameters, argumentsOf(function, call.expr, record)))
    frame->names[parameter.name] = call.at(argument);
  bind(function.body, *frame);
  return frame.get();
}

/// Whether the condition asks if a run gives a value. It does not hold for
/// operators that are written.
bool BodyView::asksRun(const BodyPlace &condition) {
  const BodyPlace place = resolved(condition);
  return place.expr &&
         (isCallOf(place.expr, Builtin::IsOfRun) ||
          (place.expr->kind == Expr::Kind::Binary &&
           llvm::any_of(place.expr->children, [&](const ExprPtr &child) {
             return asksRun(place.at(child));
           })));
}

BodyPlace BodyView::resolved(BodyPlace place) {
  while (place.expr) {
    if (isCallOf(place.expr, Builtin::If) && place.expr->children.size() == 3 &&
        asksRun(place.at(place.expr->children[0]))) {
      place = place.at(place.expr->children[2]);
      continue;
    }
    if (place.expr->kind == Expr::Kind::Name) {
      auto found = place.frame->names.find(place.expr->text);
      if (found == place.frame->names.end())
        return place;
      place = found->second;
      continue;
    }
    const LetFunction *function =
        place.expr->kind == Expr::Kind::Call
            ? model.functions.findLet(place.expr->text)
            : nullptr;
    if (!function)
      return place;
    BodyPlace value =
        inside(*function, place)
            ->names.lookup(
                function->results[size_t(std::max(place.result, 0))]);
    if (!value.expr)
      return place;
    place = value;
  }
  return place;
}

std::string BodyView::ownName(const BodyPlace &place) {
  BodyPlace end = resolved(place);
  return end.expr && end.expr->kind == Expr::Kind::Name ? end.expr->text : "";
}

void BodyView::addConditions(const ExprPtr &expr, const BodyFrame &frame,
                             std::vector<BodyPlace> &all) {
  if ((isCallOf(expr, Builtin::If) || isCallOf(expr, Builtin::Require)) &&
      !expr->children.empty())
    all.push_back({expr->children[0], &frame});
  for (const ExprPtr &child : expr->children)
    addConditions(child, frame, all);
  if (expr->kind == Expr::Kind::Call)
    if (const LetFunction *let = model.functions.findLet(expr->text))
      addConditions(let->body, *inside(*let, {expr, &frame}), all);
}

void BodyView::addConditions(const std::vector<Statement> &statements,
                             const BodyFrame &frame,
                             std::vector<BodyPlace> &all) {
  for (const ExprPtr &value : valuesOf(statements))
    addConditions(value, frame, all);
}

std::vector<BodyPlace> BodyView::conditions() {
  std::vector<BodyPlace> all;
  addConditions(body, root, all);
  return all;
}
