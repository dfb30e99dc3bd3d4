//===- Sequences.cpp - sequences of known tensors -------------------------===//
// SPDX-License-Identifier: MIT
//
// A sequence whose length is known when the model is imported needs no node: an
// operator that reads an element reads the tensor itself. The sequence is a
// cast of its tensors to a tuple. The cast has no users when the import ends.
// A loop may append to a sequence in each trip: its body has a sequence of the
// elements of one trip. All other sequences are values of the host.
//
//===----------------------------------------------------------------------===//

#include "Sequences.h"
#include "ModuleStorage.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "rows/ImportRegistry.h"
#include <limits>

using namespace glow;
using namespace mlir;

using Values = llvm::SmallVector<Value>;

bool glow::isSequence(Value value) {
  return value && llvm::isa<TupleType>(value.getType());
}

/// Attributes of the cast of a sequence: the kind of its elements, and for
/// those that a trip appends a mark, which is another one for each sequence.
static constexpr llvm::StringLiteral kindAttribute = "kind",
                                     appendedAttribute = "appended";

/// Makes a sequence of elements of one kind, by default that of the first.
static FailureOr<UnrealizedConversionCastOp>
makeSequence(ImportContext &context, ValueRange elements, Type kind) {
  if (!kind && !elements.empty())
    kind = kindOfElements(elements.front());
  for (Value element : elements)
    if (kindOfElements(element) != kind)
      return context.fail("an element is " + typeText(element.getType()) +
                          ", but the sequence is for " +
                          std::string(name(*kindOf(kind))));
  auto type =
      TupleType::get(context.builder().getContext(), TypeRange(elements));
  auto made = UnrealizedConversionCastOp::create(
      context.builder(), context.location(), type, elements);
  if (kind)
    made->setAttr(kindAttribute, TypeAttr::get(kind));
  return made;
}

LogicalResult glow::setSequence(ImportContext &context, ValueRange elements,
                                Type kind, unsigned output) {
  auto made = makeSequence(context, elements, kind);
  if (succeeded(made))
    context.setOutput(output, made->getResult(0));
  return made;
}

static UnrealizedConversionCastOp castOf(Value sequence) {
  return sequence.getDefiningOp<UnrealizedConversionCastOp>();
}

Type glow::kindOfSequence(Value sequence) {
  auto kind = castOf(sequence)->getAttrOfType<TypeAttr>(kindAttribute);
  return kind ? kind.getValue() : Type();
}

Values glow::elementsIn(Value sequence) {
  return Values(castOf(sequence).getInputs());
}

Value glow::startAppending(ImportContext &context, Type kind) {
  auto made = makeSequence(context, {}, kind);
  auto mark = UnitAttr::get(context.builder().getContext());
  (*made)->setAttr(appendedAttribute, DistinctAttr::create(mark));
  return made->getResult(0);
}

bool glow::isAppended(Value value) {
  return isSequence(value) && castOf(value)->hasAttr(appendedAttribute);
}
bool glow::isAppendedTo(Value value, Value start) {
  return isAppended(value) && castOf(value)->getAttr(appendedAttribute) ==
                                  castOf(start)->getAttr(appendedAttribute);
}

FailureOr<Value> glow::appendAll(ImportContext &context, Value sequence,
                                 ValueRange elements) {
  Values all = elementsIn(sequence);
  llvm::append_range(all, elements);
  auto made = makeSequence(context, all, kindOfSequence(sequence));
  if (failed(made))
    return mlir::failure();
  if (Attribute mark = castOf(sequence)->getAttr(appendedAttribute))
    (*made)->setAttr(appendedAttribute, mark);
  return made->getResult(0);
}

/// The tensors of a sequence.
static FailureOr<Values> tensorsIn(ImportContext &context, Value sequence) {
  if (isAppended(sequence))
    return context.leaveToHost("a loop carries the sequence");
  return elementsIn(sequence);
}

/// The tensors of the sequence that is input 0.
static FailureOr<Values> tensorsIn(ImportContext &context) {
  if (isSequence(context.input(0)))
    return tensorsIn(context, context.input(0));
  return context.fail("input 0 is " + typeText(context.input(0).getType()) +
                      ", but should be a sequence");
}

/// Fails unless input `index` is a tensor, as an element is.
static LogicalResult checkElement(ImportContext &context, unsigned index) {
  return context.input(index) && !isSequence(context.input(index))
             ? success()
             : context.fail("input " + Twine(index) + " should be a tensor");
}

/// Leaves a node to the host whose sequence, or position in it, only a run
/// gives.
static bool isOfHost(ImportContext &context, unsigned position) {
  return !context.isWholeModel() ||
         (context.input(position) &&
          !context.isConstant(context.input(position)));
}

/// The position in input `index`; negative ones count from the end. `missing`
/// if it is absent.
static FailureOr<size_t> positionOf(ImportContext &context, unsigned index,
                                    size_t size, size_t missing,
                                    int64_t greatest) {
  if (!context.input(index))
    return missing;
  FailureOr<Sizes> given =
      context.constantSizes(context.input(index), "position");
  if (failed(given))
    return failure();
  if (given->size() != 1 || !given->front().isFixed())
    return context.fail("the position should be one number");
  const int64_t position = given->front().extent();
  const int64_t found = position < 0 ? position + int64_t(size) : position;
  if (found < 0 || found > greatest)
    return context.fail("position is " + Twine(position) +
                        ", but the sequence has " + Twine(size) + " elements");
  return size_t(found);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static LogicalResult importEmpty(ImportContext &context) {
  const int64_t kind =
      context.intAttribute("dtype", onnxDataType(ElementKind::F32));
  if (!context.isWholeModel() || !elementKindOfOnnx(kind))
    return context.leaveToHost();
  return setSequence(
      context, {},
      typeOf(context.builder().getContext(), *elementKindOfOnnx(kind)));
}

static LogicalResult importConstruct(ImportContext &context) {
  if (!context.isWholeModel())
    return context.leaveToHost();
  Values elements = context.inputsFrom(0);
  for (unsigned i = 0; i < elements.size(); ++i)
    if (failed(checkElement(context, i)))
      return failure();
  return setSequence(context, elements);
}

/// Appends an element in a trip.
static LogicalResult append(ImportContext &context) {
  if (context.input(2))
    return context.leaveToHost("a loop carries the sequence");
  if (failed(checkElement(context, 1)))
    return failure();
  FailureOr<Value> made =
      appendAll(context, context.input(0), context.input(1));
  if (succeeded(made))
    context.setOutput(0, *made);
  return made;
}

static LogicalResult importInsert(ImportContext &context) {
  if (isAppended(context.input(0)))
    return append(context);
  if (isOfHost(context, 2))
    return context.leaveToHost();
  FailureOr<Values> elements = tensorsIn(context);
  if (failed(elements) || failed(checkElement(context, 1)))
    return failure();
  const size_t size = elements->size();
  FailureOr<size_t> at = positionOf(context, 2, size, size, int64_t(size));
  if (failed(at))
    return failure();
  elements->insert(elements->begin() + *at, context.input(1));
  return setSequence(context, *elements, kindOfSequence(context.input(0)));
}

namespace {
/// The sequence that is input 0, and the position of one of its elements.
struct Element {
  Values all;
  size_t at;
};
} // namespace

/// The element that input 1 selects, by default the last.
static FailureOr<Element> elementOf(ImportContext &context) {
  if (isOfHost(context, 1))
    return context.leaveToHost();
  FailureOr<Values> all = tensorsIn(context);
  if (failed(all))
    return failure();
  const size_t size = all->size();
  if (size == 0)
    return context.fail("the sequence is empty");
  FailureOr<size_t> at =
      positionOf(context, 1, size, size - 1, int64_t(size) - 1);
  if (failed(at))
    return failure();
  return Element{std::move(*all), *at};
}

static LogicalResult importErase(ImportContext &context) {
  FailureOr<Element> element = elementOf(context);
  if (failed(element))
    return failure();
  element->all.erase(element->all.begin() + element->at);
  return setSequence(context, element->all, kindOfSequence(context.input(0)));
}

static LogicalResult importAt(ImportContext &context) {
  FailureOr<Element> element = elementOf(context);
  if (failed(element))
    return failure();
  context.setOutput(0, element->all[element->at]);
  return success();
}

static LogicalResult importLength(ImportContext &context) {
  if (!context.isWholeModel())
    return context.leaveToHost();
  FailureOr<Values> elements = tensorsIn(context);
  if (failed(elements))
    return failure();
  auto type = RankedTensorType::get({}, context.builder().getIntegerType(64));
  context.setOutput(
      0, context.constant(
             DenseElementsAttr::get(type, ArrayRef(int64_t(elements->size()))),
             "length"));
  return success();
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

/// The axis in an attribute, counted from 0.
static FailureOr<int64_t> axisOf(ImportContext &context, int64_t missing,
                                 int64_t rank) {
  FailureOr<Sizes> axes =
      context.axesOf(Sizes(Ints{context.intAttribute("axis", missing)}), rank);
  if (failed(axes))
    return failure();
  return axes->front().extent();
}

/// The sizes of the parts, of which each number but the last one is given.
static FailureOr<Ints> partsOf(ImportContext &context, int64_t size) {
  if (!context.input(1))
    return Ints(size_t(size), 1);
  FailureOr<Sizes> split = context.constantSizes(context.input(1), "split");
  if (failed(split))
    return failure();
  Ints parts;
  if (rankOf(context.input(1)) > 0) {
    int64_t sum = 0;
    for (const Size &part : *split) {
      parts.push_back(part.extent());
      sum += part.extent();
    }
    if (sum != size ||
        llvm::any_of(parts, [](int64_t part) { return part < 0; }))
      return context.fail("split has sizes with the sum " + Twine(sum) +
                          ", but the axis has " + Twine(size) + " elements");
    return parts;
  }
  const int64_t part = split->front().extent();
  if (part < 1)
    return context.fail("split is " + Twine(part) +
                        ", but should be at least 1");
  for (int64_t at = 0; at < size; at += part)
    parts.push_back(std::min(part, size - at));
  return parts;
}

static LogicalResult importSplit(ImportContext &context) {
  Value input = context.input(0);
  if (isOfHost(context, 1))
    return context.leaveToHost();
  if (failed(checkElement(context, 0)))
    return failure();
  FailureOr<int64_t> axis = axisOf(context, 0, rankOf(input));
  if (failed(axis))
    return failure();
  const Sizes shape = shapeOf(input);
  if (!shape[size_t(*axis)].isFixed())
    return context.leaveToHost("a run gives the number of its tensors");
  const int64_t size = shape[size_t(*axis)].extent();
  FailureOr<Ints> parts = partsOf(context, size);
  if (failed(parts))
    return failure();
  if (int64_t(parts->size()) > mostElements)
    return context.leaveToHost("it makes " + Twine(parts->size()) + " tensors");
  const bool isDropped =
      !context.input(1) && context.intAttribute("keepdims", 1) == 0;
  Values elements;
  Ints starts(shape.size());
  for (int64_t part : *parts) {
    Sizes sizes = shape;
    sizes[size_t(*axis)] = part;
    Value element = createSlice(context.builder(), context.location(), input,
                                starts, Ints(shape.size(), 1), sizes);
    if (isDropped) {
      sizes.erase(sizes.begin() + *axis);
      element =
          createReshape(context.builder(), context.location(), element, sizes);
    }
    elements.push_back(element);
    starts[size_t(*axis)] += part;
  }
  return setSequence(context, elements);
}

static LogicalResult importConcat(ImportContext &context) {
  if (!context.isWholeModel())
    return context.leaveToHost();
  FailureOr<Values> elements = tensorsIn(context);
  if (failed(elements))
    return failure();
  if (elements->empty())
    return context.fail("the sequence is empty");
  const bool isNew = context.intAttribute("new_axis", 0) != 0;
  const int64_t rank = rankOf(elements->front()) + isNew;
  FailureOr<int64_t> axis = axisOf(context, 0, rank);
  if (failed(axis))
    return failure();
  for (Value &element : *elements) {
    if (rankOf(element) + isNew != rank)
      return context.fail("an element of the sequence is " +
                          typeText(element.getType()) + ", but the first is " +
                          typeText(elements->front().getType()));
    if (!isNew)
      continue;
    Sizes sizes = shapeOf(element);
    sizes.insert(sizes.begin() + *axis, Size(1));
    element =
        createReshape(context.builder(), context.location(), element, sizes);
  }
  context.setOutput(
      0, createConcat(context.builder(), context.location(), *elements, *axis));
  return success();
}

/// Imports the graph once for each element.
static LogicalResult importMap(ImportContext &context) {
  if (!context.isWholeModel())
    return context.leaveToHost();
  FailureOr<Values> first = tensorsIn(context);
  if (failed(first))
    return failure();
  if (int64_t(first->size()) > mostElements)
    return context.leaveToHost("it has " + Twine(first->size()) + " elements");
  std::vector<Values> results(context.outputs());
  for (size_t i = 0; i < first->size(); ++i) {
    Values arguments;
    for (Value input : context.inputsFrom(0)) {
      FailureOr<Values> found =
          isSequence(input) ? tensorsIn(context, input) : Values{input};
      if (failed(found))
        return failure();
      const Values &all = *found;
      if (isSequence(input) && all.size() != first->size())
        return context.fail("its sequences have " + Twine(first->size()) +
                            " and " + Twine(all.size()) + " elements");
      arguments.push_back(isSequence(input) ? all[i] : input);
    }
    FailureOr<Values> made = context.inlineGraph("body", arguments);
    if (failed(made))
      return failure();
    if (made->size() != results.size())
      return context.fail("graph 'body' has " + Twine(made->size()) +
                          " outputs, but the node lists " +
                          Twine(results.size()));
    for (auto [list, element] : llvm::zip_equal(results, *made))
      list.push_back(element);
  }
  for (auto [index, list] : llvm::enumerate(results))
    if (failed(setSequence(context, list, {}, unsigned(index))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

std::span<const ImportEntry> glow::sequenceImports() {
  static constexpr unsigned anyNumber = std::numeric_limits<unsigned>::max();
  static constexpr const char *tensors[] = {"inputs..."};
  static constexpr const char *insert[] = {"input_sequence", "tensor",
                                           "position?"};
  static constexpr const char *erase[] = {"input_sequence", "position?"};
  static constexpr const char *at[] = {"input_sequence", "position"};
  static constexpr const char *sequence[] = {"input_sequence"};
  static constexpr const char *split[] = {"input", "split?"};
  static constexpr const char *several[] = {"input_sequence",
                                            "additional_inputs..."};
  static constexpr const char *bodies[] = {"body"};
  static constexpr const char *kind[] = {"dtype"};
  static constexpr const char *ofSplit[] = {"axis", "keepdims"};
  static constexpr const char *ofConcat[] = {"axis", "new_axis"};
  static const std::vector<ImportEntry> entries = [] {
    std::vector<ImportEntry> rows = {
        {"ai.onnx", "SequenceEmpty", 11, importEmpty, {}, kind, 0, 0, 1},
        {"ai.onnx",
         "SequenceConstruct",
         11,
         importConstruct,
         tensors,
         {},
         1,
         anyNumber,
         1},
        {"ai.onnx", "SequenceInsert", 11, importInsert, insert, {}, 2, 3, 1},
        {"ai.onnx", "SequenceErase", 11, importErase, erase, {}, 1, 2, 1},
        {"ai.onnx", "SequenceAt", 11, importAt, at, {}, 2, 2, 1},
        {"ai.onnx", "SequenceLength", 11, importLength, sequence, {}, 1, 1, 1},
        {"ai.onnx", "SplitToSequence", 11, importSplit, split, ofSplit, 1, 2,
         1},
        {"ai.onnx", "ConcatFromSequence", 11, importConcat, sequence, ofConcat,
         1, 1, 1},
        {"ai.onnx", "SequenceMap", 17, importMap, several, bodies, 1, anyNumber,
         anyNumber}};
    for (ImportEntry &row : rows)
      row.takesSequences = true;
    return rows;
  }();
  return entries;
}
