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

using namespace glow;
using namespace mlir;

/// Limit on the elements of a value: no shape and no index has more.
static constexpr int64_t mostElements = 4096;

static bool isList(Type type) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  return tensor.getElementType().isIntOrIndex() && !tensor.getEncoding() &&
         tensor.getNumElements() <= mostElements;
}

static std::optional<Ints> numbersIn(ElementsAttr elements) {
  std::optional<ElementKind> kind = kindOf(elements.getElementType());
  if (!kind || isFloat(*kind))
    return std::nullopt;
  TensorBytes bytes = bytesOf(elements);
  return visitKind(*kind, [&]<typename T>(std::type_identity<T>) {
    Ints numbers;
    for (int64_t i = 0, e = elements.getNumElements(); i < e; ++i) {
      T element;
      std::memcpy(&element, bytes.bytes.data() + i * sizeof(T), sizeof(T));
      numbers.push_back(static_cast<int64_t>(element));
    }
    return std::optional(numbers);
  });
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
  const NodeInfo *info = findNode(op->getName().getStringRef());
  if (!info || op->getNumOperands() == 0)
    return std::nullopt;
  if (!info->onSizes)
    return moved(result);
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
    elements.push_back(info->onSizes(each));
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
  llvm::DenseMap<Value, ElementsAttr> numbers;
  constexpr int64_t first = int64_t(1) << 60;
  for (auto [operand, elements] : llvm::zip(op->getOperands(), *operands)) {
    auto type = llvm::cast<RankedTensorType>(operand.getType());
    Ints list;
    for (const Size &element : elements) {
      list.push_back(element.extent());
      if (element.isFixed())
        continue;
      if (!type.getElementType().isInteger(64))
        return std::nullopt;
      list.back() = first + int64_t(lengths.size());
      lengths.push_back(element);
    }
    if (!type.getElementType().isInteger(64)) {
      Result<ElementsAttr> value = values.evaluate(operand);
      if (!value)
        return std::nullopt;
      numbers[operand] = *value;
      continue;
    }
    numbers[operand] =
        DenseElementsAttr::get(type, llvm::ArrayRef<int64_t>(list));
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
