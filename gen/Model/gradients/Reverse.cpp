//===- Reverse.cpp - the statements of a node, gone through in reverse ----===//
// SPDX-License-Identifier: MIT
//
// `y[i] += f(x[j]) over j` has the gradient `d_x[j] += d_y[i] * f'(x[j]) over
// i, j`: the same loops, with the place that was written read, and the place
// that was read added to. So the derived gradient is a kernel of the same
// language, and needs no proof of its own for bounds: it touches what the first
// one does.
//
// Each read is a statement, and later sums add to the first: an operand that is
// read in several places gets the sum of their gradients. The gradient of a
// tensor that statements write and read is in a tensor of its own, `flow`. An
// `=` removes from `flow` the part of the element that it overwrote.
//
//===----------------------------------------------------------------------===//

#include "Model/gradients/Reverse.h"
#include "Expr/Derivative.h"
#include "Expr/Integers.h"
#include "Model/gradients/Flow.h"
#include "Model/gradients/Replay.h"
#include "Model/node/Compute.h"
#include "Model/node/Guards.h"
#include "Model/node/Present.h"
#include "Model/node/Scans.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

using namespace glow::gen;
using namespace llvm;

namespace {

/// An index, and the size that it runs over.
struct SizedIndex {
  std::string name;
  bool spread;
  std::optional<std::string> size; // without one, the signature has no name
  const char *at = nullptr;
};

class Reverse {
public:
  Reverse(const Model &model, const NodeModel &node,
          ArrayRef<const TensorSignature *> wanted)
      : model(model), node(node), wanted(wanted), statements(node.statements()),
        fresh(node), replay(node, statements, fresh),
        flow(model, node, wanted, statements, replay) {}

  Adjoint run() {
    auto isList = [](const TensorSignature &tensor) { return tensor.variadic; };
    if (any_of(node.outputs, isList) || any_of(node.inputs, isList))
      refuse("it has a list of operands or results", nullptr);
    for (size_t number = statements.size(); number-- > 0;)
      if (result.why.empty())
        goBack(number);
    if (result.why.empty() && !replay.why.empty())
      refuse(replay.why, replay.at);
    if (result.why.empty())
      assemble();
    return result;
  }

private:
  void refuse(const Twine &why, const char *at) {
    result.why = why.str();
    result.at = at;
  }

  //===--------------------------------------------------------------------===//
  // The way back
  //===--------------------------------------------------------------------===//

  std::string flowName(const TensorSignature &tensor) {
    std::string &name = flowNames[tensor.name];
    if (name.empty())
      name = flow.isBuffered(tensor) ? fresh("flow_" + tensor.name)
                                     : gradientTensor(node, tensor);
    made.insert(name);
    return name;
  }

  static bool isExtremum(const Statement &statement) {
    return statement.op == "max=" || statement.op == "min=";
  }

  void goBack(size_t number) {
    const Statement &statement = statements[number];
    const FlowStep &step = flow.steps[number];
    if (!flow.flows(*step.target))
      return;
    if (statement.op == "=" && flow.takesOut(number) &&
        !flow.writesOnce(statement))
      return refuse("'" + textOf(statement.targets[0]) +
                        "' may be one element for several values, of which the "
                        "last one stays",
                    statement.targets[0]->at);
    bool passes = any_of(step.changes, [&](const Change &change) {
      return flow.flows(*change.tensor) && !Flow::isOwn(statement, change);
    });
    if (isExtremum(statement) && passes && !flow.writesBefore(number))
      shareAmongTies(number);
    else if (statement.op == "mean=" && passes && !flow.writesBefore(number))
      shareAmongTerms(number);
    else if (passes && statement.op != "=" && statement.op != "+=")
      return refuse("'" + statement.op + "' has no derived gradient" +
                        (flow.writesBefore(number)
                             ? " where a statement before writes '" +
                                   flow.steps[number].target->name + "'"
                             : std::string()),
                    statement.at);
    else
      for (const Change &change : step.changes)
        if (result.why.empty() && flow.flows(*change.tensor) &&
            !Flow::isOwn(statement, change))
          add(number, change, times(number, change, flowAt(number)));
    if (result.why.empty() && flow.takesOut(number))
      takeOut(number);
  }

  ExprPtr flowAt(size_t number) {
    return elementAt(flowName(*flow.steps[number].target),
                     statements[number].targets[0]);
  }

  ExprPtr times(size_t number, const Change &change, const ExprPtr &given) {
    return flow.steps[number].reads.restore(
        simplify(makeBinary("*", given, change.factor)));
  }

  /// A maximum has no derivative where several elements are the largest. Each
  /// gets an equal part, so that the parts add up to what flows in.
  void shareAmongTies(size_t number) {
    const Statement &statement = statements[number];
    const ExprPtr &target = statement.targets[0];
    // The result alone determines the elements that were the largest.
    largest = replay.seen(number, target, /*after=*/true);
    ExprPtr isLargest = makeBinary("==", statement.value, makeName("$largest"));
    std::string ties = fresh("ties");
    made.insert(ties);
    scratch.emplace_back(ties, flow.steps[number].target->kind +
                                   sizesText(*flow.steps[number].target));
    write(number, elementAt(ties, target),
          "+=", makeCall("if", {isLargest, makeInteger(1), makeInteger(0)}));
    ExprPtr share = makeBinary("/", flowAt(number), elementAt(ties, target));
    for (const Change &change : flow.steps[number].changes)
      if (flow.flows(*change.tensor))
        add(number, change,
            makeCall("if", {isLargest, times(number, change, share),
                            makeInteger(0)}));
  }

  /// Each term of a mean takes the part of one term. A term that leads outside
  /// is none.
  void shareAmongTerms(size_t number) {
    const ExprPtr &target = statements[number].targets[0];
    std::string terms = fresh("terms");
    made.insert(terms);
    scratch.emplace_back(terms, flow.steps[number].target->kind +
                                    sizesText(*flow.steps[number].target));
    write(number, elementAt(terms, target),
          "+=", whereThere(node, statements[number], target, makeInteger(1)));
    ExprPtr share = makeBinary("/", flowAt(number), elementAt(terms, target));
    for (const Change &change : flow.steps[number].changes)
      if (flow.flows(*change.tensor))
        add(number, change, times(number, change, share));
  }

  /// The gradient of one read.
  void add(size_t number, const Change &change, ExprPtr term) {
    // Without the operand there is no gradient of it.
    if (change.tensor->optional)
      term = wherePresent(term, *change.tensor);
    write(number, elementAt(flowName(*change.tensor), change.element),
          "+=", whereThere(node, statements[number], change.element, term));
  }

  /// Removes the gradient of an overwritten value, which has no effect on
  /// results.
  void takeOut(size_t number) {
    const Statement &statement = statements[number];
    if (statement.op != "=") {
      ExprPtr all = replay.everyElement(*flow.steps[number].target);
      back.push_back(
          pieceOf(elementAt(flowName(*flow.steps[number].target), all), "=",
                  makeInteger(0), nullptr, {}, reversed(statement.scan)));
      return;
    }
    const Change *own = flow.ownChange(number);
    ExprPtr place = flowAt(number);
    ExprPtr kept = own ? times(number, *own, place) : makeInteger(0);
    if (own)
      kept = whereThere(node, statement, statement.targets[0], kept);
    write(number, place, "=", kept);
  }

  /// Collects indices that stand bare in subscripts. Elements of tensors that
  /// the gradient itself makes count, too.
  void collectIndices(const ExprPtr &expr,
                      std::vector<SizedIndex> &found) const {
    const TensorSignature *tensor = tensorOf(node, expr);
    if (tensor || isMadeElement(expr))
      for (size_t i = 0; i + 1 < expr->children.size(); ++i) {
        const ExprPtr &subscript = expr->children[i + 1];
        const Expr *index = indexIn(node, subscript);
        if (!index || any_of(found, [&](const SizedIndex &known) {
              return known.name == index->text;
            }))
          continue;
        bool spread = subscript->kind == Expr::Kind::Spread;
        found.push_back({index->text, spread,
                         tensor ? sizeAt(*tensor, expr, i) : std::nullopt,
                         index->at});
      }
    for (const ExprPtr &child : expr->children)
      collectIndices(child, found);
  }

  bool isMadeElement(const ExprPtr &expr) const {
    return expr->kind == Expr::Kind::Subscript &&
           made.contains(expr->children[0]->text);
  }

  /// The indices of the statement that stand nowhere by themselves in its
  /// gradient, although the gradient must run over them.
  std::vector<SizedIndex> lostIndices(const Statement &statement,
                                      const ExprPtr &place,
                                      const ExprPtr &value) const {
    std::vector<SizedIndex> kept, all;
    for (const IndexRange &range : statement.ranges)
      kept.push_back({range.name, range.spread, std::nullopt});
    if (statement.scan)
      kept.push_back({statement.scan->index, false, std::nullopt});
    collectIndices(statement.value, all);
    collectIndices(place, kept);
    collectIndices(value, kept);
    // An index in bounds keeps its range, even where absent operands are not
    // read.
    collectIndices(statement.targets[0], all);
    erase_if(all, [&](const SizedIndex &index) {
      bool isStep = statement.scan && statement.scan->index == index.name;
      if (isAskedByBounds(statement, index.name))
        return isStep || rangeOf(statement, index.name);
      return any_of(kept, [&](const SizedIndex &other) {
        return other.name == index.name;
      });
    });
    return all;
  }

  static bool isAskedByBounds(const Statement &statement, StringRef index) {
    return any_of(boundsOf(statement),
                  [&](const ExprPtr &bound) { return mentions(bound, index); });
  }

  //===--------------------------------------------------------------------===//
  // Statements of the gradient
  //===--------------------------------------------------------------------===//

  /// Adds a statement over the indices of the one of that number.
  void write(size_t number, const ExprPtr &place, StringRef op,
             const ExprPtr &value) {
    const Statement &statement = statements[number];
    std::vector<IndexRange> ranges = statement.ranges;
    for (IndexRange &range : ranges)
      for (ExprPtr *expr : {&range.extent, &range.low, &range.high})
        if (*expr)
          *expr = inWords(number, *expr);
    for (const SizedIndex &lost : lostIndices(statement, place, value)) {
      if (!lost.size)
        return refuse("the size that '" + lost.name + "' runs over has no name",
                      lost.at);
      std::string size = lost.spread ? "[" + *lost.size + "]" : *lost.size;
      IndexRange range;
      range.name = lost.name;
      range.spread = lost.spread;
      range.extent = makeName(size);
      ranges.push_back(std::move(range));
    }
    Scope scope = elementScope(node, statement);
    Integers integers(model.functions, scope, node.record);
    back.push_back(pieceOf(inWords(number, place), op,
                           integers.withFractions(inWords(number, value)),
                           nullptr, ranges, reversed(statement.scan)));
  }

  /// The expression on values as that statement saw them; its calls about steps
  /// are reversed.
  ExprPtr inWords(size_t number, const ExprPtr &expr) {
    ExprPtr seen = substitute(replay.seen(number, expr), "$largest", largest);
    return statements[number].scan ? turned(seen) : seen;
  }

  static ExprPtr turned(const ExprPtr &expr) {
    auto copy = std::make_shared<Expr>(*expr);
    for (ExprPtr &child : copy->children)
      child = turned(child);
    if (copy->kind == Expr::Kind::Call)
      copy->text = StringSwitch<std::string>(copy->text)
                       .Case("previous", "following")
                       .Case("following", "previous")
                       .Case("first", "last")
                       .Case("last", "first")
                       .Default(copy->text);
    return copy;
  }

  std::shared_ptr<const Scan> reversed(std::shared_ptr<const Scan> scan) {
    if (!scan)
      return nullptr;
    std::shared_ptr<const Scan> &back = turnedScans[scan.get()];
    if (!back) {
      auto copy = std::make_shared<Scan>(*scan);
      copy->backwards = !scan->backwards || scan->condition;
      if (scan->condition)
        copy->condition = makeExpr(Expr::Kind::Unary, "!", {scan->condition});
      back = copy;
    }
    return back;
  }

  /// Whether the tensor must be filled before the first statement that writes
  /// it.
  bool needsFill(const std::string &name) const {
    auto first = find_if(back, [&](const GradientStatement &piece) {
      return piece.writes == name;
    });
    return first != back.end() && first->scan;
  }

  std::string declare(const TensorSignature &tensor) {
    std::string name = flowName(tensor);
    scratch.emplace_back(name, tensor.kind + sizesText(tensor));
    return name;
  }

  void fill(const std::string &name, const TensorSignature &tensor) {
    ExprPtr all = replay.everyElement(tensor);
    bool flowsIn = node.findOutput(tensor.name);
    filled.push_back(pieceOf(elementAt(name, all), "=",
                             flowsIn
                                 ? elementAt(gradientTensor(node, tensor), all)
                                 : makeInteger(0)));
  }

  void fillAll() {
    for (const TensorSignature &output : node.outputs)
      if (flow.isBuffered(output))
        fill(declare(output), output);
    for (const TensorSignature &tensor : node.scratch) {
      if (!flow.isBuffered(tensor))
        continue;
      std::string name = declare(tensor);
      size_t writers = count_if(flow.steps, [&](const FlowStep &step) {
        return step.target == &tensor;
      });
      if (!flow.isOfOneStep(tensor) && (writers > 1 || needsFill(name)))
        fill(name, tensor);
    }
    for (const TensorSignature *operand : wanted)
      if (needsFill(gradientTensor(node, *operand)))
        fill(gradientTensor(node, *operand), *operand);
  }

  /// The operand as which the first result begins takes the remaining gradient.
  void giveBeginning() {
    const TensorSignature *begun = node.inoutOperand();
    if (!begun || !flow.flows(*begun))
      return;
    ExprPtr all = replay.everyElement(*begun);
    back.push_back(pieceOf(elementAt(gradientTensor(node, *begun), all), "+=",
                           elementAt(flowName(node.outputs.front()), all)));
  }

  static std::string headOf(const Scan &scan) {
    return "scan " + scan.index + " < " + textOf(scan.extent) +
           (scan.backwards ? " to 0" : " from 0") +
           (scan.condition ? " if " + textOf(scan.condition) : "") + " {";
  }

  void print(ArrayRef<GradientStatement> pieces) {
    const Scan *open = nullptr;
    std::string &text = result.compute;
    for (const GradientStatement &piece : pieces) {
      if (open && open != piece.scan.get())
        text += " }";
      if (piece.scan && open != piece.scan.get())
        text += (text.empty() ? "" : " ") + headOf(*piece.scan);
      open = piece.scan.get();
      text += (text.empty() ? "" : " ") + piece.text;
    }
    if (open)
      text += " }";
  }

  void assemble() {
    giveBeginning();
    if (back.empty())
      return;
    fillAll();
    std::vector<GradientStatement> all = filled;
    append_range(all, back);
    StringSet<> needed;
    for (const GradientStatement &piece : all)
      for (const auto &name : piece.reads)
        needed.insert(name.getKey());
    std::vector<GradientStatement> again = replay.pieces(needed, scratch);
    print(again);
    print(all);
    result.scratch = scratch;
    result.needsOthers = !again.empty() || flow.hasBuffers() ||
                         any_of(back, [](const GradientStatement &piece) {
                           return piece.scan != nullptr;
                         });
    for (const TensorSignature *operand : wanted)
      if (any_of(all, [&](const GradientStatement &piece) {
            return piece.writes == gradientTensor(node, *operand);
          }))
        result.gives.push_back(operand);
    // Names of sizes may be bound by an operand that no statement reads.
    for (const TensorSignature &input : node.inputs)
      if (!input.optional || result.needsOthers || needed.contains(input.name))
        result.operands.push_back(&input);
    for (const TensorSignature &output : node.outputs)
      if (needed.contains(output.name))
        result.reads.push_back(&output);
    for (const TensorSignature &output : node.outputs)
      if (needed.contains(gradientTensor(node, output)))
        result.results.push_back(&output);
  }

  const Model &model;
  const NodeModel &node;
  ArrayRef<const TensorSignature *> wanted;
  std::vector<Statement> statements;
  FreshNames fresh;
  Replay replay;
  Flow flow;
  StringMap<std::string> flowNames;
  StringSet<> made; // tensors that the gradient has beside those of the node
  ExprPtr largest = makeInteger(0); // what `$largest` stands for
  std::vector<GradientStatement> filled, back;
  std::vector<std::pair<std::string, std::string>> scratch;
  std::map<const Scan *, std::shared_ptr<const Scan>> turnedScans;
  Adjoint result;
};

} // namespace

Adjoint glow::gen::reverseOf(const Model &model, const NodeModel &node,
                             ArrayRef<const TensorSignature *> wanted) {
  return Reverse(model, node, wanted).run();
}
