//===- NodeProposal.cpp - one node as an operator of ONNX -----------------===//
// SPDX-License-Identifier: MIT
//
// A row's inverse is a guess, because functions of the record lie between the
// node and the operator. So the operator is imported again, by itself, and the
// resulting node is compared.
//
//===----------------------------------------------------------------------===//

#include "NodeProposal.h"
#include "SizeWriter.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Importer/ImportContext.h"
#include "glow/Importer/ModelFile.h"

using namespace glow;
using namespace mlir;
using llvm::StringRef;

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

bool glow::isIdentity(Operation *op) {
  return llvm::isa<Cast, Broadcast, Reshape>(op) &&
         op->getResult(0).getType() == op->getOperand(0).getType();
}

static Value behindIdentities(Value value) {
  while (isIdentity(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

namespace {

/// Compares imported nodes with the nodes that the model was written of.
class Comparison {
public:
  explicit Comparison(ArrayRef<Value> inputs) : inputs(inputs) {}

  /// Whether the module computes the node's results. Inputs and outputs are
  /// matched by the numbers in their names.
  bool computes(ModuleOp module, Operation *op);

private:
  bool isSame(Value there, Value here);
  bool isInput(Value there, Value here) const;

  const ArrayRef<Value> inputs;
  llvm::SmallDenseMap<std::pair<Operation *, Operation *>, bool> known;
};

} // namespace

bool Comparison::isInput(Value there, Value here) const {
  auto place = llvm::find(inputs, here);
  return storageOf(there) == inputName(unsigned(place - inputs.begin()));
}

bool Comparison::isSame(Value there, Value here) {
  there = behindIdentities(there);
  if (there.getDefiningOp<ReadOp>())
    return isInput(there, here) || isInput(there, behindIdentities(here));
  here = behindIdentities(here);
  auto copied = llvm::cast<OpResult>(there),
       result = llvm::cast<OpResult>(here);
  Operation *copy = copied.getOwner(), *op = result.getOwner();
  if (copied.getResultNumber() != result.getResultNumber())
    return false;
  auto [place, isNew] = known.try_emplace({copy, op}, false);
  if (!isNew)
    return place->second;
  if (copy->getName() != op->getName() ||
      copy->getAttrDictionary() != op->getAttrDictionary() ||
      copy->getResultTypes() != op->getResultTypes() ||
      copy->getNumOperands() != op->getNumOperands())
    return false;
  const bool areSame = llvm::all_of(
      llvm::zip(copy->getOperands(), op->getOperands()),
      [&](auto pair) { return isSame(std::get<0>(pair), std::get<1>(pair)); });
  return known[{copy, op}] = areSame;
}

bool Comparison::computes(ModuleOp module, Operation *op) {
  bool areSame = true, isOne = false;
  auto saves = (*module.getOps<FuncOp>().begin()).block().getOps<SaveOp>();
  for (SaveOp save : saves)
    for (OpResult result : op->getResults())
      if (save.getStorage() == outputName(result.getResultNumber())) {
        areSame &= !storageOf(save.getIn()).empty()
                       ? false
                       : isSame(save.getIn(), result);
        isOne = true;
      }
  return areSame && isOne;
}

OwningOpRef<ModuleOp> glow::importBytes(MLIRContext &context,
                                        const std::string &bytes,
                                        const ImportOptions &options) {
  auto memory = MemoryFile::make("model", bytes);
  if (!memory)
    return {};
  Result<std::unique_ptr<ModelFile>> file = ModelFile::open((*memory)->path());
  return file ? importOnnx(context, **file, options) : OwningOpRef<ModuleOp>();
}

/// Whether a model of this node alone is imported as the node. An input for
/// each size variable, with that dimension alone, gives sizes to attributes.
static bool isReadAsWritten(Operation *op, const NodeForm &form,
                            const WrittenFor &version) {
  const ImportInverse &row = *form.row;
  if (losesResult(op, row))
    return false;
  onnx::ModelProto model;
  onnx::GraphProto &graph = *model.mutable_graph();
  ImportOptions options;
  SizeWriter sizeWriter(graph, [count = 0](StringRef wanted) mutable {
    return (wanted + Twine(count++)).str();
  });
  auto addInput = [&](const std::string &name, Type type) {
    auto tensor = llvm::cast<RankedTensorType>(type);
    if (tensor.getEncoding())
      options.lengths[name] = sizesOf(tensor);
    writeValue(name, tensor, *graph.add_input());
  };
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
      addInput(name, value.getType());
    return name;
  };
  auto add = [&](onnx::TensorProto tensor) {
    tensor.set_name("c" + std::to_string(graph.initializer_size()));
    *graph.add_initializer() = tensor;
    return tensor.name();
  };
  auto sizes = [&](const Sizes &list) {
    auto addVariable = [&](const SizeVariable &variable) {
      std::string name = "n." + variable.name;
      if (options.lengths.contains(name))
        return;
      auto type = rankedTensorOf({Size(Length(variable))},
                                 Float32Type::get(op->getContext()));
      addInput(name, type);
      sizeWriter.addInput(name, type);
    };
    for (const Size &size : list)
      size.length().visitVariables(addVariable);
    return sizeWriter.list(list);
  };
  onnx::NodeProto node;
  if (!writeNode(op, form, {nameOf, add, sizes}, node))
    return false;
  std::vector<std::string> outputs;
  for (OpResult result : op->getResults())
    outputs.push_back(outputName(result.getResultNumber()));
  writeOutputs(row, outputs, node);
  for (OpResult result : op->getResults())
    if (llvm::is_contained(node.output(), outputs[result.getResultNumber()]))
      writeValue(outputs[result.getResultNumber()], result.getType(),
                 *graph.add_output());
  *graph.add_node() = std::move(node);
  version.setIn(model, {row.domain});
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> read =
      importBytes(*op->getContext(), model.SerializeAsString(), options);
  if (!read)
    return false;
  return Comparison(inputs).computes(*read, op);
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
  auto sizes = [](const Sizes &) { return std::string("s"); };
  onnx::NodeProto node;
  writeNode(op, form, {nameOf, add, sizes}, node);
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

/// Leaves out attributes and inputs that the import does not need, except those
/// for which the record has an expression: other programs need them. An input
/// is tried if an attribute of the node gives it.
static void shorten(Operation *op, NodeForm &form, const WrittenFor &version) {
  auto leaveOut = [&](StringRef name, bool isInput) {
    const InverseValue *value = valueOf(*form.row, name);
    if (!value || value->compute || (isInput && !op->hasAttr(value->from)))
      return;
    NodeForm shorter = form;
    shorter.leftOut.insert(name);
    if (isReadAsWritten(op, shorter, version))
      form = std::move(shorter);
  };
  const ImportEntry &entry = *entryOf(*form.row);
  for (StringRef input : entry.inputs)
    if (input.ends_with("?"))
      leaveOut(input.drop_back(), /*isInput=*/true);
  for (StringRef attribute : entry.attributes)
    leaveOut(attribute, /*isInput=*/false);
}

/// The count of ways to take the inputs of a row along its paths.
static unsigned variantsOf(Operation *op, const ImportInverse &row) {
  constexpr size_t most = 16;
  size_t count = 1;
  for (const InverseValue &value : row.values)
    if (*value.paths)
      count *= std::max<size_t>(valuesAt(op, value.paths).size(), 1);
  return unsigned(std::min(count, most));
}

/// The first variant of a row that is read as the node. An attribute that is
/// there for some nodes alone may have to be left out.
static bool findVariant(Operation *op, NodeForm &form,
                        const WrittenFor &version) {
  const unsigned count = form.hasPaths() ? variantsOf(op, *form.row) : 1;
  for (; form.variant < count; ++form.variant) {
    if (isReadAsWritten(op, form, version))
      return true;
    for (StringRef attribute : entryOf(*form.row)->attributes) {
      NodeForm without = form;
      without.leftOut.insert(attribute);
      if (form.hasPaths() && valueOf(*form.row, attribute) &&
          isReadAsWritten(op, without, version)) {
        form = std::move(without);
        return true;
      }
    }
  }
  return false;
}

NodeForm glow::formOf(Operation *op,
                      llvm::function_ref<bool(const NodeForm &)> suits,
                      const WrittenFor &version) {
  // A proposal that holds for some sizes alone is not read as it was written.
  SizeDecisions unneeded;
  const std::string name = op->getName().getStringRef().str();
  for (const ImportInverse *row : inversesOf(name.c_str(), version.opset)) {
    NodeForm form{row};
    if (!suits(form) || !findVariant(op, form, version))
      continue;
    shorten(op, form, version);
    if (isInVersion(op, form, version))
      return form;
  }
  return {};
}
