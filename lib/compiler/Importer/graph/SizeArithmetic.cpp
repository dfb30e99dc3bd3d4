//===- SizeArithmetic.cpp - shapes that depend on a run -------------------===//
// SPDX-License-Identifier: MIT
//
// A node that computes has a formula, which its record gives for sizes, too. A
// node that only moves elements is evaluated on numbers: in the place of each
// length stands a number that no size of a model has, and that comes back as
// the length. A length among the indices of such a node is out of range then,
// and the evaluation fails.
//
//===----------------------------------------------------------------------===//

#include "SizeArithmetic.h"
#include "glow/Base/Status.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Evaluator.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <limits>

using namespace glow;
using namespace mlir;

/// Limit on the elements of a value: no shape and no index has more.
static constexpr int64_t mostElements = 4096;

/// An upper bound of the integers that elements of a kind have exactly; 0 for
/// kinds that no size has. Exporters compute sizes in floats, too.
static int64_t mostOf(ElementKind kind) {
  switch (kind) {
  case ElementKind::I64:
    return int64_t(1) << 61;
  case ElementKind::I32:
    return std::numeric_limits<int32_t>::max();
  case ElementKind::F64:
    return int64_t(1) << 53;
  case ElementKind::F32:
    return int64_t(1) << 24;
  case ElementKind::Bool:
    return 1;
  default:
    return 0;
  }
}
static int64_t mostOf(Type type) {
  std::optional<ElementKind> kind = kindOf(getElementTypeOrSelf(type));
  return kind ? mostOf(*kind) : 0;
}

static bool isList(Type type) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  return mostOf(type) > 0 && !tensor.getEncoding() &&
         tensor.getNumElements() <= mostElements;
}

/// The elements as integers; nothing if an element is not whole.
static std::optional<Ints> numbersIn(ElementsAttr elements) {
  std::optional<ElementKind> kind = kindOf(elements.getElementType());
  if (!kind)
    return std::nullopt;
  TensorBytes bytes = bytesOf(elements);
  return visitKind(*kind, [&]<typename T>(std::type_identity<T>) {
    Ints numbers;
    for (int64_t i = 0, e = elements.getNumElements(); i < e; ++i) {
      T element;
      std::memcpy(&element, bytes.bytes.data() + i * sizeof(T), sizeof(T));
      if (isFloat(*kind)) {
        const auto real = static_cast<double>(element);
        if (std::trunc(real) != real ||
            std::abs(real) > double(mostOf(ElementKind::F64)))
          return std::optional<Ints>();
      }
      numbers.push_back(static_cast<int64_t>(element));
    }
    return std::optional(numbers);
  });
}

/// Integers as the elements of a type.
static DenseElementsAttr elementsFrom(RankedTensorType type,
                                      const Ints &numbers) {
  llvm::SmallVector<Attribute> elements;
  for (int64_t number : numbers)
    elements.push_back(
        type.getElementType().isInteger()
            ? Attribute(IntegerAttr::get(type.getElementType(), number))
            : FloatAttr::get(type.getElementType(), double(number)));
  return DenseElementsAttr::get(type, elements);
}

std::optional<Sizes> SizeArithmetic::elementsOf(Value value) {
  llvm::SmallVector<Value> stack{value};
  while (!stack.empty()) {
    Value next = stack.back();
    if (known.contains(next)) {
      stack.pop_back();
      continue;
    }
    auto result = llvm::dyn_cast<OpResult>(next);
    if (!result || !isList(next.getType())) {
      known[next] = std::nullopt;
      continue;
    }
    const size_t depth = stack.size();
    if (values.unknownSource(next))
      for (Value operand : result.getOwner()->getOperands())
        if (!known.contains(operand))
          stack.push_back(operand);
    if (stack.size() > depth)
      continue;
    known[next] = compute(result);
    stack.pop_back();
  }
  return known[value];
}

/// The elements of all operands of a node; nothing if one is unknown.
std::optional<llvm::SmallVector<Sizes>>
SizeArithmetic::operandsOf(Operation *op) {
  llvm::SmallVector<Sizes> operands;
  for (Value operand : op->getOperands()) {
    const Elements &elements = known[operand];
    if (!elements)
      return std::nullopt;
    operands.push_back(*elements);
  }
  return operands;
}

SizeArithmetic::Elements SizeArithmetic::compute(OpResult result) {
  if (!values.unknownSource(result))
    return numbersOf(result);
  Operation *op = result.getOwner();
  if (auto literal = llvm::dyn_cast<Literal>(op)) {
    // The values are real numbers in the record, as a literal may be of floats.
    return sizesOf(literal.getValuesAttr());
  }
  if (llvm::isa<Cast>(op))
    return converted(result);
  const NodeInfo *info = findNode(op->getName().getStringRef());
  if (!info || op->getNumOperands() == 0)
    return std::nullopt;
  if (!info->onSizes)
    return moved(result);
  auto formula = info->onSizes;
  if (llvm::any_of(op->getOperandTypes(), [](Type type) {
        return llvm::isa<FloatType>(getElementTypeOrSelf(type));
      }))
    formula = info->onWholeReals;
  if (!formula)
    return std::nullopt;
  std::optional<llvm::SmallVector<Sizes>> operands = operandsOf(op);
  if (!operands)
    return std::nullopt;
  Sizes elements;
  for (size_t i = 0; i < operands->front().size(); ++i) {
    llvm::SmallVector<Size> each;
    for (const Sizes &operand : *operands) {
      if (i >= operand.size())
        return std::nullopt;
      each.push_back(operand[i]);
    }
    elements.push_back(formula(each));
    // Beyond that, elements wrap or are rounded.
    const LengthRange range = elements.back().length().range();
    const int64_t most = mostOf(result.getType());
    if (range.low < -most || range.high > most)
      return std::nullopt;
  }
  return elements;
}

/// Elements as another kind that has all of their values.
SizeArithmetic::Elements SizeArithmetic::converted(OpResult result) {
  std::optional<llvm::SmallVector<Sizes>> operands =
      operandsOf(result.getOwner());
  if (!operands)
    return std::nullopt;
  const bool toBool = getElementTypeOrSelf(result.getType()).isInteger(1);
  Sizes elements = operands->front();
  for (Size &element : elements) {
    const LengthRange range = element.length().range();
    const int64_t most = mostOf(result.getType());
    if (toBool && (range.low > 0 || range.high < 0))
      element = 1;
    else if (range.low < (toBool ? 0 : -most) ||
             range.high > (toBool ? 0 : most))
      return std::nullopt;
  }
  return elements;
}

/// The elements of a value that is the same in all runs.
SizeArithmetic::Elements SizeArithmetic::numbersOf(OpResult result) {
  Result<ElementsAttr> value = values.evaluate(result);
  std::optional<Ints> numbers = value ? numbersIn(*value) : std::nullopt;
  return numbers ? Elements(Sizes(*numbers)) : std::nullopt;
}

SizeArithmetic::Elements SizeArithmetic::moved(OpResult result) {
  Operation *op = result.getOwner();
  const NodeEvaluator *evaluator = NodeEvaluator::of(op->getContext());
  std::optional<llvm::SmallVector<Sizes>> operands = operandsOf(op);
  if (!evaluator || !evaluator->moves(op) || !operands)
    return std::nullopt;
  Sizes lengths;
  const Type moves = getElementTypeOrSelf(result.getType());
  llvm::DenseMap<Value, ElementsAttr> numbers;
  const int64_t first = mostOf(result.getType()) / 2;
  for (auto [operand, elements] : llvm::zip(op->getOperands(), *operands)) {
    auto type = llvm::cast<RankedTensorType>(operand.getType());
    Ints list;
    // Elements that no run changes, such as indices, are of any kind.
    if (elements.areFixed() && !values.unknownSource(operand)) {
      Result<ElementsAttr> value = values.evaluate(operand);
      if (!value)
        return std::nullopt;
      numbers[operand] = *value;
      continue;
    }
    for (const Size &element : elements) {
      list.push_back(element.extent());
      if (element.isFixed() && list.back() < first)
        continue;
      if (element.isFixed() || type.getElementType() != moves)
        return std::nullopt;
      list.back() = first + int64_t(lengths.size());
      lengths.push_back(element);
    }
    numbers[operand] = elementsFrom(type, list);
  }
  // A length as an index fails, which is no error of the model.
  ScopedDiagnosticHandler silent(op->getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<llvm::SmallVector<ElementsAttr>> results = evaluator->evaluate(
      op, [&](Value operand) { return numbers.lookup(operand); });
  if (failed(results))
    return std::nullopt;
  std::optional<Ints> places = numbersIn((*results)[result.getResultNumber()]);
  if (!places)
    return std::nullopt;
  Sizes elements;
  for (int64_t place : *places)
    elements.push_back(place >= first ? lengths[size_t(place - first)]
                                      : Size(place));
  return elements;
}
