//===- Replay.cpp - recomputed values for gradients -----------------------===//
// SPDX-License-Identifier: MIT

#include "Model/gradients/Replay.h"
#include "Expr/Parser.h"
#include "Model/gradients/Adjoint.h"
#include "Model/node/Compute.h"
#include "Model/node/Scans.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::gen;
using namespace llvm;

void glow::gen::addNames(const ExprPtr &expr, StringSet<> &names) {
  if (!expr)
    return;
  if (expr->kind == Expr::Kind::Name)
    names.insert(expr->text);
  for (const ExprPtr &child : expr->children)
    addNames(child, names);
}

ExprPtr glow::gen::elementAt(const std::string &tensor, const ExprPtr &place) {
  auto copy = std::make_shared<Expr>(*place);
  copy->children[0] = makeName(tensor);
  return copy;
}

FreshNames::FreshNames(const NodeModel &node) {
  for (const auto *list : {&node.inputs, &node.outputs, &node.scratch})
    for (const TensorSignature &tensor : *list)
      for (const std::string &name :
           {tensor.name, gradientTensor(node, tensor)})
        taken.insert(name);
  for (const Attribute &attribute : node.attributes)
    taken.insert(attribute.name);
  for (const auto &[name, type] : node.dimensionNames())
    taken.insert(name);
  // Indices are names, too.
  for (const Statement &statement : node.computeTree()) {
    addNames(statement.targets[0], taken);
    for (const ExprPtr &read : readBy(statement))
      addNames(read, taken);
    if (statement.scan)
      taken.insert(statement.scan->index);
  }
}

std::string FreshNames::operator()(const std::string &wish) {
  std::string name = wish;
  for (unsigned number = 2; !taken.insert(name).second; ++number)
    name = wish + "_" + std::to_string(number);
  return name;
}

Replay::Replay(const NodeModel &node, const std::vector<Statement> &statements,
               FreshNames &fresh)
    : node(node), statements(statements), fresh(fresh) {
  // The results of the node itself exist; a replayed result is another tensor.
  for (const TensorSignature &output : node.outputs)
    names[output.name] = fresh("again_" + output.name);
  for (const TensorSignature &tensor : node.scratch)
    names[tensor.name] = tensor.name;
}

bool Replay::writes(const TensorSignature &tensor, size_t first,
                    size_t last) const {
  return any_of(ArrayRef(statements).slice(first, last - first),
                [&](const Statement &statement) {
                  return tensorOf(node, statement.targets[0]) == &tensor;
                });
}

std::pair<size_t, size_t> Replay::together(size_t number) const {
  size_t first = number, last = number + 1;
  if (!statements[number].scan)
    return {first, last};
  while (first > 0 && statements[first - 1].scan == statements[number].scan)
    --first;
  while (last < statements.size() &&
         statements[last].scan == statements[number].scan)
    ++last;
  return {first, last};
}

bool Replay::isByStep(const TensorSignature &tensor, size_t number) const {
  auto [first, last] = together(number);
  const Scan &scan = *statements[number].scan;
  return all_of(ArrayRef(statements).slice(first, last - first),
                [&](const Statement &statement) {
                  const ExprPtr &target = statement.targets[0];
                  if (tensorOf(node, target) != &tensor)
                    return true;
                  auto place = scannedPlace(scan, target);
                  return place &&
                         target->children[*place + 1]->isName(scan.index);
                });
}

ExprPtr Replay::seen(size_t number, const ExprPtr &expr, bool after) {
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = seen(number, child, after);
  const TensorSignature *tensor = tensorOf(node, expr);
  return tensor && node.findWritten(tensor->name)
             ? keptFor(number, copy, *tensor, after)
             : copy;
}

ExprPtr Replay::keptFor(size_t number, const ExprPtr &element,
                        const TensorSignature &tensor, bool after) {
  std::shared_ptr<const Scan> scan = statements[number].scan;
  auto [first, last] = together(number);
  size_t from = number + (after ? 1 : 0);
  if (!scan || !writes(tensor, first, last))
    return copied(element, tensor, scan ? first : from, nullptr);
  if (!isByStep(tensor, number))
    return copied(element, tensor, from, scan);
  auto place = scannedPlace(*scan, element);
  auto steps =
      place ? stepsOf(*scan, element->children[*place + 1]) : std::nullopt;
  if (!steps) {
    why = "'" + textOf(element) + "' may be of any step";
    at = element->at;
    return element;
  }
  if (*steps > 0)
    return copied(element, tensor, first, nullptr);
  if (*steps == 0 && writes(tensor, from, last))
    return copied(element, tensor, from, scan, place);
  // As the whole scan leaves it.
  return copied(element, tensor, last, nullptr);
}

ExprPtr Replay::copied(const ExprPtr &element, const TensorSignature &tensor,
                       size_t before, std::shared_ptr<const Scan> scan,
                       std::optional<size_t> place) {
  if (!scan && !writes(tensor, before, statements.size()))
    return node.findOutput(tensor.name)
               ? element
               : elementAt(names[tensor.name], element);
  size_t count = count_if(
      ArrayRef(statements).take_front(before), [&](const Statement &statement) {
        return tensorOf(node, statement.targets[0]) == &tensor;
      });
  auto known = find_if(copies, [&](const Copy &copy) {
    return copy.tensor == &tensor && copy.count == count && copy.scan == scan;
  });
  if (known == copies.end()) {
    copies.push_back(
        {&tensor, count, before, scan, place, fresh("at_" + tensor.name)});
    known = std::prev(copies.end());
  }
  auto result = std::make_shared<Expr>(*elementAt(known->name, element));
  if (scan && !place)
    result->children.insert(result->children.begin() + 1,
                            makeName(scan->index));
  return result;
}

ExprPtr Replay::everyElement(const TensorSignature &tensor) {
  std::vector<ExprPtr> children = {makeName(tensor.name)};
  for (auto [number, dim] : enumerate(tensor.dims)) {
    if (number == indices.size())
      indices.push_back(fresh("x" + std::to_string(number)));
    ExprPtr index = makeName(indices[number]);
    bool isList = dim.form != Dimension::Form::Size;
    children.push_back(isList ? makeExpr(Expr::Kind::Spread, "", {index})
                              : index);
  }
  return makeExpr(Expr::Kind::Subscript, "", children);
}

/// The expression with the replay's names for written tensors.
ExprPtr Replay::again(const ExprPtr &expr) const {
  if (!expr)
    return expr;
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = again(child);
  const TensorSignature *tensor = tensorOf(node, expr);
  auto name = tensor ? names.find(tensor->name) : names.end();
  return name == names.end() ? copy : elementAt(name->second, copy);
}

GradientStatement glow::gen::pieceOf(const ExprPtr &target, StringRef op,
                                     const ExprPtr &value,
                                     const ExprPtr &otherwise,
                                     ArrayRef<IndexRange> ranges,
                                     std::shared_ptr<const Scan> scan) {
  GradientStatement piece;
  piece.text = (textOf(target) + " " + op + " " + textOf(value)).str();
  if (otherwise)
    piece.text += " else " + textOf(otherwise);
  for (auto [number, range] : enumerate(ranges))
    piece.text += (number ? ", " : " over ") + textOf(range);
  piece.text += ";";
  piece.scan = std::move(scan);
  piece.writes = target->children[0]->text;
  for (const ExprPtr &expr : {value, otherwise})
    addNames(expr, piece.reads);
  for (const ExprPtr &subscript : drop_begin(target->children))
    addNames(subscript, piece.reads);
  for (const IndexRange &range : ranges)
    for (const ExprPtr &expr : {range.extent, range.low, range.high})
      addNames(expr, piece.reads);
  return piece;
}

GradientStatement Replay::pieceOf(const Copy &copy) {
  ExprPtr from = again(everyElement(*copy.tensor));
  auto to = std::make_shared<Expr>(*elementAt(copy.name, from));
  if (copy.place) {
    auto here = std::make_shared<Expr>(*from);
    here->children[*copy.place + 1] = makeName(copy.scan->index);
    to->children[*copy.place + 1] = makeName(copy.scan->index);
    from = here;
  } else if (copy.scan) {
    to->children.insert(to->children.begin() + 1, makeName(copy.scan->index));
  }
  return gen::pieceOf(to, "=", from, nullptr, {}, copy.scan);
}

std::string Replay::signatureOf(const Copy &copy) const {
  std::string sizes = sizesText(*copy.tensor);
  if (copy.scan && !copy.place)
    sizes.insert(1, textOf(copy.scan->extent) +
                        (copy.tensor->dims.empty() ? "" : ", "));
  return copy.tensor->kind + sizes;
}

std::vector<GradientStatement> Replay::all() {
  std::vector<GradientStatement> pieces;
  if (const TensorSignature *begun = node.inoutOperand()) {
    ExprPtr place = everyElement(*begun);
    pieces.push_back(gen::pieceOf(
        elementAt(names[node.outputs.front().name], place), "=", place));
  }
  auto scanAt = [&](size_t number) {
    return number < statements.size() ? statements[number].scan : nullptr;
  };
  for (size_t number = 0; number <= statements.size(); ++number) {
    auto copiesIn = [&](std::shared_ptr<const Scan> scan) {
      for (const Copy &copy : copies)
        if (copy.before == number && copy.scan == scan)
          pieces.push_back(pieceOf(copy));
    };
    std::shared_ptr<const Scan> ended = number ? scanAt(number - 1) : nullptr;
    if (ended && ended != scanAt(number))
      copiesIn(ended);
    copiesIn(nullptr);
    if (scanAt(number))
      copiesIn(scanAt(number));
    if (number == statements.size())
      break;
    const Statement &statement = statements[number];
    std::vector<IndexRange> ranges = statement.ranges;
    for (IndexRange &range : ranges)
      for (ExprPtr *expr : {&range.extent, &range.low, &range.high})
        *expr = again(*expr);
    pieces.push_back(gen::pieceOf(
        again(statement.targets[0]), statement.op, again(statement.value),
        again(statement.otherwise), ranges, statement.scan));
  }
  return pieces;
}

std::vector<GradientStatement>
Replay::pieces(StringSet<> &needed,
               std::vector<std::pair<std::string, std::string>> &scratch) {
  std::vector<GradientStatement> pieces = all();
  std::vector<bool> isKept(pieces.size());
  // A step may need a tensor that a later statement of the previous step
  // writes.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t number = pieces.size(); number-- > 0;) {
      const GradientStatement &piece = pieces[number];
      if (isKept[number] || !needed.contains(piece.writes))
        continue;
      changed = isKept[number] = true;
      for (const auto &read : piece.reads)
        needed.insert(read.getKey());
    }
  }
  std::vector<GradientStatement> kept;
  for (auto [number, piece] : enumerate(pieces))
    if (isKept[number])
      kept.push_back(piece);
  auto declare = [&](const std::string &name, const std::string &signature) {
    if (any_of(kept, [&](const GradientStatement &piece) {
          return piece.writes == name;
        }))
      scratch.emplace_back(name, signature);
  };
  for (const auto *list : {&node.outputs, &node.scratch})
    for (const TensorSignature &tensor : *list)
      declare(names[tensor.name], tensor.kind + sizesText(tensor));
  for (const Copy &copy : copies)
    declare(copy.name, signatureOf(copy));
  return kept;
}
