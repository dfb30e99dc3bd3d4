//===- NodeWriter.cpp - nodes and tensors in the form of ONNX -------------===//
// SPDX-License-Identifier: MIT

#include "NodeProposal.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "glow/Importer/ImportContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow;
using namespace mlir;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Tensors and versions
//===----------------------------------------------------------------------===//

/// The format version for an opset. Each release of ONNX sets both; a release
/// keeps the format of the one before or has a new one.
static int64_t formatOf(int64_t opset) {
  const std::pair<int64_t, int64_t> formats[] = {
      {24, 13}, {23, 12}, {22, 11}, {20, 10}, {18, 9}};
  for (auto [last, format] : formats)
    if (opset > last)
      return format;
  return 8;
}

void WrittenFor::setIn(onnx::ModelProto &model,
                       const std::set<std::string> &domains) const {
  model.set_ir_version(formatOf(opset));
  onnx::OperatorSetIdProto &own = *model.add_opset_import();
  own.set_domain("");
  own.set_version(opset);
  for (const std::string &domain : domains) {
    if (domain.empty())
      continue;
    int64_t newest = 1;
    for (const ImportEntry *entry : importEntries())
      if (domain == entry->domain)
        newest = std::max(newest, int64_t(entry->since));
    onnx::OperatorSetIdProto &other = *model.add_opset_import();
    other.set_domain(domain);
    other.set_version(newest);
  }
}

void glow::writeValue(StringRef name, Type type, onnx::ValueInfoProto &value) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  value.set_name(name.str());
  auto &written = *value.mutable_type()->mutable_tensor_type();
  written.set_elem_type(onnxDataType(*kindOf(tensor.getElementType())));
  auto &shape = *written.mutable_shape();
  for (const Size &size : sizesOf(tensor))
    if (size.isFixed())
      shape.add_dim()->set_dim_value(size.extent());
    else
      shape.add_dim()->set_dim_param(size.length().text());
}

static onnx::TensorProto tensorOf(ElementKind kind, ArrayRef<int64_t> shape) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnxDataType(kind));
  for (int64_t size : shape)
    tensor.add_dims(size);
  return tensor;
}

bool glow::writeTensor(StringRef name, ElementsAttr value,
                       onnx::TensorProto &tensor) {
  if (!isKnown(value))
    return false;
  auto type = llvm::cast<RankedTensorType>(value.getType());
  const ElementKind kind = *kindOf(type.getElementType());
  TensorBytes elements = bytesOf(value);
  tensor = tensorOf(kind, type.getShape());
  tensor.set_name(name.str());
  if (!sharesBytes(kind)) {
    tensor.set_raw_data(elements.bytes.data(), elements.bytes.size());
    return true;
  }
  const unsigned bits = bitWidth(kind), each = 8 / bits;
  std::string packed(bytesInFile(kind, elements.bytes.size()), '\0');
  for (auto [i, element] : llvm::enumerate(elements.bytes))
    packed[i / each] = char(packed[i / each] | (element & ((1 << bits) - 1))
                                                   << i % each * bits);
  tensor.set_raw_data(std::move(packed));
  return true;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// A word that a record compares with, as an integer if it is a number, else as
/// text.
static Attribute wordAttribute(MLIRContext *context, StringRef word) {
  int64_t number;
  if (!word.getAsInteger(10, number))
    return IntegerAttr::get(IntegerType::get(context, 64), number);
  return StringAttr::get(context, word);
}

/// The name of a node in ONNX: "LeakyRelu" for "leaky_relu".
static std::string operatorName(StringRef mnemonic) {
  std::string name;
  for (StringRef part : llvm::split(mnemonic, '_'))
    name += llvm::toUpper(part.front()) + part.drop_front().str();
  return name;
}

/// The numbers at a place behind each name of a list, as "1" in "affine 2 0.5,
/// tanh"; null if there are none.
static Attribute numbersIn(StringAttr list, StringRef place) {
  size_t index;
  if (!list || place.getAsInteger(10, index))
    return {};
  std::vector<double> numbers;
  for (StringRef one : llvm::split(list.getValue(), ", ")) {
    SmallVector<StringRef> words = llvm::to_vector(llvm::split(one, ' '));
    double number;
    if (index + 1 < words.size() && !words[index + 1].getAsDouble(number))
      numbers.push_back(number);
  }
  return numbers.empty() ? Attribute()
                         : DenseF64ArrayAttr::get(list.getContext(), numbers);
}

/// The value of an attribute: one of another node, the result of a function, a
/// word, an attribute of
/// the node, or two integer lists joined. Null where there is none.
static Attribute attributeFrom(Operation *op, const InverseValue &value) {
  if (*value.paths)
    return attributeAt(op, value.paths);
  if (value.compute)
    return value.compute(op);
  if (!*value.from)
    return wordAttribute(op->getContext(), value.word);
  Attribute first = op->getAttr(value.from);
  if (value.isList && *value.word)
    return numbersIn(llvm::dyn_cast_or_null<StringAttr>(first), value.word);
  if (!*value.then)
    return first;
  Attribute more = op->getAttr(value.then);
  if (!first || !more)
    return {};
  return attributeOf(op->getContext(),
                     expr::sizes(sizesOf(first), sizesOf(more)));
}

/// An attribute of the node as a tensor, for an operator that takes it as an
/// input.
static std::optional<onnx::TensorProto> tensorFrom(Operation *op,
                                                   Attribute value) {
  auto make = [&](ElementKind kind, ArrayRef<int64_t> shape, auto elements) {
    onnx::TensorProto tensor = tensorOf(kind, shape);
    tensor.set_raw_data(elements.data(), elements.size() * sizeof(elements[0]));
    return tensor;
  };
  if (auto numbers = llvm::dyn_cast<DenseI64ArrayAttr>(value)) {
    const llvm::ArrayRef<int64_t> list = numbers.asArrayRef();
    return make(ElementKind::I64, {int64_t(list.size())}, list);
  }
  if (auto numbers = llvm::dyn_cast<DenseF64ArrayAttr>(value)) {
    const std::vector<float> list(numbers.asArrayRef().begin(),
                                  numbers.asArrayRef().end());
    return make(ElementKind::F32, {int64_t(list.size())},
                ArrayRef<float>(list));
  }
  if (llvm::isa<BoolAttr>(value))
    return std::nullopt;
  if (auto number = llvm::dyn_cast<IntegerAttr>(value))
    return make(ElementKind::I64, {1}, ArrayRef<int64_t>{number.getInt()});
  auto number = llvm::dyn_cast<FloatAttr>(value);
  if (!number)
    return std::nullopt;
  // A real number takes the kind of the first operand, which it is compared
  // with or added to; a node without operands makes elements of it.
  Value like = op->getNumOperands() ? op->getOperand(0) : op->getResult(0);
  Type element = kindOfElements(like);
  auto type = RankedTensorType::get({}, element);
  onnx::TensorProto tensor;
  if (element.isInteger(64) && op->getNumOperands() == 0) {
    tensor = make(ElementKind::I64, {},
                  ArrayRef<int64_t>{int64_t(number.getValueAsDouble())});
    return tensor;
  }
  if (!llvm::isa<FloatType>(element))
    return std::nullopt;
  llvm::APFloat converted = number.getValue();
  bool isLossy;
  converted.convert(llvm::cast<FloatType>(element).getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &isLossy);
  if (!writeTensor("", DenseElementsAttr::get(type, converted), tensor))
    return std::nullopt;
  return tensor;
}

/// Writes an attribute in the form that ONNX has for it; false if it has none,
/// as for sizes that a run gives. A list of texts is one text here.
static bool writeAttribute(Attribute value, bool isList,
                           onnx::AttributeProto &attribute) {
  auto setInt = [&](int64_t number) {
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(number);
    return true;
  };
  if (auto flag = llvm::dyn_cast<BoolAttr>(value))
    return setInt(flag.getValue());
  if (auto number = llvm::dyn_cast<IntegerAttr>(value))
    return setInt(number.getInt());
  if (auto type = llvm::dyn_cast<TypeAttr>(value)) {
    std::optional<ElementKind> kind = kindOf(type.getValue());
    return kind && setInt(onnxDataType(*kind));
  }
  if (auto number = llvm::dyn_cast<FloatAttr>(value)) {
    attribute.set_type(onnx::AttributeProto::FLOAT);
    attribute.set_f(float(number.getValueAsDouble()));
    return true;
  }
  if (auto text = llvm::dyn_cast<StringAttr>(value); text && isList) {
    attribute.set_type(onnx::AttributeProto::STRINGS);
    for (StringRef one : llvm::split(text.getValue(), ", "))
      attribute.add_strings(operatorName(one.split(' ').first));
    return true;
  }
  if (auto text = llvm::dyn_cast<StringAttr>(value)) {
    attribute.set_type(onnx::AttributeProto::STRING);
    attribute.set_s(text.str());
    return true;
  }
  if (auto list = llvm::dyn_cast<DenseI64ArrayAttr>(value)) {
    attribute.set_type(onnx::AttributeProto::INTS);
    for (int64_t number : list.asArrayRef())
      attribute.add_ints(number);
    return true;
  }
  if (auto list = llvm::dyn_cast<DenseF64ArrayAttr>(value)) {
    attribute.set_type(onnx::AttributeProto::FLOATS);
    for (double number : list.asArrayRef())
      attribute.add_floats(float(number));
    return true;
  }
  return false;
}

namespace {

/// The operands of a node by their names.
class NamedOperands {
public:
  explicit NamedOperands(Operation *op)
      : op(op), info(*findNode(op->getName().getStringRef())),
        sizes(sizesOfOperands(info, op)) {}

  /// The operands of this name; nullopt if the node has no such operand.
  std::optional<OperandRange> find(StringRef name) const {
    unsigned first = 0;
    for (auto [operand, size] : llvm::zip_equal(info.operands, sizes)) {
      if (name == operand.name)
        return op->getOperands().slice(first, unsigned(size));
      first += unsigned(size);
    }
    return std::nullopt;
  }

private:
  Operation *op;
  const NodeInfo &info;
  SmallVector<int32_t> sizes;
};

} // namespace

/// Writes an input; false where the row has nothing for it. `variant` chooses
/// among paths, and keeps what is left for further inputs.
static bool writeInput(Operation *op, const InverseValue &value,
                       const NamedOperands &operands, const ModelNames &names,
                       unsigned &variant, onnx::NodeProto &node) {
  if (*value.paths) {
    SmallVector<Value> behind = valuesAt(op, value.paths);
    const auto count = unsigned(behind.size());
    node.add_input(count ? names.of(behind[variant % count]) : "");
    variant /= std::max(count, 1u);
    return true;
  }
  bool found = false;
  for (StringRef from : {value.from, value.then}) {
    std::optional<OperandRange> range = operands.find(from);
    if (!range)
      continue;
    found = true;
    for (Value operand : *range)
      node.add_input(names.of(operand));
    if (range->empty())
      node.add_input("");
  }
  if (found)
    return true;
  Attribute attribute = attributeFrom(op, value);
  if (auto lengths = llvm::dyn_cast_or_null<LengthsAttr>(attribute)) {
    node.add_input(names.sizes(sizesOf(lengths)));
    return !node.input().rbegin()->empty();
  }
  std::optional<onnx::TensorProto> tensor =
      attribute ? tensorFrom(op, attribute) : std::nullopt;
  if (!tensor)
    return false;
  tensor->set_name(value.name);
  node.add_input(names.add(*tensor));
  return true;
}

const ImportEntry *glow::entryOf(const ImportInverse &row) {
  for (const ImportEntry *entry : importEntries())
    if (StringRef(entry->op) == row.op && entry->since == row.since &&
        StringRef(entry->domain) == row.domain)
      return entry;
  return nullptr;
}

const InverseValue *glow::valueOf(const ImportInverse &row, StringRef name) {
  for (const InverseValue &value : row.values)
    if (name == value.name)
      return &value;
  return nullptr;
}

bool glow::writeNode(Operation *op, const NodeForm &form,
                     const ModelNames &names, onnx::NodeProto &node) {
  const ImportInverse &row = *form.row;
  node.set_op_type(row.op);
  node.set_domain(row.domain);
  NamedOperands operands(op);
  const ImportEntry *entry = entryOf(row);
  if (!entry)
    return false;
  unsigned variant = form.variant;
  for (StringRef input : entry->inputs) {
    const InverseValue *value = valueOf(row, input.rtrim("?."));
    if (!value || form.leftOut.contains(input.rtrim("?.")))
      node.add_input("");
    else if (!writeInput(op, *value, operands, names, variant, node))
      return false;
  }
  // Absent inputs at the end are not listed.
  while (node.input_size() && node.input(node.input_size() - 1).empty())
    node.mutable_input()->RemoveLast();
  for (StringRef name : entry->attributes) {
    const InverseValue *value = valueOf(row, name);
    if (!value || form.leftOut.contains(name))
      continue;
    Attribute attribute = attributeFrom(op, *value);
    if (!attribute && (*value->paths || value->isList))
      continue;
    if (!attribute)
      return false;
    onnx::AttributeProto &written = *node.add_attribute();
    written.set_name(name.str());
    if (!writeAttribute(attribute, value->isList, written))
      return false;
  }
  return true;
}

void glow::writeOutputs(const ImportInverse &row, ArrayRef<std::string> names,
                        onnx::NodeProto &node) {
  if (row.results.empty())
    for (const std::string &name : names)
      node.add_output(name);
  for (int result : row.results)
    node.add_output(result < 0 ? "" : names[size_t(result)]);
  while (node.output_size() && node.output(node.output_size() - 1).empty())
    node.mutable_output()->RemoveLast();
}
