//===- Writes.cpp - refusals that concern results of index notation -------===//
//
// Statements run one after the other, each for all of its indices before the
// next. The first that writes a result writes the whole of it: a sum fills it
// with what a sum of nothing is, `=` has every place once. What comes later
// adds to it, or writes over a part. So nothing is read that was never written.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/Compute.h"
#include "Model/Gradient.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace glow::gen;
using namespace llvm;

namespace {

/// The results of one node.
class WriteCheck {
public:
  explicit WriteCheck(const NodeModel &node) : node(node) {}

  void run() {
    if (node.beginning())
      written.insert(node.outputs.front().name);
    for (const Statement &statement : node.computeTree())
      check(statement);
    for (const TensorSignature &output : node.outputs)
      if (!assigned.contains(output.name))
        fatalAt(positionOf("$" + output.name, node.record), node.record,
                "no statement writes result '" + output.name + "' of '" +
                    node.className + "'");
  }

private:
  void check(const Statement &statement) {
    one = &statement;
    target = tensorOf(node, statement.targets[0]);
    readsItself = false;
    checkElse();
    if (givesPlaces(statement))
      checkPlaces();
    for (const ExprPtr &subscript : drop_begin(statement.targets[0]->children))
      checkReads(subscript);
    checkReads(statement.value);
    if (written.contains(target->name))
      checkLater();
    else
      checkFirst();
    written.insert(target->name);
    assigned.insert(target->name);
  }

  bool sums() const { return one->op != "="; }

  bool covers() const { return coversResult(node, *one); }

  /// The operand that the statement reads and that may be absent: without it
  /// the statement is left out.
  const TensorSignature *absentOperand() const {
    auto reads = optionalReads(node, *one);
    return reads.empty() ? nullptr : reads.front();
  }

  const TensorSignature *listOperand() const {
    for (const TensorSignature &input : node.inputs)
      if (input.variadic && readsTensor(node, one->value, input))
        return &input;
    return nullptr;
  }

  /// Whether each tensor of a list writes places of its own.
  bool goesOnThroughList() const {
    return any_of(
        drop_begin(one->targets[0]->children), [&](const ExprPtr &subscript) {
          return mentions(subscript, "before") || mentions(subscript, "each");
        });
  }

  void checkReads(const ExprPtr &expr) {
    forEachElement(node, expr, [&](const ExprPtr &element) {
      const TensorSignature *result = tensorOf(node, element);
      if (result == node.beginning())
        fail(element->at, "'" + result->name + "' is what '" +
                              node.outputs.front().name +
                              "' begins as: read that, where it is not "
                              "written yet");
      if (!node.findOutput(result->name))
        return;
      if (result == target)
        checkReadsItself(element);
      if (!written.contains(result->name))
        fail(element->at, "'" + result->name +
                              "' is read before a statement has written it");
    });
  }

  void checkReadsItself(const ExprPtr &element) {
    if (sums())
      fail(element->at, "a sum does not read '" + target->name +
                            "', which it changes; a later sum adds to what an "
                            "earlier statement wrote");
    if (textOf(element) != textOf(one->targets[0]))
      fail(element->at, "'" + target->name +
                            "' is read at another place than the statement "
                            "writes, which may be written already or not yet");
    readsItself = true;
  }

  void checkFirst() {
    const TensorSignature *absent = absentOperand();
    if (absent && (!sums() || target->variadic))
      fail(one->at, "nothing writes '" + target->name + "' where '" +
                        absent->name + "' is absent");
    const TensorSignature *list = target->variadic ? nullptr : listOperand();
    if (sums() || (list && goesOnThroughList()))
      return checkMean(list);
    if (list)
      fail(one->at, "each tensor of '" + list->name + "' writes over '" +
                        target->name +
                        "'; a subscript with 'before' or 'each' gives it a "
                        "place of its own");
    if (!covers())
      fail(one->targets[0]->at,
           "'" + textOf(one->targets[0]) + "' does not write all of '" +
               target->name +
               "'; an earlier statement must, or a sum, which begins with all");
  }

  /// Of a mean and a place more is known on the way than the result holds.
  bool beginsAnew() const { return one->op == "mean=" || givesPlaces(*one); }

  void checkMean(const TensorSignature *list) {
    if (list && beginsAnew())
      fail(one->at, "'" + one->op + "' would begin anew with each tensor of '" +
                        list->name + "'");
  }

  void checkPlaces() {
    if (!covers())
      fail(one->targets[0]->at, "'" + one->op + "' writes every element of '" +
                                    target->name + "' once, at its indices");
    if (isReal(node, *target))
      fail(one->at, "'" + one->op + "' gives places, and '" + target->name +
                        "' may be of a float kind");
  }

  void checkLater() {
    if (beginsAnew())
      fail(one->at, "'" + one->op + "' begins with nothing, and '" +
                        target->name + "' was written before");
    if (!sums() && covers() && !readsItself && !absentOperand())
      fail(one->at, "this writes all of '" + target->name +
                        "' again: what was written before is lost");
  }

  void checkElse() {
    if (!one->otherwise)
      return;
    const char *at = one->otherwise->at;
    if (sums())
      fail(at, "'else' belongs to '='; a term outside does not count in a sum");
    forEachElement(node, one->otherwise, [&](const ExprPtr &element) {
      fail(element->at, "'else' is a value, and reads no element");
    });
    bool mayBeOutside = false;
    forEachGuard(node, *one, one->value,
                 [&](const ExprPtr &) { mayBeOutside = true; });
    if (!mayBeOutside)
      fail(at, "'else' is never taken: no element that is read here may be "
               "outside, or one in a branch of 'if' reads as 0");
  }

  [[noreturn]] void fail(const char *at, const Twine &message) const {
    fatalAt(at, node.record, message);
  }

  const NodeModel &node;
  const Statement *one = nullptr;
  const TensorSignature *target = nullptr;
  bool readsItself = false;
  StringSet<> written;  // results that hold something
  StringSet<> assigned; // by a statement
};

} // namespace

void glow::gen::checkWrites(const Model &model) {
  for (const NodeModel *node : model.ownNodes())
    if (!node->compute.empty())
      WriteCheck(*node).run();
}
