//===- Shapes.cpp - sizes of a model's inputs -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Shapes.h"
#include "file/Tensors.h"
#include "rows/ImportRegistry.h"
#include "rows/Refusals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace glow;

//===----------------------------------------------------------------------===//
// As declared
//===----------------------------------------------------------------------===//

static const char *wordFor(const onnx::TypeProto &type) {
  switch (type.value_case()) {
  case onnx::TypeProto::kSequenceType:
    return "a sequence";
  case onnx::TypeProto::kMapType:
    return "a map";
  case onnx::TypeProto::kOptionalType:
    return "an optional";
  case onnx::TypeProto::kSparseTensorType:
    return "a sparse tensor";
  case onnx::TypeProto::kOpaqueType:
    return "an opaque type";
  default:
    return "of no type";
  }
}

static void addDimensions(const onnx::TensorShapeProto &shape,
                          ModelPort &port) {
  for (const onnx::TensorShapeProto::Dimension &dimension : shape.dim()) {
    // Exporters write a negative number for an unknown size.
    bool known = dimension.has_dim_value() && dimension.dim_value() >= 0;
    port.shape.push_back(known ? dimension.dim_value() : -1);
    port.dimensions.push_back(dimension.dim_param());
  }
}

static Result<ModelPort> portOf(const onnx::ValueInfoProto &value) {
  ModelPort port{.name = value.name(), .ranked = false};
  if (value.name().empty())
    return failure(Code::InvalidArgument, "has no name");
  if (!value.has_type())
    return failure(Code::InvalidArgument, "has no type");
  const onnx::TypeProto::Tensor &tensor = value.type().tensor_type();
  if (value.type().has_sequence_type() || value.type().has_optional_type() ||
      value.type().has_map_type())
    port.other = wordFor(value.type());
  else if (!value.type().has_tensor_type())
    return failure(
        Code::Unsupported, "is ", wordFor(value.type()),
        ", and only tensors, sequences, maps and optionals are supported");
  else if (tensor.elem_type() == onnx::TensorProto::STRING)
    port.other = "strings";
  if (!port.other.empty() && port.other != "strings")
    return port;
  if (port.other.empty()) {
    Result<ElementKind> kind = kindOfDataType(tensor.elem_type());
    if (!kind)
      return kind.status();
    port.kind = *kind;
  }
  port.ranked = tensor.has_shape();
  addDimensions(tensor.shape(), port);
  return port;
}

/// Whether a node reads at most the element kind of an input, as CastLike does.
static bool readsKindOnly(const ParsedModel &model, const onnx::NodeProto &node,
                          int input) {
  std::string reason;
  std::optional<int64_t> opset = model.opset(node);
  const ImportEntry *entry =
      opset ? ImportRegistry::instance().find(node.domain(), node.op_type(),
                                              *opset, reason)
            : nullptr;
  return entry && input < 64 && entry->kindsOnly >> input & 1;
}

/// Removes from `unread` the names of which a graph reads more than the kind.
static void dropRead(const ParsedModel &model, const onnx::GraphProto &graph,
                     llvm::StringSet<> &unread) {
  for (const onnx::NodeProto &node : graph.node()) {
    for (int i = 0; i < node.input_size(); ++i)
      if (unread.contains(node.input(i)) && !readsKindOnly(model, node, i))
        unread.erase(node.input(i));
    for (const onnx::AttributeProto &attribute : node.attribute()) {
      dropRead(model, attribute.g(), unread);
      for (const onnx::GraphProto &inner : attribute.graphs())
        dropRead(model, inner, unread);
    }
  }
  for (const onnx::ValueInfoProto &output : graph.output())
    unread.erase(output.name());
}

static void findUnread(const ParsedModel &model,
                       std::vector<ModelPort> &inputs) {
  llvm::StringSet<> unread;
  for (const ModelPort &input : inputs)
    unread.insert(input.name);
  dropRead(model, model.proto->graph(), unread);
  for (ModelPort &input : inputs)
    input.anyShape = unread.contains(input.name);
}

/// Checks that an initializer of an input has the type that the model declares.
static Status checkInitializer(const Result<ModelPort> &port,
                               const onnx::TensorProto &tensor) {
  Result<ElementKind> kind = kindOfDataType(tensor.data_type());
  if (!port || !kind || !port->kind)
    return Status();
  auto fits = [](int64_t declared, int64_t size) {
    return declared < 0 || declared == size;
  };
  if (*kind == *port->kind &&
      (!port->ranked || llvm::equal(port->shape, tensor.dims(), fits)))
    return Status();
  Ints shape(tensor.dims().begin(), tensor.dims().end());
  return failure(Code::InvalidArgument, "initializer '", tensor.name(), "' is ",
                 typeText(*kind, shape), ", but the model declares the input ",
                 port->ranked ? typeText(*port->kind, port->shape)
                              : std::string(name(*port->kind)));
}

namespace {
/// The first inputs with errors, and the number of further ones.
class WrongPorts {
public:
  void add(const std::string &name, const Status &why) {
    constexpr size_t shown = 8;
    if (++count > shown)
      return;
    last = why.code();
    text +=
        (count == 1 ? "" : "; ") + ("input '" + name + "' ") + why.message();
    left = count;
  }
  Status status() const {
    if (count == left)
      return count ? Status(last, text) : Status();
    return Status(last,
                  text + "; and " + std::to_string(count - left) + " others");
  }

private:
  std::string text;
  Code last = Code::InvalidArgument;
  size_t count = 0, left = 0;
};
} // namespace

Result<ModelInterface> glow::interfaceOf(const ParsedModel &model) {
  const onnx::GraphProto &graph = model.proto->graph();
  llvm::StringMap<const onnx::TensorProto *> constants; // null where sparse
  for (const onnx::TensorProto &tensor : graph.initializer())
    constants[tensor.name()] = &tensor;
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    constants[tensor.values().name()] = nullptr;
  const bool mayOverride = model.proto->ir_version() >= 4;
  ModelInterface result;
  WrongPorts wrong;
  for (const onnx::ValueInfoProto &input : graph.input()) {
    Result<ModelPort> port = portOf(input);
    if (auto found = constants.find(input.name()); found != constants.end()) {
      if (found->second)
        if (Status status = checkInitializer(port, *found->second);
            !status.ok())
          return status;
      if (port && found->second && mayOverride)
        result.overridable.push_back(port.take());
      continue;
    }
    if (port)
      result.inputs.push_back(port.take());
    else
      wrong.add(input.name(), port.status());
  }
  if (Status status = wrong.status(); !status.ok())
    return withRefused(status, model);
  findUnread(model, result.inputs);
  for (const onnx::ValueInfoProto &output : graph.output()) {
    // Import determines an output's type; its declaration is a promise at most.
    Result<ModelPort> port = portOf(output);
    result.outputs.push_back(
        port ? port.take() : ModelPort{.name = output.name(), .ranked = false});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// As given
//===----------------------------------------------------------------------===//

namespace {

/// The size of a named dimension, and the input that gave it.
struct Bound {
  int64_t size;
  std::string input;
};
using Bindings = std::map<std::string, Bound>;

std::string quoted(const std::string &text) { return "'" + text + "'"; }

/// The declared shape, [N,3,?]; `exampleFor` gives a static example. The caller
/// documents how a shape is given: by a flag, a function or an argument.
std::string declaredText(const ModelPort &input) {
  std::string text;
  for (size_t i = 0; i < input.shape.size(); ++i) {
    const std::string &name = input.dimensions[i];
    text += i ? "," : "";
    text += input.shape[i] >= 0 ? std::to_string(input.shape[i])
            : name.empty()      ? "?"
                                : name;
  }
  return "[" + text + "]";
}
std::string exampleFor(const ModelPort &input) {
  Ints example = input.shape;
  for (int64_t &size : example)
    size = size < 0 ? 1 : size;
  return input.name + '=' + shapeText(example);
}

Status checkSizes(const ModelPort &input, const Ints &given) {
  for (size_t i = 0; i < given.size(); ++i)
    if (given[i] < 0)
      return failure(Code::InvalidArgument, "dimension ", i, " of input ",
                     quoted(input.name), " was given the negative size ",
                     given[i]);
  return Status();
}

Status checkDeclared(const ModelPort &input, const Ints &given) {
  if (input.ranked && given.size() != input.shape.size())
    return failure(Code::ShapeMismatch, "input ", quoted(input.name), " has ",
                   input.shape.size(), " dimensions, but the shape ",
                   shapeText(given), " that was given has ", given.size());
  for (size_t i = 0; i < input.shape.size(); ++i)
    if (input.shape[i] >= 0 && input.shape[i] != given[i])
      return failure(Code::ShapeMismatch, "dimension ", i, " of input ",
                     quoted(input.name), " is ", input.shape[i],
                     " in the model, but ", given[i], " was given");
  return Status();
}

Status bindNames(const ModelPort &input, const Ints &given, Bindings &names) {
  if (Status status = checkSizes(input, given); !status.ok())
    return status;
  if (Status status = checkDeclared(input, given); !status.ok())
    return input.anyShape ? Status() : status;
  for (size_t i = 0; i < input.shape.size(); ++i) {
    const std::string &name = input.dimensions[i];
    if (input.shape[i] >= 0 || name.empty())
      continue;
    auto [place, isNew] = names.try_emplace(name, Bound{given[i], input.name});
    if (place->second.size != given[i])
      return failure(Code::ShapeMismatch, "dimension ", quoted(name), " is ",
                     place->second.size, " in input ",
                     quoted(place->second.input), ", but ", given[i],
                     " in input ", quoted(input.name));
  }
  return Status();
}

/// The name of a dimension as a request has it.
std::string nameOf(const ModelPort &input, size_t dim) {
  const std::string &name = input.dimensions[dim];
  return name.empty() ? input.name + "." + std::to_string(dim) : name;
}

const SizeVariable *find(const std::vector<SizeVariable> &sizes,
                         const std::string &name) {
  for (const SizeVariable &size : sizes)
    if (size.name == name)
      return &size;
  return nullptr;
}

/// The variable of a name that a text of lengths can have.
SizeVariable inTexts(SizeVariable variable) {
  for (char &c : variable.name)
    if (!llvm::isAlnum(c) && c != '.')
      c = '_';
  if (llvm::isDigit(variable.name.front()) || variable.name.front() == '.')
    variable.name = "_" + variable.name;
  return variable;
}

/// Each range belongs to an open dimension, and no size contradicts it.
Status checkRanges(const std::vector<ModelPort> &inputs,
                   const std::map<std::string, Ints> &shapes,
                   const std::vector<SizeVariable> &sizes) {
  std::string open;
  for (const SizeVariable &size : sizes) {
    bool isFound = false;
    for (const ModelPort &input : inputs)
      for (size_t dim = 0; dim < input.shape.size(); ++dim) {
        if (input.shape[dim] >= 0 || nameOf(input, dim) != size.name)
          continue;
        isFound = true;
        if (shapes.contains(input.name))
          return failure(Code::InvalidArgument, "dimension ", dim, " of input ",
                         quoted(input.name), " has the range ", size.text(),
                         ", and also a size, by the shape ",
                         shapeText(shapes.at(input.name)));
      }
    if (isFound)
      continue;
    for (const ModelPort &input : inputs)
      for (size_t dim = 0; dim < input.shape.size(); ++dim)
        if (const std::string name = nameOf(input, dim);
            input.shape[dim] < 0 && open.find(quoted(name)) == open.npos)
          open += (open.empty() ? "" : ", ") + quoted(name);
    return failure(Code::NotFound, "no open dimension of an input is named ",
                   quoted(size.name), ", for which a range was given: ",
                   open.empty() ? "all sizes are fixed"
                                : "the open dimensions are " + open);
  }
  return Status();
}

Result<Sizes> shapeByNames(const ModelPort &input, const Bindings &names,
                           const std::vector<SizeVariable> &sizes) {
  if (!input.ranked)
    return failure(Code::InvalidArgument, "input ", quoted(input.name),
                   " has no shape in the model: give one, as in ", input.name,
                   "=1x3x224x224");
  Sizes shape = input.shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (input.shape[i] >= 0)
      continue;
    if (const SizeVariable *range = find(sizes, nameOf(input, i))) {
      shape[i] = Size(Length(inTexts(*range)));
      continue;
    }
    const std::string &name = input.dimensions[i];
    auto bound = names.find(name);
    if (bound == names.end())
      return failure(Code::InvalidArgument, "dimension ",
                     name.empty() ? std::to_string(i) : quoted(name),
                     " of input ", quoted(input.name), ", ",
                     declaredText(input), ", has no size: give a shape, as in ",
                     exampleFor(input));
    shape[i] = bound->second.size;
  }
  return shape;
}

} // namespace

Result<std::vector<Sizes>>
glow::bindShapes(const std::vector<ModelPort> &inputs,
                 const std::map<std::string, Ints> &shapes,
                 const std::vector<SizeVariable> &sizes,
                 const std::map<std::string, Sizes> &lengths) {
  std::string inputNames;
  for (const ModelPort &input : inputs)
    inputNames += (inputNames.empty() ? "" : ", ") + quoted(input.name);
  for (auto &[name, shape] : shapes)
    if (llvm::none_of(inputs, [&](auto &input) { return input.name == name; }))
      return failure(Code::NotFound, "no input is named ", quoted(name),
                     ", for which a shape was given: the inputs are ",
                     inputNames);
  if (Status status = checkRanges(inputs, shapes, sizes); !status.ok())
    return status;
  Bindings names;
  for (const ModelPort &input : inputs)
    if (auto given = shapes.find(input.name); given != shapes.end())
      if (Status status = bindNames(input, given->second, names); !status.ok())
        return status;
  std::vector<Sizes> result;
  for (const ModelPort &input : inputs) {
    if (!input.other.empty()) {
      result.emplace_back();
      continue;
    }
    if (auto open = lengths.find(input.name); open != lengths.end()) {
      result.push_back(open->second);
      continue;
    }
    if (auto given = shapes.find(input.name); given != shapes.end()) {
      result.push_back(given->second);
      continue;
    }
    Result<Sizes> shape = shapeByNames(input, names, sizes);
    if (!shape)
      return shape.status();
    result.push_back(shape.take());
  }
  return result;
}
