//===- ImportContext.cpp - import of one node -----------------------------===//
// SPDX-License-Identifier: MIT
//
// The queries that the code of an import record may make about its node. A
// query without an answer returns a neutral value and notes the reason: the
// record goes on, and the node is refused at its end.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "file/Tensors.h"
#include "glow/Base/Functions/Lists.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Shape.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cstring>
#include <utility>

using namespace glow;
using namespace mlir;
using llvm::StringRef;

ImportContext::ImportContext(GraphImporter &importer, ImportScope &scope,
                             const onnx::NodeProto &node,
                             const ImportEntry &entry, int64_t opset,
                             Location location)
    : importer(importer), scope(scope), node(node), entry(entry),
      theOpset(opset), theLocation(location),
      results(unsigned(node.output_size())) {}

OpBuilder &ImportContext::builder() { return importer.storage.builder(); }
Location ImportContext::location() { return theLocation; }
int64_t ImportContext::opset() { return theOpset; }

/// The seed of a random node for which the model has none. It is the same in
/// each run and on each machine, and differs between nodes.
int64_t ImportContext::nodeNumber() {
  uint32_t hash = 2166136261u; // FNV-1a
  for (unsigned char c : nodeName(node))
    hash = (hash ^ c) * 16777619u;
  return hash;
}

/// Keeps only the first reason: later failures may be its consequence.
LogicalResult ImportContext::fail(const Twine &why) {
  if (reason.empty())
    reason = why.str();
  return mlir::failure();
}

Type glow::onnxElementKind(ImportContext &context, int64_t dataType) {
  Result<ElementKind> kind =
      kindOfDataType(int32_t(std::clamp<int64_t>(dataType, -1, 1 << 30)));
  if (kind)
    return typeOf(context.builder().getContext(), *kind);
  (void)context.fail("its output " + kind.status().message());
  return Type();
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

Value ImportContext::input(unsigned index) {
  return index < inputs.size() ? inputs[index] : Value();
}

llvm::SmallVector<Value> ImportContext::inputsFrom(unsigned index) {
  return llvm::SmallVector<Value>(
      ArrayRef(inputs).drop_front(std::min<size_t>(index, inputs.size())));
}

unsigned ImportContext::outputs() { return unsigned(node.output_size()); }

bool ImportContext::wantsOutput(unsigned index) {
  return index < outputs() && scope.used.contains(node.output(int(index)));
}

void ImportContext::setOutput(unsigned index, Value value) {
  // A record sets all its results; a node may list fewer.
  if (index < results.size())
    results[index] = value;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The type of an attribute; in models of the first version, the type follows
/// from the value.
static int attributeType(const onnx::AttributeProto &attribute) {
  using onnx::AttributeProto;
  if (attribute.has_type() && attribute.type() != AttributeProto::UNDEFINED)
    return attribute.type();
  return attribute.has_f()          ? AttributeProto::FLOAT
         : attribute.has_i()        ? AttributeProto::INT
         : attribute.has_s()        ? AttributeProto::STRING
         : attribute.has_t()        ? AttributeProto::TENSOR
         : attribute.has_g()        ? AttributeProto::GRAPH
         : attribute.floats_size()  ? AttributeProto::FLOATS
         : attribute.strings_size() ? AttributeProto::STRINGS
                                    : AttributeProto::INTS;
}

static const char *wordFor(int type) {
  constexpr const char *words[] = {"nothing",
                                   "a real number",
                                   "an integer",
                                   "a text",
                                   "a tensor",
                                   "a graph",
                                   "a list of reals",
                                   "a list of integers",
                                   "a list of texts",
                                   "a list of tensors",
                                   "a list of graphs",
                                   "a sparse tensor",
                                   "a list of sparse tensors",
                                   "a type",
                                   "a list of types"};
  return type >= 0 && type < int(std::size(words)) ? words[type]
                                                   : "of an unknown type";
}

const onnx::AttributeProto *ImportContext::attribute(StringRef name, int type) {
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.name() != name)
      continue;
    if (attribute.has_ref_attr_name())
      (void)fail("attribute '" + name +
                 "' refers to one of a function around "
                 "the node, and there is none");
    // The default is not used: a value of another type is deliberate.
    else if (int found = attributeType(attribute); found != type)
      (void)fail("attribute '" + name + "' is " + wordFor(found) + ", but " +
                 wordFor(type) + " is wanted");
    else
      return &attribute;
  }
  return nullptr;
}

bool ImportContext::hasAttribute(StringRef name) {
  return llvm::any_of(node.attribute(), [&](auto &attribute) {
    return attribute.name() == name;
  });
}

int64_t ImportContext::intAttribute(StringRef name, int64_t missing) {
  auto *found = attribute(name, onnx::AttributeProto::INT);
  return found ? found->i() : missing;
}

/// Whether the attribute is of `type`.
static bool isOf(const onnx::NodeProto &node, StringRef name, int type) {
  return llvm::any_of(node.attribute(), [&](auto &attribute) {
    return attribute.name() == name && attribute.type() == type;
  });
}

// In operators of Caffe2, integers stand for real numbers as well.
double ImportContext::realAttribute(StringRef name, double missing) {
  if (entry.domain == StringRef(caffe2Domain) &&
      isOf(node, name, onnx::AttributeProto::INT))
    return double(intAttribute(name, 0));
  auto *found = attribute(name, onnx::AttributeProto::FLOAT);
  return found ? double(found->f()) : missing;
}

std::string ImportContext::textAttribute(StringRef name, StringRef missing) {
  auto *found = attribute(name, onnx::AttributeProto::STRING);
  return found ? found->s() : missing.str();
}

std::string ImportContext::textsAttribute(StringRef name, StringRef missing) {
  auto *found = attribute(name, onnx::AttributeProto::STRINGS);
  return found ? llvm::join(found->strings(), ",") : missing.str();
}

Ints ImportContext::intsAttribute(StringRef name, Ints missing) {
  auto *found = attribute(name, onnx::AttributeProto::INTS);
  return found ? Ints(found->ints().begin(), found->ints().end()) : missing;
}

Reals ImportContext::realsAttribute(StringRef name, Reals missing) {
  if (entry.domain == StringRef(caffe2Domain) &&
      isOf(node, name, onnx::AttributeProto::INTS)) {
    Ints list = intsAttribute(name, {});
    return Reals(list.begin(), list.end());
  }
  auto *found = attribute(name, onnx::AttributeProto::FLOATS);
  return found ? Reals(found->floats().begin(), found->floats().end())
               : missing;
}

FailureOr<llvm::SmallVector<Value>> ImportContext::valuesNamed(StringRef name) {
  readsMore = true;
  llvm::SmallVector<Value> values;
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.name() != name)
      continue;
    std::vector<std::string> names(attribute.strings().begin(),
                                   attribute.strings().end());
    if (attribute.has_s())
      names.push_back(attribute.s());
    for (const std::string &each : names) {
      values.push_back(importer.valueOf(scope, each));
      if (!values.back())
        return fail("attribute '" + name + "' names '" + each +
                    "', which is no value here");
    }
  }
  return values;
}

Value ImportContext::tensorAttribute(StringRef name) {
  auto *found = attribute(name, onnx::AttributeProto::TENSOR);
  if (!found)
    return Value();
  Result<Value> value = importer.constantOf(found->t(), nodeName(node));
  if (value)
    return *value;
  (void)fail("attribute '" + name + "' " + value.status().message());
  return Value();
}

//===----------------------------------------------------------------------===//
// Values known now
//===----------------------------------------------------------------------===//

Value ImportContext::constant(ElementsAttr value, StringRef hint) {
  return importer.storage.addConstant(hint, value);
}

bool ImportContext::isConstant(Value value) {
  return value && importer.values.isConstant(value);
}

/// The name of an operation in the model.
static std::string modelName(Operation *op) {
  auto named = llvm::dyn_cast<NameLoc>(op->getLoc());
  std::string name = named ? named.getName().str() : "?";
  return (llvm::isa<ReadOp>(op) ? "input '" : "node '") + name + "'";
}

FailureOr<ElementsAttr> ImportContext::constantTensor(Value value,
                                                      StringRef inputName) {
  std::string start = "input '" + inputName.str() + "' ";
  if (!value)
    return fail(start + "is missing");
  start += "must be known when the model is compiled, but ";
  if (Operation *source = importer.values.unknownSource(value)) {
    // A run may supply the value, so a later stage can resolve the failure.
    ++importer.unknownValues;
    return fail(start + "it depends on " + modelName(source));
  }
  Result<ElementsAttr> known = importer.values.evaluate(value);
  if (!known)
    return fail(start + known.status().message());
  return *known;
}

FailureOr<Sizes> ImportContext::axesOf(const Sizes &axes, int64_t rank) {
  Sizes wrapped = expr::wrapAxes(axes, rank);
  if (expr::distinct(wrapped) && expr::allAtLeast(wrapped, 0) &&
      expr::allBelow(wrapped, rank))
    return wrapped;
  return fail("axes " + valueText(axes) + " must be different ones of the " +
              Twine(rank) + " there are");
}

LogicalResult ImportContext::checkWord(StringRef name, StringRef value,
                                       llvm::ArrayRef<StringRef> words) {
  if (llvm::is_contained(words, value))
    return success();
  return fail("attribute '" + name + "' is '" + value + "', but should be " +
              llvm::join(words.drop_back(), ", ") + " or " + words.back());
}

/// The elements as a list; nullopt when the list is of integers and the
/// elements are real.
template <typename To>
static std::optional<std::vector<To>> listOf(ElementsAttr elements) {
  std::optional<ElementKind> kind = kindOf(elements.getElementType());
  if (!kind || (std::is_integral_v<To> && isFloat(*kind)))
    return std::nullopt;
  TensorBytes bytes = bytesOf(elements);
  return visitKind(*kind, [&]<typename From>(std::type_identity<From>) {
    std::vector<To> list;
    for (int64_t i = 0, e = elements.getNumElements(); i < e; ++i) {
      From element; // the bytes of a small attribute may be at any address
      std::memcpy(&element, bytes.bytes.data() + i * sizeof(From),
                  sizeof(From));
      list.push_back(static_cast<To>(element));
    }
    return std::optional(list);
  });
}

FailureOr<Sizes> ImportContext::constantSizes(Value value,
                                              StringRef inputName) {
  if (value && importer.values.unknownSource(value))
    if (std::optional<Sizes> sizes = importer.sizes.elementsOf(value))
      return *sizes;
  FailureOr<ElementsAttr> tensor = constantTensor(value, inputName);
  if (failed(tensor))
    return mlir::failure();
  if (std::optional<Ints> list = listOf<int64_t>(*tensor))
    return Sizes(*list);
  return fail("input '" + inputName + "' is " + typeText(tensor->getType()) +
              ", but integers are wanted");
}

FailureOr<Reals> ImportContext::constantReals(Value value,
                                              StringRef inputName) {
  FailureOr<ElementsAttr> tensor = constantTensor(value, inputName);
  if (failed(tensor))
    return mlir::failure();
  if (std::optional<Reals> list = listOf<double>(*tensor))
    return *list;
  return fail("input '" + inputName + "' is " + typeText(tensor->getType()) +
              ", but numbers are wanted");
}

FailureOr<Size> ImportContext::computedLength(Value count, const Size &most) {
  if (importer.isOfSizes(count)) {
    FailureOr<Sizes> number = constantSizes(count, "count");
    if (failed(number))
      return mlir::failure();
    return number->front();
  }
  needsHost = !importer.computed;
  if (needsHost)
    return fail("its size is computed");
  // Names of dimensions in a model do not begin like this by accident.
  const std::string name = "computed." + std::to_string((*importer.computed)++);
  return Size(Length(SizeVariable{name, 0, most.extent()}));
}

bool GraphImporter::isOfSizes(Value value) {
  if (values.isConstant(value))
    return true;
  const bool before = std::exchange(values.onlyConstants, true);
  const bool isFound = sizesAlone.elementsOf(value).has_value();
  values.onlyConstants = before;
  return isFound;
}

bool ImportContext::isOfRun(Value value) {
  return value && importer.computed && !importer.isOfSizes(value);
}

int64_t ImportContext::mostOf(int64_t axis) {
  if (!importer.computed || node.output_size() == 0)
    return -1;
  const std::string name = node.output(0) + "." + std::to_string(axis);
  for (const SizeVariable &range : importer.ranges)
    if (range.name == name)
      return range.high;
  return -1;
}

//===----------------------------------------------------------------------===//
// Graphs in a node
//===----------------------------------------------------------------------===//

FailureOr<llvm::SmallVector<Value>>
ImportContext::inlineGraph(StringRef name, ValueRange arguments) {
  readsMore = true;
  auto *found = attribute(name, onnx::AttributeProto::GRAPH);
  if (!found)
    return fail("attribute '" + name + "' is missing");
  ImportScope inner(found->g(), &scope);
  if (size_t(inner.graph.input_size()) != arguments.size())
    return fail("graph '" + name + "' has " + Twine(inner.graph.input_size()) +
                " inputs, but " + Twine(arguments.size()) + " are given");
  for (auto [input, value] : llvm::zip_equal(inner.graph.input(), arguments))
    inner.values[input.name()] = value;
  if (Status status = importer.importNodes(inner); !status.ok())
    return fail("in graph '" + name + "', " + status.message());
  llvm::SmallVector<Value> values;
  for (const onnx::ValueInfoProto &output : inner.graph.output()) {
    values.push_back(importer.valueOf(inner, output.name()));
    if (values.back())
      continue;
    // The inner node has reported its reason already.
    innerFailed = true;
    return mlir::failure();
  }
  return values;
}
