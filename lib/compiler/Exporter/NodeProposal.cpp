//===- NodeProposal.cpp - one node as an operator of ONNX -----------------===//
// SPDX-License-Identifier: MIT
//
// A row's inverse is a guess, because functions of the record lie between the
// node and the operator. So the operator is imported again, by itself, and the
// resulting node is compared.
//
//===----------------------------------------------------------------------===//

#include "NodeProposal.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Importer/ImportContext.h"
#include "glow/Importer/ModelFile.h"
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
  for (int64_t size : tensor.getShape())
    shape.add_dim()->set_dim_value(size);
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

/// The value of an attribute: the result of a function, a word, an attribute of
/// the node, or two integer lists joined. Null where there is none.
static Attribute attributeFrom(Operation *op, const InverseValue &value) {
  if (value.compute)
    return value.compute(op);
  if (!*value.from)
    return wordAttribute(op->getContext(), value.word);
  Attribute first = op->getAttr(value.from);
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
  if (llvm::isa<DenseI64ArrayAttr, LengthsAttr>(value)) {
    const llvm::ArrayRef<int64_t> list = numbersOf(value);
    return make(ElementKind::I64, {int64_t(list.size())}, list);
  }
  if (llvm::isa<BoolAttr>(value))
    return std::nullopt;
  if (auto number = llvm::dyn_cast<IntegerAttr>(value))
    return make(ElementKind::I64, {1}, ArrayRef<int64_t>{number.getInt()});
  auto number = llvm::dyn_cast<FloatAttr>(value);
  if (!number || op->getNumOperands() == 0)
    return std::nullopt;
  // A real number takes the kind of the first operand, which it is compared
  // with or added to.
  Type element = llvm::cast<RankedTensorType>(op->getOperand(0).getType())
                     .getElementType();
  auto type = RankedTensorType::get({}, element);
  if (!llvm::isa<FloatType>(element))
    return std::nullopt;
  llvm::APFloat converted = number.getValue();
  bool isLossy;
  converted.convert(llvm::cast<FloatType>(element).getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &isLossy);
  onnx::TensorProto tensor;
  if (!writeTensor("", DenseElementsAttr::get(type, converted), tensor))
    return std::nullopt;
  return tensor;
}

/// Writes an attribute in the form that ONNX has for it.
static bool writeAttribute(Attribute value, onnx::AttributeProto &attribute) {
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
  if (auto text = llvm::dyn_cast<StringAttr>(value)) {
    attribute.set_type(onnx::AttributeProto::STRING);
    attribute.set_s(text.str());
    return true;
  }
  if (llvm::isa<DenseI64ArrayAttr, LengthsAttr>(value)) {
    attribute.set_type(onnx::AttributeProto::INTS);
    for (int64_t number : numbersOf(value))
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

/// Writes an input; false where the row has nothing for it.
static bool writeInput(Operation *op, const InverseValue &value,
                       const NamedOperands &operands, const ModelNames &names,
                       onnx::NodeProto &node) {
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
  std::optional<onnx::TensorProto> tensor =
      attribute ? tensorFrom(op, attribute) : std::nullopt;
  if (!tensor)
    return false;
  tensor->set_name(value.name);
  node.add_input(names.add(*tensor));
  return true;
}

static const ImportEntry *entryOf(const ImportInverse &row) {
  for (const ImportEntry *entry : importEntries())
    if (StringRef(entry->op) == row.op && entry->since == row.since &&
        StringRef(entry->domain) == row.domain)
      return entry;
  return nullptr;
}

/// The row's value for an input or an attribute; null if there is none.
static const InverseValue *valueOf(const ImportInverse &row, StringRef name) {
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
  for (StringRef input : entry->inputs) {
    const InverseValue *value = valueOf(row, input.rtrim("?."));
    if (!value)
      node.add_input("");
    else if (!writeInput(op, *value, operands, names, node))
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
    if (!attribute)
      return false;
    onnx::AttributeProto &written = *node.add_attribute();
    written.set_name(name.str());
    if (!writeAttribute(attribute, written))
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

//===----------------------------------------------------------------------===//
// Reading again
//===----------------------------------------------------------------------===//

/// Whether a result is used but is no output of the operator.
static bool losesResult(Operation *op, const ImportInverse &row) {
  return !row.results.empty() &&
         llvm::any_of(op->getResults(), [&](OpResult result) {
           return !result.use_empty() &&
                  llvm::find(row.results, int(result.getResultNumber())) ==
                      row.results.end();
         });
}

/// The name of an input in the model of a single node.
static std::string inputName(unsigned number) {
  return "x" + std::to_string(number);
}
static std::string outputName(unsigned number) {
  return "y" + std::to_string(number);
}

/// The storage that a value is read from, or "".
static StringRef storageOf(Value value) {
  auto read = value.getDefiningOp<ReadOp>();
  return read ? read.getStorage() : "";
}

/// Whether the module computes only a copy of the node. Inputs and outputs are
/// matched by the numbers in their names.
static bool computes(ModuleOp module, Operation *op, ArrayRef<Value> inputs) {
  Operation *copy = nullptr;
  bool isSame = true;
  for (Operation &each : (*module.getOps<FuncOp>().begin()).block()) {
    if (auto save = llvm::dyn_cast<SaveOp>(each)) {
      auto result = llvm::dyn_cast<OpResult>(save.getIn());
      isSame &= result && result.getOwner() == copy &&
                save.getStorage() == outputName(result.getResultNumber());
    } else if (!llvm::isa<ReadOp>(each)) {
      isSame &= !copy;
      copy = &each;
    }
  }
  if (!isSame || !copy || copy->getName() != op->getName() ||
      copy->getAttrDictionary() != op->getAttrDictionary() ||
      copy->getResultTypes() != op->getResultTypes() ||
      copy->getNumOperands() != op->getNumOperands())
    return false;
  return llvm::all_of(
      llvm::zip(copy->getOperands(), op->getOperands()), [&](auto pair) {
        auto [there, here] = pair;
        auto place = llvm::find(inputs, here);
        return storageOf(there) == inputName(unsigned(place - inputs.begin()));
      });
}

bool glow::isIdentity(Operation *op) {
  return llvm::isa<Cast, Broadcast, Reshape>(op) &&
         op->getResult(0).getType() == op->getOperand(0).getType();
}

static void dropIdentities(FuncOp function) {
  for (Operation &op : llvm::make_early_inc_range(function.block()))
    if (isIdentity(&op)) {
      op.getResult(0).replaceAllUsesWith(op.getOperand(0));
      op.erase();
    }
}

/// Whether a model of this node alone is imported as the node.
static bool isReadAsWritten(Operation *op, const NodeForm &form,
                            const WrittenFor &version) {
  const ImportInverse &row = *form.row;
  if (losesResult(op, row))
    return false;
  onnx::ModelProto model;
  onnx::GraphProto &graph = *model.mutable_graph();
  SmallVector<Value> inputs;
  auto nameOf = [&](Value value) {
    auto place = llvm::find(inputs, value);
    std::string name = inputName(unsigned(place - inputs.begin()));
    if (place != inputs.end())
      return name;
    inputs.push_back(value);
    // A record may ask whether a value is constant, or read a small constant's
    // elements.
    constexpr int64_t few = 16;
    ConstantOp constant = constantOf(value);
    onnx::TensorProto tensor;
    if (constant && constant.getValue().getNumElements() <= few &&
        writeTensor(name, constant.getValue(), tensor))
      *graph.add_initializer() = std::move(tensor);
    else
      writeValue(name, value.getType(), *graph.add_input());
    return name;
  };
  auto add = [&](onnx::TensorProto tensor) {
    tensor.set_name("c" + std::to_string(graph.initializer_size()));
    *graph.add_initializer() = tensor;
    return tensor.name();
  };
  onnx::NodeProto &node = *graph.add_node();
  if (!writeNode(op, form, {nameOf, add}, node))
    return false;
  std::vector<std::string> outputs;
  for (OpResult result : op->getResults())
    outputs.push_back(outputName(result.getResultNumber()));
  writeOutputs(row, outputs, node);
  for (OpResult result : op->getResults())
    if (llvm::is_contained(node.output(), outputs[result.getResultNumber()]))
      writeValue(outputs[result.getResultNumber()], result.getType(),
                 *graph.add_output());
  version.setIn(model, {row.domain});
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  auto bytes = MemoryFile::make("node", model.SerializeAsString());
  if (!bytes)
    return false;
  Result<std::unique_ptr<ModelFile>> file = ModelFile::open((*bytes)->path());
  if (!file)
    return false;
  OwningOpRef<ModuleOp> read = importOnnx(*op->getContext(), **file, {});
  if (!read)
    return false;
  dropIdentities(*read->getOps<FuncOp>().begin());
  return computes(*read, op, inputs);
}

/// Whether the operator's version has all inputs and attributes that are
/// written.
static bool isInVersion(Operation *op, const NodeForm &form,
                        const WrittenFor &version) {
  const ImportEntry &entry = *entryOf(*form.row);
  if (*entry.domain || entry.later.empty())
    return true;
  auto nameOf = [](Value) { return std::string("x"); };
  auto add = [](const onnx::TensorProto &) { return std::string("c"); };
  onnx::NodeProto node;
  writeNode(op, form, {nameOf, add}, node);
  auto has = [&](const LaterPart &part) {
    for (auto [i, input] : llvm::enumerate(entry.inputs))
      if (StringRef(input).rtrim("?.") == part.name)
        return int(i) < node.input_size() && !node.input(int(i)).empty();
    return llvm::any_of(node.attribute(),
                        [&](const onnx::AttributeProto &attribute) {
                          return attribute.name() == part.name &&
                                 (!*part.word || attribute.s() == part.word);
                        });
  };
  return llvm::none_of(entry.later, [&](const LaterPart &part) {
    return part.opset > version.opset && has(part);
  });
}

NodeForm glow::formOf(Operation *op, bool isDefaultDomain,
                      const WrittenFor &version) {
  const std::string name = op->getName().getStringRef().str();
  for (const ImportInverse *row : inversesOf(name.c_str(), version.opset)) {
    NodeForm form{row};
    if ((*row->domain == '\0') != isDefaultDomain ||
        !isReadAsWritten(op, form, version))
      continue;
    for (StringRef attribute : entryOf(*row)->attributes) {
      NodeForm shorter = form;
      shorter.leftOut.insert(attribute);
      if (valueOf(*row, attribute) && isReadAsWritten(op, shorter, version))
        form = std::move(shorter);
    }
    if (isInVersion(op, form, version))
      return form;
  }
  return {};
}
