//===- Compute.cpp - accesses of index notation ---------------------------===//
// SPDX-License-Identifier: MIT
//
// Two sizes are the same when the signature writes them in the same way. Any
// other equality depends on the model.
//
//===----------------------------------------------------------------------===//

#include "Model/node/Compute.h"
#include "Expr/Parser.h"
#include "Model/node/Present.h"
#include "Model/node/Scans.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace glow::gen;
using namespace llvm;

const TensorSignature *glow::gen::tensorOf(const NodeModel &node,
                                           const ExprPtr &expr) {
  if (expr->kind != Expr::Kind::Subscript ||
      expr->children[0]->kind != Expr::Kind::Name)
    return nullptr;
  StringRef name = expr->children[0]->text;
  const TensorSignature *input = node.findInput(name);
  return input ? input : node.findWritten(name);
}

StringRef glow::gen::computedKind(const NodeModel &node) {
  StringRef result = node.outputs[0].kind;
  if (isUpper(result[0]) || node.findAttribute(result))
    return result;
  for (const TensorSignature &input : node.inputs)
    if (isUpper(input.kind[0]))
      return input.kind;
  return "";
}

void glow::gen::forEachElement(const NodeModel &node, const ExprPtr &expr,
                               function_ref<void(const ExprPtr &)> visit) {
  if (!expr)
    return;
  if (tensorOf(node, expr))
    visit(expr);
  for (const ExprPtr &child : expr->children)
    forEachElement(node, child, visit);
}

bool glow::gen::readsTensor(const NodeModel &node, const ExprPtr &expr,
                            const TensorSignature &tensor) {
  bool found = false;
  forEachElement(node, expr, [&](const ExprPtr &element) {
    found |= tensorOf(node, element) == &tensor;
  });
  return found;
}

const TensorSignature *glow::gen::listOf(const NodeModel &node,
                                         const Statement &statement) {
  const TensorSignature *result = tensorOf(node, statement.targets[0]);
  if (result->variadic)
    return result;
  for (const TensorSignature &input : node.inputs)
    if (input.variadic && readsTensor(node, statement.value, input))
      return &input;
  return nullptr;
}

std::vector<const TensorSignature *>
glow::gen::optionalReads(const NodeModel &node, const Statement &statement) {
  std::vector<const TensorSignature *> reads;
  for (const TensorSignature &input : node.inputs)
    if (input.optional && !is_contained(statement.present, input.name) &&
        any_of(readBy(statement), [&](const ExprPtr &read) {
          return readsWithoutAsking(node, read, input);
        }))
      reads.push_back(&input);
  return reads;
}

const Expr *glow::gen::indexIn(const NodeModel &node,
                               const ExprPtr &subscript) {
  const ExprPtr &value = subscript->kind == Expr::Kind::Spread
                             ? subscript->children[0]
                             : subscript;
  bool isIndex = value->kind == Expr::Kind::Name &&
                 !node.findAttribute(value->text) &&
                 !StringRef(value->text).contains('(');
  return isIndex ? value.get() : nullptr;
}

StringSet<> glow::gen::indicesOf(const NodeModel &node,
                                 const Statement &statement) {
  StringSet<> indices;
  auto add = [&](const ExprPtr &element) {
    for (const ExprPtr &subscript : drop_begin(element->children))
      if (const Expr *index = indexIn(node, subscript))
        indices.insert(index->text);
  };
  forEachElement(node, statement.targets[0], add);
  forEachElement(node, statement.value, add);
  for (const IndexRange &range : statement.ranges)
    indices.insert(range.name);
  if (statement.scan)
    indices.insert(statement.scan->index);
  return indices;
}

Scope glow::gen::elementScope(const NodeModel &node,
                              const Statement &statement) {
  Scope scope = node.scope("");
  auto add = [&](const ExprPtr &element) {
    for (const ExprPtr &subscript : drop_begin(element->children))
      if (const Expr *index = indexIn(node, subscript))
        scope.define(index->text,
                     subscript->kind == Expr::Kind::Spread ? Type::Ints
                                                           : Type::Int,
                     index->text);
  };
  forEachElement(node, statement.targets[0], add);
  forEachElement(node, statement.value, add);
  for (const IndexRange &range : statement.ranges)
    scope.define(range.name, range.spread ? Type::Ints : Type::Int, range.name);
  if (statement.scan) {
    scope.define(statement.scan->index, Type::Int, statement.scan->index);
    scope.define(stepsName(*statement.scan), Type::Int, "");
  }
  if (listOf(node, statement))
    for (StringRef name : {"before", "each"})
      scope.define(name, Type::Int, name);
  return scope;
}

static std::optional<std::string> sizeText(const Dimension &dim) {
  if (!dim.value)
    return std::nullopt;
  bool list = dim.form == Dimension::Form::Rest;
  bool each = dim.form == Dimension::Form::Each;
  return (list ? "*" : "") + textOf(dim.value) + (each ? "..." : "");
}

/// The sizes of a tensor all of whose subscripts are in one list.
static std::optional<std::string> allSizes(const TensorSignature &tensor) {
  std::string text;
  for (const Dimension &dim : tensor.dims) {
    std::optional<std::string> size = sizeText(dim);
    if (!size)
      return std::nullopt;
    text += (text.empty() ? "" : ", ") + *size;
  }
  return text;
}

std::optional<std::string> glow::gen::sizeAt(const TensorSignature &tensor,
                                             const ExprPtr &element,
                                             size_t place) {
  auto subscripts = ArrayRef<ExprPtr>(element->children).drop_front();
  if (subscripts.size() == 1 && subscripts[0]->kind == Expr::Kind::Spread)
    return allSizes(tensor);
  if (subscripts.size() != tensor.dims.size())
    return std::nullopt;
  return sizeText(tensor.dims[place]);
}

bool glow::gen::mayLeadOutside(const NodeModel &node,
                               const Statement &statement,
                               const ExprPtr &element, size_t place) {
  std::optional<std::string> size =
      sizeAt(*tensorOf(node, element), element, place);
  int64_t number, count;
  if (element->children[place + 1]->kind == Expr::Kind::Integer && size &&
      to_integer(element->children[place + 1]->text, number) &&
      to_integer(*size, count))
    return number >= count;
  const Expr *index = indexIn(node, element->children[place + 1]);
  if (!index)
    return true;
  if (statement.scan && statement.scan->isGiven &&
      index->text == statement.scan->index)
    return sizeAt(*tensorOf(node, element), element, place) !=
           textOf(statement.scan->extent);
  const IndexRange *range = rangeOf(statement, index->text);
  return range && sizeAt(*tensorOf(node, element), element, place) !=
                      (range->spread ? "*" : "") + textOf(range->extent);
}

ExprPtr glow::gen::extentIn(const NodeModel &node, const ExprPtr &expr,
                            StringRef index) {
  ExprPtr extent;
  forEachElement(node, expr, [&](const ExprPtr &element) {
    const TensorSignature &tensor = *tensorOf(node, element);
    size_t count = element->children.size() - 1;
    for (size_t place = 0; place < count; ++place)
      if (!extent && element->children[place + 1]->isName(index) &&
          count == tensor.dims.size() &&
          tensor.dims[place].form == Dimension::Form::Size)
        extent = tensor.dims[place].value;
  });
  return extent;
}

void glow::gen::resolveRanges(const NodeModel &node, Statement &statement) {
  for (IndexRange &range : statement.ranges) {
    for (const ExprPtr &expr : {statement.targets[0], statement.value})
      if (!range.extent)
        range.extent = extentIn(node, expr, range.name);
    if (!range.extent)
      fatalAt(range.at, node.record,
              "index '" + range.name +
                  "' stands nowhere by itself, where a size would be its own; "
                  "'over " +
                  range.name + " < size' gives it one beside its bounds");
  }
}

std::string glow::gen::textOf(const IndexRange &range) {
  std::string text =
      (range.spread ? "*" : "") + range.name + " < " + textOf(range.extent);
  if (range.hasBounds())
    text += ", " + textOf(range.low) + " <= " + range.name + " < " +
            textOf(range.high);
  return text;
}

static bool isGuard(const NodeModel &node, const Statement &statement,
                    const ExprPtr &element) {
  bool outside = false, byData = false;
  for (size_t place = 0; place + 1 < element->children.size(); ++place) {
    outside |= mayLeadOutside(node, statement, element, place);
    forEachElement(node, element->children[place + 1],
                   [&](const ExprPtr &) { byData = true; });
  }
  return outside && !byData;
}

void glow::gen::forEachGuard(const NodeModel &node, const Statement &statement,
                             const ExprPtr &expr,
                             function_ref<void(const ExprPtr &)> visit) {
  if (tensorOf(node, expr)) {
    if (isGuard(node, statement, expr))
      visit(expr);
    return;
  }
  bool chooses = expr->kind == Expr::Kind::Call && expr->text == "if";
  for (const ExprPtr &child :
       ArrayRef(expr->children).take_front(chooses ? 1 : SIZE_MAX))
    forEachGuard(node, statement, child, visit);
}

bool glow::gen::coversResult(const NodeModel &node,
                             const Statement &statement) {
  const ExprPtr &target = statement.targets[0];
  StringSet<> indices;
  for (size_t place = 0; place + 1 < target->children.size(); ++place) {
    const Expr *index = indexIn(node, target->children[place + 1]);
    if (!index || mayLeadOutside(node, statement, target, place) ||
        !indices.insert(index->text).second)
      return false;
    const IndexRange *range = rangeOf(statement, index->text);
    if (range && range->hasBounds())
      return false;
  }
  return true;
}

std::vector<Summed> glow::gen::summedIndices(const NodeModel &node,
                                             const Statement &statement) {
  std::vector<Summed> result;
  auto add = [&](StringRef name, bool list, const char *at) {
    bool known =
        mentions(statement.targets[0], name) ||
        (statement.scan && statement.scan->index == name) ||
        any_of(result, [&](const Summed &other) { return other.name == name; });
    if (!known)
      result.push_back({name.str(), list, at});
  };
  for (const IndexRange &range : statement.ranges)
    add(range.name, range.spread, range.at);
  forEachElement(node, statement.value, [&](const ExprPtr &element) {
    for (const ExprPtr &subscript : drop_begin(element->children))
      if (const Expr *index = indexIn(node, subscript))
        add(index->text, subscript->kind == Expr::Kind::Spread, index->at);
  });
  return result;
}
