//===- GraphBuilder.cpp - a model, node by node ---------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Builder/GraphBuilder.h"
#include "glow/Exporter/Exporter.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Program/Failure.h"
#include "glow/Values/Initial.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace glow;

static DialectRegistry registry() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

struct GraphBuilder::Impl {
  Impl()
      : context(registry(), MLIRContext::Threading::DISABLED),
        storage(&context), nodes(&context) {
    context.loadAllAvailableDialects();
    module = ModuleOp::create(storage.getUnknownLoc());
    storage.setInsertionPointToEnd(module->getBody());
    function = FuncOp::create(storage, storage.getUnknownLoc(), "main");
    nodes.setInsertionPointToEnd(&function.block());
    storage.setInsertionPoint(function);
  }

  Number keep(mlir::Value value) {
    values.push_back(value);
    return Number(values.size());
  }
  /// Adds the value of a storage.
  Number read(const std::string &name, mlir::Type type) {
    names.insert(name);
    return keep(ReadOp::create(nodes, locationOf(name), type,
                               FlatSymbolRefAttr::get(&context, name)));
  }
  Location locationOf(const std::string &name) {
    if (name.empty())
      return UnknownLoc::get(&context);
    return NameLoc::get(StringAttr::get(&context, name));
  }
  mlir::Value valueAt(Number number) const {
    return number && number <= values.size() ? values[number - 1]
                                             : mlir::Value();
  }
  RankedTensorType typeOf(const glow::TensorType &type) {
    return RankedTensorType::get(type.shape, glow::typeOf(&context, type.kind));
  }

  /// Fails unless a new storage may have this name.
  Status checkName(const std::string &name) const {
    if (name.empty())
      return Status(Code::InvalidArgument, "a name is empty");
    if (names.contains(name))
      return failureOf(
          Code::InvalidArgument,
          {"two inputs, weights or outputs have the name '", name, "'"});
    return Status();
  }
  Status checkNew(const std::string &name, const glow::TensorType &type) const {
    Status status = checkName(name);
    if (status.ok() && (!type.isStatic() || type.shape.size() > highestRank))
      return failureOf(Code::InvalidArgument,
                       {"'", name, "' has the shape ", shapeText(type.shape),
                        ", it should have sizes from 0 on"});
    return status;
  }

  Status addOperands(const NodeInfo &info, const std::vector<Operand> &given,
                     OperationState &state);
  Status addAttributes(const NodeInfo &info,
                       const std::vector<Attribute> &given,
                       OperationState &state);

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder storage, nodes;
  FuncOp function;
  llvm::StringSet<> names;
  std::vector<mlir::Value> values;
  bool hasOutput = false;
};

GraphBuilder::GraphBuilder() : impl(std::make_unique<Impl>()) {}
GraphBuilder::~GraphBuilder() = default;

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

Result<GraphBuilder::Number> GraphBuilder::input(const std::string &name,
                                                 const glow::TensorType &type) {
  if (Status status = impl->checkNew(name, type); !status.ok())
    return status;
  RankedTensorType tensor = impl->typeOf(type);
  PlaceholderOp::create(impl->storage, impl->locationOf(name),
                        impl->storage.getStringAttr(name), tensor,
                        PlaceholderRole::Input);
  return impl->read(name, tensor);
}

Result<GraphBuilder::Number> GraphBuilder::weight(const std::string &name,
                                                  TensorView elements) {
  if (Status status = impl->checkNew(name, *elements.type); !status.ok())
    return status;
  Result<glow::Tensor> copy = glow::Tensor::copyOf(elements);
  if (!copy)
    return copy.status();
  auto owner = std::make_shared<glow::Tensor>(copy.take());
  RankedTensorType tensor = impl->typeOf(owner->type());
  const TensorBytes bytes = {
      {static_cast<const char *>(owner->data()), size_t(owner->type().bytes())},
      owner};
  ConstantOp::create(impl->storage, impl->locationOf(name), name,
                     elementsOf(tensor, bytes, name));
  return impl->read(name, tensor);
}

Result<GraphBuilder::Number> GraphBuilder::weight(const std::string &name,
                                                  const glow::TensorType &type,
                                                  const std::string &initially,
                                                  uint64_t seed,
                                                  int64_t fanIn) {
  if (Status status = impl->checkNew(name, type); !status.ok())
    return status;
  Result<glow::Tensor> tensor = initialTensor(type, initially, seed, fanIn);
  if (!tensor)
    return tensor.status().prefixed("'" + name + "': ");
  return weight(name, tensor->view());
}

/// The failure for a number that no method returned.
static Status noValue(uint32_t number) {
  return failureOf(Code::InvalidArgument,
                   {"the graph has no value ", std::to_string(number)});
}

Status GraphBuilder::output(const std::string &name, Number value) {
  if (Status status = impl->checkName(name); !status.ok())
    return status;
  mlir::Value saved = impl->valueAt(value);
  if (!saved)
    return noValue(value);
  PlaceholderOp::create(impl->storage, impl->locationOf(name),
                        impl->storage.getStringAttr(name), saved.getType(),
                        PlaceholderRole::Output);
  SaveOp::create(impl->nodes, impl->locationOf(name), saved,
                 FlatSymbolRefAttr::get(&impl->context, name));
  impl->names.insert(name);
  impl->hasOutput = true;
  return Status();
}

Result<glow::TensorType> GraphBuilder::typeOf(Number value) const {
  mlir::Value found = impl->valueAt(value);
  if (!found)
    return noValue(value);
  auto type = cast<RankedTensorType>(found.getType());
  return glow::TensorType{*kindOf(type.getElementType()),
                          Ints(type.getShape())};
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// The failure for a name that a record lacks.
template <typename List>
static Status unknown(const NodeInfo &info, const char *what, StringRef name,
                      const List &known) {
  std::string names;
  for (const auto &one : known)
    names += (names.empty() ? "'" : ", '") + std::string(one.name) + "'";
  return failureOf(Code::NotFound,
                   {"'", info.name, "' has no ", what, " '", name.str(), "'; ",
                    names.empty() ? "it has none" : "there are " + names});
}

Status GraphBuilder::Impl::addOperands(const NodeInfo &info,
                                       const std::vector<Operand> &given,
                                       OperationState &state) {
  SmallVector<int32_t> counts(info.operands.size(), 0);
  unsigned varying = 0;
  for (const Operand &operand : given) {
    if (llvm::none_of(info.operands, [&](const NodeOperand &one) {
          return operand.name == one.name;
        }))
      return unknown(info, "operand", operand.name, info.operands);
    if (operand.value && !valueAt(operand.value))
      return noValue(operand.value);
  }
  for (auto [index, one] : llvm::enumerate(info.operands)) {
    for (const Operand &operand : given)
      if (operand.name == one.name && operand.value) {
        state.addOperands(valueAt(operand.value));
        ++counts[index];
      }
    varying += one.count != Count::One;
    if ((one.count == Count::One && counts[index] != 1) ||
        (one.count == Count::Optional && counts[index] > 1))
      return failureOf(Code::InvalidArgument,
                       {"'", info.name, "' has operand '", one.name, "' ",
                        std::to_string(counts[index]),
                        " times, it should have it ",
                        one.count == Count::One ? "once" : "at most once"});
  }
  if (varying > 1)
    state.addAttribute("operandSegmentSizes",
                       storage.getDenseI32ArrayAttr(counts));
  return Status();
}

template <typename Number>
static bool parseList(StringRef text, SmallVectorImpl<Number> &numbers) {
  text = text.trim();
  if (!text.consume_front("[") || !text.consume_back("]"))
    return false;
  SmallVector<StringRef> parts;
  if (!text.trim().empty())
    text.split(parts, ',');
  return llvm::all_of(parts, [&](StringRef part) {
    Number &number = numbers.emplace_back();
    if constexpr (std::is_integral_v<Number>)
      return !part.trim().getAsInteger(10, number);
    else
      return !part.trim().getAsDouble(number);
  });
}

/// The kind of a name, or of a number in the order of glow_kind.
static std::optional<ElementKind> kindOfText(StringRef text) {
  size_t index = 0;
  if (text.getAsInteger(10, index))
    return elementKindNamed(std::string_view(text));
  if (index >= allElementKinds.size())
    return std::nullopt;
  return allElementKinds[index];
}

/// The attribute of a text, or null and the form that it should have.
static mlir::Attribute parse(Builder &builder, AttributeForm form,
                             StringRef text, const char *&wanted) {
  switch (form) {
  case AttributeForm::Int: {
    wanted = "an integer";
    int64_t number;
    return text.getAsInteger(10, number) ? mlir::Attribute()
                                         : builder.getI64IntegerAttr(number);
  }
  case AttributeForm::Flag:
    wanted = "true or false";
    return text != "true" && text != "false"
               ? mlir::Attribute()
               : builder.getBoolAttr(text == "true");
  case AttributeForm::Real: {
    wanted = "a number";
    double number;
    return text.getAsDouble(number) ? mlir::Attribute()
                                    : builder.getF64FloatAttr(number);
  }
  case AttributeForm::Text:
    return builder.getStringAttr(text);
  case AttributeForm::Ints: {
    wanted = "a list of integers, as [1, 2]";
    SmallVector<int64_t> numbers;
    return parseList(text, numbers) ? builder.getDenseI64ArrayAttr(numbers)
                                    : mlir::Attribute();
  }
  case AttributeForm::Reals: {
    wanted = "a list of numbers, as [0.5, 2]";
    SmallVector<double> numbers;
    return parseList(text, numbers) ? builder.getDenseF64ArrayAttr(numbers)
                                    : mlir::Attribute();
  }
  case AttributeForm::Kind: {
    wanted = "a kind of elements, as f32";
    std::optional<ElementKind> kind = kindOfText(text);
    return kind ? TypeAttr::get(glow::typeOf(builder.getContext(), *kind))
                : mlir::Attribute();
  }
  case AttributeForm::Formula:
    wanted = "left to the passes of the compiler";
    return {};
  }
  llvm_unreachable("a form has a value");
}

Status GraphBuilder::Impl::addAttributes(const NodeInfo &info,
                                         const std::vector<Attribute> &given,
                                         OperationState &state) {
  llvm::StringSet<> set;
  for (const Attribute &attribute : given) {
    auto known = llvm::find_if(info.attributes, [&](const NodeAttribute &one) {
      return attribute.name == one.name;
    });
    if (known == info.attributes.end())
      return unknown(info, "attribute", attribute.name, info.attributes);
    const char *wanted = "";
    mlir::Attribute value =
        parse(storage, known->form, StringRef(attribute.text).trim(), wanted);
    if (!value)
      return failureOf(Code::InvalidArgument,
                       {"attribute '", attribute.name, "' of '", info.name,
                        "' is '", attribute.text, "', it should be ", wanted});
    if (!set.insert(attribute.name).second)
      return failureOf(Code::InvalidArgument,
                       {"attribute '", attribute.name, "' of '", info.name,
                        "' is given twice"});
    state.addAttribute(attribute.name, value);
  }
  for (const NodeAttribute &one : info.attributes)
    if (!set.contains(one.name))
      return failureOf(
          Code::InvalidArgument,
          {"attribute '", one.name, "' of '", info.name, "' is not given"});
  return Status();
}

Result<std::vector<GraphBuilder::Number>> GraphBuilder::node(
    const std::string &kind, const std::vector<Operand> &operands,
    const std::vector<Attribute> &attributes, const std::string &name) {
  const NodeInfo *info = findNode("glow." + kind);
  if (!info)
    return failureOf(Code::NotFound, {"no node is named '", kind, "'"});
  OperationState state(impl->locationOf(name), info->name);
  Status status = impl->addOperands(*info, operands, state);
  if (status.ok())
    status = impl->addAttributes(*info, attributes, state);
  if (!status.ok())
    return status;
  std::string said;
  ScopedDiagnosticHandler handler(&impl->context, [&](Diagnostic &diagnostic) {
    said += (said.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  SmallVector<mlir::Type> types;
  Operation *untyped = Operation::create(state);
  auto report = [&](const Twine &message) {
    said += (said.empty() ? "" : "; ") + message.str();
  };
  const bool isTyped = succeeded(info->infer(untyped, report, types));
  untyped->destroy();
  Operation *node = nullptr;
  if (isTyped) {
    state.addTypes(types);
    node = impl->nodes.create(state);
    if (failed(verify(node))) {
      node->erase();
      node = nullptr;
    }
  }
  if (!node)
    return failureOf(Code::InvalidArgument,
                     {name.empty() ? "" : "node '" + name + "': ", "'",
                      info->name, "' ", said});
  std::vector<Number> results;
  for (mlir::Value result : node->getResults())
    results.push_back(impl->keep(result));
  return results;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Result<std::string> GraphBuilder::bytes(Form form) const {
  if (!impl->hasOutput)
    return Status(Code::InvalidArgument, "the graph has no output");
  std::string said, text;
  ScopedDiagnosticHandler handler(&impl->context, [&](Diagnostic &diagnostic) {
    said += (said.empty() ? "" : "; ") + diagnostic.str();
    return success();
  });
  llvm::raw_string_ostream os(text);
  switch (form) {
  case Form::Text:
    impl->module->print(os);
    return text;
  case Form::Bytecode:
    if (succeeded(writeBytecodeToFile(*impl->module, os)))
      return text;
    break;
  case Form::Onnx: {
    OwningOpRef<ModuleOp> copy = impl->module->clone();
    FailureOr<std::string> model = exportOnnx(*copy);
    if (succeeded(model))
      return std::move(*model);
    break;
  }
  }
  return Status(Code::Unsupported, said);
}
