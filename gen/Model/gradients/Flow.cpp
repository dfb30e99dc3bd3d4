//===- Flow.cpp - paths of a node's gradients -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Model/gradients/Flow.h"
#include "Expr/Derivative.h"
#include "Model/gradients/Gradient.h"
#include "Model/node/Compute.h"
#include "Model/node/Scans.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::gen;
using namespace llvm;

Flow::Flow(const Model &model, const NodeModel &node,
           ArrayRef<const TensorSignature *> wanted,
           const std::vector<Statement> &statements, const Replay &replay)
    : node(node), statements(statements), replay(replay) {
  for (const Statement &statement : statements)
    read(model, statement);
  follow(wanted);
  findBuffers();
}

void Flow::read(const Model &model, const Statement &statement) {
  FlowStep step{tensorOf(node, statement.targets[0]), Reads(node), {}};
  ExprPtr value = step.reads.replace(statement.value);
  if (isReal(node, *step.target))
    for (auto [number, element] : enumerate(step.reads.all)) {
      const TensorSignature *tensor = tensorOf(node, element);
      if (!isReal(node, *tensor))
        continue;
      ExprPtr factor = derivativeOf(value, Reads::nameOf(number),
                                    model.functions, node.record);
      // A value that depends on the operand by a comparison alone has no
      // gradient, and gets no loop.
      if (textOf(factor) != "0")
        step.changes.push_back({element, tensor, factor});
    }
  steps.push_back(std::move(step));
}

/// Finds the tensors between the operands `wanted` and the results.
void Flow::follow(ArrayRef<const TensorSignature *> wanted) {
  const std::string &first = node.outputs.front().name;
  const TensorSignature *begun = node.inoutOperand();
  StringSet<> reached, reaching;
  for (const TensorSignature *operand : wanted)
    reached.insert(operand->name);
  if (begun && reached.contains(begun->name))
    reached.insert(first);
  for (const TensorSignature &output : node.outputs)
    if (isReal(node, output))
      reaching.insert(output.name);
  for (bool changed = true; changed;) {
    changed = false;
    for (const FlowStep &step : steps)
      for (const Change &change : step.changes) {
        if (reached.contains(change.tensor->name))
          changed |= reached.insert(step.target->name).second;
        if (reaching.contains(step.target->name))
          changed |= reaching.insert(change.tensor->name).second;
      }
  }
  if (begun && reaching.contains(first))
    reaching.insert(begun->name);
  for (const auto &name : reached)
    if (reaching.contains(name.getKey()))
      flowing.insert(name.getKey());
}

void Flow::findBuffers() {
  for (auto [number, step] : enumerate(steps)) {
    if (!flows(*step.target))
      continue;
    for (const Change &change : step.changes)
      if (flows(*change.tensor) && !isOwn(statements[number], change) &&
          node.findWritten(change.tensor->name))
        buffered.insert(change.tensor->name);
    if (takesOut(number))
      buffered.insert(step.target->name);
  }
  const TensorSignature *begun = node.inoutOperand();
  if (begun && flows(*begun))
    buffered.insert(node.outputs.front().name);
}

bool Flow::isOwn(const Statement &statement, const Change &change) {
  return statement.op == "=" &&
         textOf(change.element) == textOf(statement.targets[0]);
}

const Change *Flow::ownChange(size_t number) const {
  for (const Change &change : steps[number].changes)
    if (isOwn(statements[number], change))
      return &change;
  return nullptr;
}

bool Flow::isOfOneStep(const TensorSignature &tensor) const {
  if (!node.findScratch(tensor.name))
    return false;
  auto writing = find_if(
      steps, [&](const FlowStep &step) { return step.target == &tensor; });
  size_t begin = writing - steps.begin();
  auto [first, last] = replay.together(begin);
  if (!statements[begin].scan ||
      scannedPlace(*statements[begin].scan, statements[begin].targets[0]))
    return false;
  for (size_t number = 0; number < steps.size(); ++number)
    if ((number <= begin || number >= last) && touches(number, tensor))
      return false;
  return true;
}

/// Whether a statement reads the tensor, or another than the first writes it.
bool Flow::touches(size_t number, const TensorSignature &tensor) const {
  const Statement &statement = statements[number];
  bool reads = any_of(readBy(statement), [&](const ExprPtr &read) {
    return readsTensor(node, read, tensor);
  });
  for (const ExprPtr &subscript : drop_begin(statement.targets[0]->children))
    reads |= readsTensor(node, subscript, tensor);
  return reads ||
         (steps[number].target == &tensor && replay.writes(tensor, 0, number));
}

bool Flow::writesBefore(size_t number) const {
  const TensorSignature &target = *steps[number].target;
  return replay.writes(target, 0, number) ||
         (node.inoutOperand() && &target == &node.outputs.front());
}

bool Flow::takesOut(size_t number) const {
  const Statement &statement = statements[number];
  const TensorSignature &target = *steps[number].target;
  const Change *own = ownChange(number);
  if (own && textOf(own->factor) == "1")
    return false;
  if (isOfOneStep(target))
    return statement.op == "=" &&
           replay.writes(target, replay.together(number).first, number);
  bool inSteps = statement.scan && !replay.isByStep(target, number);
  if (statement.op == "=")
    return writesBefore(number) || inSteps;
  // A sum begins anew with each step.
  return inSteps && !writesBefore(number) &&
         !scannedPlace(*statement.scan, statement.targets[0]);
}

/// Whether a subscript differs for each value of the index, whatever others
/// are: `i`, `2 * i + n`.
static bool tellsApart(const ExprPtr &subscript, StringRef index,
                       const StringSet<> &indices) {
  auto isFixed = [&](const ExprPtr &expr) {
    return none_of(indices, [&](const auto &other) {
      return mentions(expr, other.getKey());
    });
  };
  if (subscript->isName(index))
    return true;
  if (subscript->kind == Expr::Kind::Spread)
    return tellsApart(subscript->children[0], index, indices);
  if (subscript->kind != Expr::Kind::Binary)
    return false;
  const ExprPtr &l = subscript->children[0], &r = subscript->children[1];
  if (subscript->text == "+" || subscript->text == "-")
    return (isFixed(l) && tellsApart(r, index, indices)) ||
           (isFixed(r) && tellsApart(l, index, indices));
  auto isFactor = [](const ExprPtr &expr) {
    return expr->kind == Expr::Kind::Integer && expr->text != "0";
  };
  return subscript->text == "*" &&
         ((isFactor(l) && tellsApart(r, index, indices)) ||
          (isFactor(r) && tellsApart(l, index, indices)));
}

bool Flow::writesOnce(const Statement &statement) const {
  StringSet<> indices = indicesOf(node, statement);
  // The steps of a scan are gone through one by one.
  if (statement.scan)
    indices.erase(statement.scan->index);
  return all_of(indices, [&](const auto &index) {
    return any_of(drop_begin(statement.targets[0]->children),
                  [&](const ExprPtr &subscript) {
                    return tellsApart(subscript, index.getKey(), indices);
                  });
  });
}
