//===- SizeWriter.cpp - sizes of a run as nodes of ONNX -------------------===//
// SPDX-License-Identifier: MIT

#include "SizeWriter.h"
#include "NodeProposal.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Importer/ImportContext.h"

using namespace glow;
using namespace mlir;
using llvm::StringRef;

bool glow::isListOfSizes(Operation *op) {
  auto literal = llvm::dyn_cast<Literal>(op);
  return literal && llvm::isa<LengthsAttr>(literal.getValuesAttr());
}

void SizeWriter::addInput(const std::string &name, RankedTensorType type) {
  for (auto [axis, size] : llvm::enumerate(sizesOf(type))) {
    const Length length = size.length();
    if (const SizeVariable *variable = length.variable())
      sources.try_emplace(variable->name, name, int64_t(axis));
  }
}

onnx::NodeProto &SizeWriter::add(StringRef op,
                                 const std::vector<std::string> &inputs) {
  onnx::NodeProto &node = *graph.add_node();
  node.set_op_type(op.str());
  for (const std::string &input : inputs)
    node.add_input(input);
  node.add_output(unique("size"));
  return node;
}

static void setInt(onnx::NodeProto &node, const char *name, int64_t value) {
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

std::string SizeWriter::numbers(const Ints &numbers) {
  std::string &name = known[shapeText(numbers)];
  if (name.empty()) {
    name = unique("sizes");
    onnx::TensorProto &tensor = *graph.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(int64_t(numbers.size()));
    tensor.set_raw_data(numbers.data(), numbers.size() * sizeof(int64_t));
  }
  return name;
}

std::string SizeWriter::variable(const SizeVariable &variable) {
  auto source = sources.find(variable.name);
  if (source == sources.end())
    return "";
  auto [input, axis] = source->second;
  onnx::NodeProto &node = add("Shape", {input});
  setInt(node, "start", axis);
  setInt(node, "end", axis + 1);
  return node.output(0);
}

std::string SizeWriter::binary(StringRef op, const std::string &left,
                               const std::string &right) {
  return add(op, {left, right}).output(0);
}

std::string SizeWriter::one(const Length &length) {
  struct Value {
    Length length;
    std::string name;
  };
  std::vector<Value> stack;
  bool isWritten = true;
  auto apply = [&](const Length &result, StringRef op) {
    const Value right = std::move(stack.back());
    stack.pop_back();
    Value &left = stack.back();
    const LengthRange divided = left.length.range();
    left.length = result;
    std::string &known = this->known[result.text()];
    if (op == "Div" && right.length.range().low <= 0)
      isWritten = false;
    if (!isWritten || !known.empty()) {
      left.name = known;
      return;
    }
    // ONNX rounds a quotient towards 0.
    if (op == "Div" && divided.low < 0)
      left.name =
          binary("Sub", left.name, binary("Mod", left.name, right.name));
    left.name = known = binary(op, left.name, right.name);
  };
  length.visitSteps([&](const Length::Step &step) {
    const size_t count = stack.size();
    switch (step.op) {
    case Length::Step::Number:
      stack.push_back({Length(step.number), numbers({step.number})});
      return;
    case Length::Step::Variable: {
      std::string &name = known[step.variable.name];
      if (name.empty())
        name = variable(step.variable);
      isWritten &= !name.empty();
      stack.push_back({Length(step.variable), name});
      return;
    }
    case Length::Step::Add:
      return apply(stack[count - 2].length + stack[count - 1].length, "Add");
    case Length::Step::Multiply:
      return apply(stack[count - 2].length * stack[count - 1].length, "Mul");
    case Length::Step::Quotient:
      return apply(quotient(stack[count - 2].length, stack[count - 1].length),
                   "Div");
    case Length::Step::Greater:
      return apply(greater(stack[count - 2].length, stack[count - 1].length),
                   "Max");
    case Length::Step::Lesser:
      return apply(lesser(stack[count - 2].length, stack[count - 1].length),
                   "Min");
    }
  });
  return isWritten ? stack.back().name : "";
}

std::string SizeWriter::list(const Sizes &sizes) {
  std::vector<std::string> parts;
  Ints fixed;
  std::string text;
  auto endFixed = [&] {
    if (!fixed.empty())
      parts.push_back(numbers(fixed));
    fixed.clear();
  };
  for (const Size &size : sizes) {
    text += "," + size.length().text();
    if (size.isFixed()) {
      fixed.push_back(size.extent());
      continue;
    }
    endFixed();
    parts.push_back(one(size.length()));
    if (parts.back().empty())
      return "";
  }
  endFixed();
  if (parts.empty())
    return numbers({});
  if (parts.size() == 1)
    return parts[0];
  std::string &name = known[text];
  if (name.empty()) {
    onnx::NodeProto &node = add("Concat", parts);
    setInt(node, "axis", 0);
    name = node.output(0);
  }
  return name;
}

std::string SizeWriter::tensor(const Sizes &sizes, RankedTensorType type) {
  std::string name = list(sizes);
  const ElementKind kind = *kindOf(type.getElementType());
  if (name.empty())
    return name;
  if (kind != ElementKind::I64) {
    onnx::NodeProto &cast = add("Cast", {name});
    setInt(cast, "to", onnxDataType(kind));
    name = cast.output(0);
  }
  if (type.getRank() != 1)
    name = binary("Reshape", name, numbers(Ints(type.getShape())));
  return name;
}
