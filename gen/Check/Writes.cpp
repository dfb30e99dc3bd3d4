//===- Writes.cpp - refusals that concern results of index notation -------===//
// SPDX-License-Identifier: MIT
//
// Statements run one after the other, each for all of its indices before the
// next. The first statement that writes a result writes the whole of it. A sum
// fills the result with the identity element first; `=` writes every element
// once. Later statements add to the result, or write over a part. So nothing is
// read that was never written. A scan writes a result step by step, or has a
// result that stays from step to step.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/gradients/Gradient.h"
#include "Model/node/Compute.h"
#include "Model/node/Scans.h"
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
    if (node.inoutOperand())
      written.insert(node.outputs.front().name);
    statements = node.computeTree();
    for (const Statement &statement : statements)
      check(statement);
    for (const TensorSignature &output : node.outputs)
      if (!assigned.contains(output.name))
        fatalAt(positionOf("$" + output.name, node.record), node.record,
                "no statement writes result '" + output.name + "' of '" +
                    node.className + "'");
    for (const TensorSignature &tensor : node.scratch)
      checkScratch(tensor);
  }

private:
  void check(const Statement &statement) {
    if (!one || one->scan != statement.scan) {
      writtenInScan.clear();
      writtenBefore = written;
    }
    one = &statement;
    target = tensorOf(node, statement.targets[0]);
    readsItself = false;
    checkElse();
    if (one->scan)
      checkNoLists();
    if (givesIndex(statement))
      checkPlaces();
    for (const ExprPtr &subscript : drop_begin(statement.targets[0]->children))
      checkReads(subscript);
    for (const ExprPtr &read : readBy(statement))
      checkReads(read);
    if (written.contains(target->name))
      checkLater();
    else
      checkFirst();
    written.insert(target->name);
    read.erase(target->name);
    assigned.insert(target->name);
    if (one->scan)
      writtenInScan.insert(target->name);
  }

  void checkScratch(const TensorSignature &tensor) const {
    bool isRead = any_of(statements, [&](const Statement &statement) {
      return any_of(readBy(statement),
                    [&](const ExprPtr &read) {
                      return readsTensor(node, read, tensor);
                    }) ||
             any_of(drop_begin(statement.targets[0]->children),
                    [&](const ExprPtr &subscript) {
                      return readsTensor(node, subscript, tensor);
                    });
    });
    if (!assigned.contains(tensor.name) || !isRead)
      fatalAt(tensor.at, node.record,
              "no statement " +
                  Twine(assigned.contains(tensor.name) ? "reads" : "writes") +
                  " scratch '" + tensor.name + "' of '" + node.className + "'");
    if (tensor.optional || tensor.variadic)
      fatalAt(tensor.at, node.record,
              "scratch '" + tensor.name + "' is one tensor, and always there");
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

  /// Whether each tensor of a list writes elements of its own: a subscript of
  /// the target uses `before` or `each`.
  bool goesOnThroughList() const {
    return any_of(
        drop_begin(one->targets[0]->children), [&](const ExprPtr &subscript) {
          return mentions(subscript, "before") || mentions(subscript, "each");
        });
  }

  void checkReads(const ExprPtr &expr) {
    forEachElement(node, expr, [&](const ExprPtr &element) {
      const TensorSignature *result = tensorOf(node, element);
      if (result == node.inoutOperand())
        fail(element->at, "'" + result->name + "' is updated by '" +
                              node.outputs.front().name +
                              "': read that, where it is not written yet");
      if (!node.findWritten(result->name) || isOfOtherStep(element))
        return;
      if (result == target)
        checkReadsItself(element);
      else
        read.insert(result->name);
      if (!written.contains(result->name))
        fail(element->at, "'" + result->name +
                              "' is read before a statement has written it");
    });
  }

  /// The first step that the scan still writes to, relative to the current
  /// step; nothing where a target's step is unknown.
  std::optional<int64_t> firstWritten(const TensorSignature *result) const {
    std::optional<int64_t> least;
    for (const Statement &other : statements) {
      const ExprPtr &place = other.targets[0];
      if (other.scan != one->scan || tensorOf(node, place) != result)
        continue;
      std::optional<int64_t> steps = stepOf(place);
      if (!steps)
        return std::nullopt;
      least = least ? std::min(*least, *steps) : *steps;
    }
    return least;
  }

  /// The step of an element of a tensor that the scan writes, relative to the
  /// current step (stepsOf).
  std::optional<int64_t> stepOf(const ExprPtr &element) const {
    std::optional<size_t> place = scannedPlace(*one->scan, element);
    return place ? stepsOf(*one->scan, element->children[*place + 1])
                 : std::nullopt;
  }

  bool isWrittenByStep(const TensorSignature *result) const {
    return any_of(statements, [&](const Statement &other) {
      return other.scan == one->scan &&
             tensorOf(node, other.targets[0]) == result &&
             scannedPlace(*one->scan, other.targets[0]);
    });
  }

  /// Whether a scan wrote the element in another step. A result that no
  /// statement wrote before the scan has elements of earlier steps only.
  bool isOfOtherStep(const ExprPtr &element) const {
    const TensorSignature *result = tensorOf(node, element);
    if (!one->scan || !isWrittenByStep(result))
      return false;
    std::optional<int64_t> steps = stepOf(element);
    if (writtenBefore.contains(result->name)) {
      std::optional<int64_t> here = stepOf(one->targets[0]);
      return result == target && steps && here && *steps != *here;
    }
    std::optional<int64_t> first = firstWritten(result);
    if (!first)
      return false;
    if (!steps)
      fail(element->at, "'" + result->name +
                            "' is written step by step: it is read at '" +
                            one->scan->index + "', or at 'previous(" +
                            one->scan->index + ")'");
    if (*steps > *first)
      fail(element->at,
           "'" + textOf(element) + "' is read before the step that writes it");
    return *steps < *first;
  }

  void checkNoLists() const {
    for (const auto *list : {&node.outputs, &node.inputs})
      for (const TensorSignature &tensor : *list)
        if (tensor.variadic)
          fail(one->scan->at,
               "a scan has no list of tensors, as '" + tensor.name + "' is");
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

  /// Whether the accumulator holds more than the result: for a mean and for an
  /// index of the largest or smallest term.
  bool beginsAnew() const { return one->op == "mean=" || givesIndex(*one); }

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
    // A result that stays from step to step is read before it is written again.
    bool isCarried = one->scan && !writtenInScan.contains(target->name) &&
                     !scannedPlace(*one->scan, one->targets[0]);
    if (!sums() && covers() && !readsItself && !absentOperand() && !isCarried &&
        !read.contains(target->name))
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
  std::vector<Statement> statements;
  const Statement *one = nullptr;
  const TensorSignature *target = nullptr;
  bool readsItself = false;
  StringSet<> written;       // results that hold something
  StringSet<> assigned;      // by a statement
  StringSet<> read;          // since they were written
  StringSet<> writtenBefore; // the scan
  StringSet<> writtenInScan;
};

} // namespace

void glow::gen::checkWrites(const Model &model) {
  for (const NodeModel *node : model.ownNodes())
    if (!node->compute.empty())
      WriteCheck(*node).run();
}
