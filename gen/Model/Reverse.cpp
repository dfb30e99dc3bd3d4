//===- Reverse.cpp - the statements of a node, gone through in reverse ----===//
//
// `y[i] += f(x[j]) over j` has the gradient `d_x[j] += d_y[i] * f'(x[j]) over
// i, j`: the same loops, with the place that was written read, and the place
// that was read added to. So the derived gradient is a kernel of the same
// language, and needs no proof of its own for bounds: it touches what the first
// one does.
//
// Each read is a statement, and later sums add to the first: what is read in
// several places gets the sum of their gradients. What flows into a tensor that
// statements write and read is in a tensor of its own, `flow`; an `=` takes out
// of it what the place that it wrote over had no part in.
//
//===----------------------------------------------------------------------===//

#include "Model/Reverse.h"
#include "Expr/Derivative.h"
#include "Model/Compute.h"
#include "Model/Gradient.h"
#include "Model/Present.h"
#include "Model/Reads.h"
#include "Model/Replay.h"
#include "Model/Scans.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

using namespace glow::gen;
using namespace llvm;

namespace {

/// An element that a statement reads, and how its value changes with it.
struct Change {
  ExprPtr element;
  const TensorSignature *tensor;
  ExprPtr factor; // elements in it are names, see Reads
};

/// A statement, and what gradients flow through.
struct Step {
  const TensorSignature *target;
  Reads reads;
  ExprPtr value; // with names
  std::vector<Change> changes;
};

/// An index, and the size that it runs over.
struct Place {
  std::string name;
  bool spread;
  std::optional<std::string> size; // without one, the signature has no name
  const char *at = nullptr;
};

class Reverse {
public:
  Reverse(const Model &model, const NodeModel &node,
          ArrayRef<const TensorSignature *> wanted)
      : model(model), node(node), wanted(wanted),
        statements(node.statements()), fresh(node),
        replay(node, statements, fresh) {}

  Adjoint run() {
    auto isList = [](const TensorSignature &tensor) { return tensor.variadic; };
    if (any_of(node.outputs, isList) || any_of(node.inputs, isList))
      refuse("it has a list of operands or results", nullptr);
    for (const Statement &statement : statements)
      if (result.why.empty())
        read(statement);
    if (result.why.empty())
      follow();
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
  // What gradients flow through
  //===--------------------------------------------------------------------===//

  static bool isExtremum(const Statement &statement) {
    return statement.op == "max=" || statement.op == "min=";
  }

  void read(const Statement &statement) {
    Step step{tensorOf(node, statement.targets[0]), Reads(node), nullptr, {}};
    step.value = step.reads.replace(statement.value);
    if (isReal(node, *step.target))
      for (auto [number, element] : enumerate(step.reads.all)) {
        const TensorSignature *tensor = tensorOf(node, element);
        if (!isReal(node, *tensor))
          continue;
        ExprPtr factor =
            derivativeOf(step.value, Reads::nameOf(number), model.functions,
                         node.record);
        // What depends on the operand by a comparison alone has no gradient,
        // and no loop.
        if (textOf(factor) != "0")
          step.changes.push_back({element, tensor, factor});
      }
    steps.push_back(std::move(step));
  }

  /// From operands that are wanted to results: what is in between.
  void follow() {
    StringSet<> reached, reaching;
    for (const TensorSignature *operand : wanted) {
      reached.insert(operand->name);
      if (operand == node.beginning())
        reached.insert(node.outputs.front().name);
    }
    for (const TensorSignature &output : node.outputs)
      if (isReal(node, output))
        reaching.insert(output.name);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Step &step : steps)
        for (const Change &change : step.changes) {
          if (reached.contains(change.tensor->name))
            changed |= reached.insert(step.target->name).second;
          if (reaching.contains(step.target->name))
            changed |= reaching.insert(change.tensor->name).second;
        }
    }
    if (const TensorSignature *begun = node.beginning())
      if (reaching.contains(node.outputs.front().name))
        reaching.insert(begun->name);
    for (const auto &name : reached)
      if (reaching.contains(name.getKey()))
        flowing.insert(name.getKey());
    for (auto [number, step] : enumerate(steps)) {
      const Statement &statement = statements[number];
      for (const Change &change : step.changes)
        if (flows(step) && flows(change) && !isOwn(statement, change) &&
            node.findWritten(change.tensor->name))
          buffered.insert(change.tensor->name);
      if (flows(step) && takesOut(number))
        buffered.insert(step.target->name);
    }
    const TensorSignature *begun = node.beginning();
    if (begun && flowing.contains(begun->name))
      buffered.insert(node.outputs.front().name);
  }

  bool flows(const Step &step) const {
    return flowing.contains(step.target->name);
  }
  bool flows(const Change &change) const {
    return flowing.contains(change.tensor->name);
  }

  /// The element that the statement writes.
  static bool isOwn(const Statement &statement, const Change &change) {
    return statement.op == "=" &&
           textOf(change.element) == textOf(statement.targets[0]);
  }

  const Change *ownChange(size_t number) const {
    for (const Change &change : steps[number].changes)
      if (isOwn(statements[number], change))
        return &change;
    return nullptr;
  }

  /// Whether the tensor holds nothing that is needed when a step of the scan
  /// begins, nor when the scan ends.
  bool isOfOneStep(const TensorSignature &tensor) const {
    if (!node.findScratch(tensor.name))
      return false;
    auto writing = find_if(
        steps, [&](const Step &step) { return step.target == &tensor; });
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
  bool touches(size_t number, const TensorSignature &tensor) const {
    const Statement &statement = statements[number];
    bool reads = any_of(readBy(statement), [&](const ExprPtr &read) {
      return readsTensor(node, read, tensor);
    });
    for (const ExprPtr &subscript : drop_begin(statement.targets[0]->children))
      reads |= readsTensor(node, subscript, tensor);
    bool isFirst = none_of(ArrayRef(steps).take_front(number),
                           [&](const Step &step) {
                             return step.target == &tensor;
                           });
    return reads || (steps[number].target == &tensor && !isFirst);
  }

  bool writesBefore(size_t number) const {
    const TensorSignature &target = *steps[number].target;
    return replay.writes(target, 0, number) ||
           (node.beginning() && &target == &node.outputs.front());
  }

  /// Whether the statement writes over what gradients flow into.
  bool takesOut(size_t number) const {
    const Statement &statement = statements[number];
    const TensorSignature &target = *steps[number].target;
    auto [first, last] = replay.together(number);
    const Change *own = ownChange(number);
    if (own && textOf(own->factor) == "1")
      return false;
    if (isOfOneStep(target))
      return statement.op == "=" && replay.writes(target, first, number);
    bool inSteps = statement.scan && !replay.isByStep(target, number);
    if (statement.op == "=")
      return writesBefore(number) || inSteps;
    // A sum begins anew with each step.
    return inSteps && !writesBefore(number) &&
           !scannedPlace(*statement.scan, statement.targets[0]);
  }

  //===--------------------------------------------------------------------===//
  // The way back
  //===--------------------------------------------------------------------===//

  std::string flowName(const TensorSignature &tensor) {
    std::string &name = flowNames[tensor.name];
    if (name.empty())
      name = buffered.contains(tensor.name) ? fresh("flow_" + tensor.name)
                                            : gradientTensor(node, tensor);
    made.insert(name);
    return name;
  }

  void goBack(size_t number) {
    const Statement &statement = statements[number];
    Step &step = steps[number];
    if (!flows(step))
      return;
    if (statement.op == "=" && takesOut(number) && !writesOnce(statement))
      return refuse("'" + textOf(statement.targets[0]) +
                        "' may be one element for several values, of which the "
                        "last one stays",
                    statement.targets[0]->at);
    bool passes = any_of(step.changes, [&](const Change &change) {
      return flows(change) && !isOwn(statement, change);
    });
    if (isExtremum(statement) && passes && !writesBefore(number))
      shareAmongTies(number);
    else if (passes && statement.op != "=" && statement.op != "+=")
      return refuse("'" + statement.op + "' has no derived gradient",
                    statement.at);
    else
      for (const Change &change : step.changes)
        if (result.why.empty() && flows(change) && !isOwn(statement, change))
          add(number, change, times(number, change, flowAt(number)));
    if (result.why.empty() && takesOut(number))
      takeOut(number);
  }

  /// Whether no two values of the statement's indices lead to one element.
  bool writesOnce(const Statement &statement) const {
    std::vector<Place> indices;
    collectIndices(statement.targets[0], indices);
    collectIndices(statement.value, indices);
    return all_of(indices, [&](const Place &index) {
      if (statement.scan && statement.scan->index == index.name)
        return true;
      return any_of(drop_begin(statement.targets[0]->children),
                    [&](const ExprPtr &subscript) {
                      return tellsApart(subscript, index.name, indices);
                    });
    });
  }

  /// Whether a subscript differs for each value of the index, whatever others
  /// are: `i`, `2 * i + n`.
  static bool tellsApart(const ExprPtr &subscript, StringRef index,
                         ArrayRef<Place> indices) {
    auto isFixed = [&](const ExprPtr &expr) {
      return none_of(indices, [&](const Place &other) {
        return mentions(expr, other.name);
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

  ExprPtr flowAt(size_t number) {
    return elementAt(flowName(*steps[number].target),
                     statements[number].targets[0]);
  }

  ExprPtr times(size_t number, const Change &change, const ExprPtr &flow) {
    return steps[number].reads.restore(
        simplify(makeBinary("*", flow, change.factor)));
  }

  /// A maximum has no derivative where several elements are the largest. Each
  /// gets an equal part, so that the parts add up to what flows in.
  void shareAmongTies(size_t number) {
    const Statement &statement = statements[number];
    const ExprPtr &target = statement.targets[0];
    // Which elements were the largest is known from the result alone.
    largest = replay.seen(number, target, /*after=*/true);
    ExprPtr isLargest = makeBinary("==", statement.value, makeName("$largest"));
    std::string ties = fresh("ties");
    made.insert(ties);
    scratch.emplace_back(ties, steps[number].target->kind +
                                   sizesText(*steps[number].target));
    write(number, elementAt(ties, target), "+=",
          makeCall("if", {isLargest, makeInteger(1), makeInteger(0)}));
    ExprPtr share =
        makeBinary("/", flowAt(number), elementAt(ties, target));
    for (const Change &change : steps[number].changes)
      if (flows(change))
        add(number, change,
            makeCall("if", {isLargest, times(number, change, share),
                            makeInteger(0)}));
  }

  /// The gradient of one read.
  void add(size_t number, const Change &change, ExprPtr term) {
    // Without the operand there is no gradient of it.
    if (change.tensor->optional)
      term = wherePresent(term, *change.tensor);
    if (ExprPtr lost = lostGuard(number, change.element, term))
      return refuseLost(lost);
    write(number, elementAt(flowName(*change.tensor), change.element), "+=",
          term);
  }

  /// What the statement wrote over has no part in what follows.
  void takeOut(size_t number) {
    const Statement &statement = statements[number];
    if (statement.op != "=") {
      ExprPtr all = replay.everyElement(*steps[number].target);
      back.push_back(pieceOf(elementAt(flowName(*steps[number].target), all),
                             "=", makeInteger(0), nullptr, {},
                             reversed(statement.scan)));
      return;
    }
    const Change *own = ownChange(number);
    ExprPtr flow = flowAt(number);
    ExprPtr kept = own ? times(number, *own, flow) : makeInteger(0);
    if (ExprPtr lost = lostGuard(number, statement.targets[0], kept))
      return refuseLost(lost);
    write(number, flow, "=", kept);
  }

  void refuseLost(const ExprPtr &lost) {
    refuse("where '" + textOf(lost) +
               "' is not there, the statement does not count, which the "
               "gradient would not see",
           lost->at);
  }

  /// An element without which the statement does not count, and that is not in
  /// the gradient; null if there is none.
  ExprPtr lostGuard(size_t number, const ExprPtr &read,
                    const ExprPtr &term) const {
    const Statement &statement = statements[number];
    StringSet<> kept;
    kept.insert(textOf(read));
    // What flows is of the same sizes.
    kept.insert(textOf(statement.targets[0]));
    forEachElement(node, term, [&](const ExprPtr &element) {
      kept.insert(textOf(element));
    });
    ExprPtr lost;
    forEachGuard(node, statement, statement.value, [&](const ExprPtr &guard) {
      if (!kept.contains(textOf(guard)))
        lost = guard;
    });
    // Without an operand that it reads, a statement is left out.
    for (const TensorSignature *optional : optionalReads(node, statement))
      if (optional != tensorOf(node, read) &&
          !readsWithoutAsking(node, term, *optional))
        forEachElement(node, statement.value, [&](const ExprPtr &element) {
          if (tensorOf(node, element) == optional)
            lost = element;
        });
    return lost;
  }

  /// Elements of what the gradient has in the place of a tensor count, too.
  void collectIndices(const ExprPtr &expr, std::vector<Place> &found) const {
    const TensorSignature *tensor = tensorOf(node, expr);
    if (tensor || isMadeElement(expr))
      for (size_t i = 0; i + 1 < expr->children.size(); ++i) {
        const ExprPtr &subscript = expr->children[i + 1];
        const Expr *index = indexIn(node, subscript);
        if (!index || any_of(found, [&](const Place &known) {
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
  /// gradient, which goes through them all the same.
  std::vector<Place> lostIndices(const Statement &statement,
                                 const ExprPtr &place,
                                 const ExprPtr &value) const {
    std::vector<Place> kept, all;
    for (const IndexRange &range : statement.ranges)
      kept.push_back({range.name, range.spread, std::nullopt});
    if (statement.scan)
      kept.push_back({statement.scan->index, false, std::nullopt});
    collectIndices(statement.value, all);
    collectIndices(place, kept);
    collectIndices(value, kept);
    // What bounds ask for is there, whatever is read of absent operands.
    collectIndices(statement.targets[0], all);
    erase_if(all, [&](const Place &index) {
      bool isStep = statement.scan && statement.scan->index == index.name;
      if (isAskedByBounds(statement, index.name))
        return isStep || rangeOf(statement, index.name);
      return any_of(
          kept, [&](const Place &other) { return other.name == index.name; });
    });
    return all;
  }

  static bool isAskedByBounds(const Statement &statement, StringRef index) {
    return any_of(boundsOf(statement), [&](const ExprPtr &bound) {
      return mentions(bound, index);
    });
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
    for (const Place &lost : lostIndices(statement, place, value)) {
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
    back.push_back(pieceOf(inWords(number, place), op, inWords(number, value),
                           nullptr, ranges, reversed(statement.scan)));
  }

  /// The expression, of values as that statement saw them; what is said of
  /// steps is turned round.
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
        copy->condition =
            makeExpr(Expr::Kind::Unary, "!", {scan->condition});
      back = copy;
    }
    return back;
  }

  /// Whether the first of the statements that write it has to find it filled.
  bool needsFill(const std::string &name) const {
    auto first = find_if(
        back, [&](const Piece &piece) { return piece.writes == name; });
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
                             flowsIn ? elementAt(gradientTensor(node, tensor), all)
                                     : makeInteger(0)));
  }

  void fillAll() {
    for (const TensorSignature &output : node.outputs)
      if (buffered.contains(output.name))
        fill(declare(output), output);
    for (const TensorSignature &tensor : node.scratch) {
      if (!buffered.contains(tensor.name))
        continue;
      std::string name = declare(tensor);
      size_t writers = count_if(
          steps, [&](const Step &step) { return step.target == &tensor; });
      if (!isOfOneStep(tensor) && (writers > 1 || needsFill(name)))
        fill(name, tensor);
    }
    for (const TensorSignature *operand : wanted)
      if (needsFill(gradientTensor(node, *operand)))
        fill(gradientTensor(node, *operand), *operand);
  }

  /// What the first result began as takes what is left.
  void giveBeginning() {
    const TensorSignature *begun = node.beginning();
    if (!begun || !flowing.contains(begun->name))
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

  void print(ArrayRef<Piece> pieces) {
    const Scan *open = nullptr;
    std::string &text = result.compute;
    for (const Piece &piece : pieces) {
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
    std::vector<Piece> all = filled;
    append_range(all, back);
    StringSet<> needed;
    for (const Piece &piece : all)
      for (const auto &name : piece.reads)
        needed.insert(name.getKey());
    std::vector<Piece> again = replay.pieces(needed, scratch);
    print(again);
    print(all);
    result.scratch = scratch;
    result.needsOthers = !again.empty() || !buffered.empty() ||
                         any_of(back, [](const Piece &piece) {
                           return piece.scan != nullptr;
                         });
    for (const TensorSignature *operand : wanted)
      if (any_of(all, [&](const Piece &piece) {
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
  std::vector<Step> steps;
  StringSet<> flowing, buffered;
  StringMap<std::string> flowNames;
  StringSet<> made; // tensors that the gradient has beside those of the node
  ExprPtr largest = makeInteger(0); // what `$largest` stands for
  std::vector<Piece> filled, back;
  std::vector<std::pair<std::string, std::string>> scratch;
  std::map<const Scan *, std::shared_ptr<const Scan>> turnedScans;
  Adjoint result;
};

} // namespace

Adjoint glow::gen::reverseOf(const Model &model, const NodeModel &node,
                             ArrayRef<const TensorSignature *> wanted) {
  return Reverse(model, node, wanted).run();
}
