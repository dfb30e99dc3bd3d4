//===- Builders.cpp - functions that build a node -------------------------===//
// SPDX-License-Identifier: MIT
//
// Builders infer the types of results by the structure that Shapes.cpp emits.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Shapes.h"
#include "Expr/Let.h"
#include "mlir/TableGen/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// A builder's parameter for an operand.
static std::string valueParameter(const TensorSignature &tensor) {
  return (tensor.variadic ? ", ::mlir::ValueRange " : ", ::mlir::Value ") +
         local(tensor.name);
}

/// The types of the parameter, as `bind` takes them.
static std::string typeArgument(const TensorSignature &tensor) {
  std::string name = local(tensor.name);
  if (tensor.variadic)
    return ", " + name + ".getTypes()";
  if (tensor.optional)
    return ", " + name + " ? " + name + ".getType() : ::mlir::Type()";
  return ", " + name + ".getType()";
}

/// An attribute of the builder, as `bind` takes it.
static std::string attributeArgument(const Attribute &attribute) {
  std::string name = local(attribute.name);
  bool list = attribute.type == Type::Ints || attribute.type == Type::Reals;
  if (list)
    return formatv(", {0}({1}.begin(), {1}.end())", cxxType(attribute.type),
                   name);
  return ", " + name + (attribute.type == Type::Text ? ".str()" : "");
}

static void addOperands(const NodeModel &node, raw_ostream &os) {
  unsigned varying = 0;
  std::string segments;
  for (const TensorSignature &tensor : node.inputs) {
    std::string name = local(tensor.name);
    varying += tensor.variadic || tensor.optional;
    segments += segments.empty() ? "" : ", ";
    if (tensor.optional)
      os << formatv("  if ({0})\n  ", name);
    segments += tensor.variadic   ? "int32_t(" + name + ".size())"
                : tensor.optional ? name + " ? 1 : 0"
                                  : "1";
    os << formatv("  state.addOperands({0});\n", name);
  }
  if (varying > 1)
    os << formatv("  state.addAttribute(\"operandSegmentSizes\", "
                  "builder.getDenseI32ArrayAttr({{{0}}));\n",
                  segments);
}

static void addAttribute(const Attribute &attribute, raw_ostream &os) {
  mlir::tblgen::FmtContext context;
  context.withBuilder("builder");
  StringRef call = attribute.kind->getValueAsString("constBuilderCall");
  if (attribute.type == Type::Ints) // of lengths, too
    call = "::glow::attributeOf($_builder.getContext(), $0)";
  os << formatv(
      "  state.addAttribute({0}, {1});\n", quoted(attribute.name),
      mlir::tblgen::tgfmt(call, &context, local(attribute.name)).str());
}

/// Adds operands and attributes, as both builders do.
static void emitFill(const NodeModel &node, raw_ostream &os) {
  os << formatv("static void fill{0}(::mlir::OpBuilder &builder, "
                "::mlir::OperationState &state",
                node.className);
  for (const TensorSignature &tensor : node.inputs)
    os << valueParameter(tensor);
  for (const Attribute &attribute : node.attributes)
    os << ", "
       << (attribute.type == Type::Ints ? parameterType(attribute.type)
                                        : attribute.parameter + " ")
       << local(attribute.name);
  os << ") {\n  (void)builder;\n";
  addOperands(node, os);
  for (const Attribute &attribute : node.attributes)
    addAttribute(attribute, os);
  os << "}\n";
}

/// The builder that ODS declares: it must give a type to every result, so that
/// a mistake shows when the node is verified.
static void emitBuild(const NodeModel &node, raw_ostream &os) {
  std::string parameters, types, arguments;
  for (const TensorSignature &tensor : node.inputs) {
    parameters += valueParameter(tensor);
    types += typeArgument(tensor);
    arguments += ", " + local(tensor.name);
  }
  for (const Attribute &attribute : node.attributes) {
    parameters += ", " + attribute.parameter + " " + local(attribute.name);
    types += attributeArgument(attribute);
    arguments += attribute.type == Type::Ints ? attributeArgument(attribute)
                                              : ", " + local(attribute.name);
  }
  os << formatv("void {0}::build(::mlir::OpBuilder &builder, "
                "::mlir::OperationState &state{1}) {{\n"
                "  fill{0}(builder, state{4});\n"
                "  {0}Shape shape;\n  auto silent = [](const ::llvm::Twine &) "
                "{{};\n  if (failed(shape.bind(silent{2})) ||\n"
                "      failed(shape.results(builder.getContext(), silent, "
                "state.types)))\n"
                "    state.types.assign({3}, builder.getNoneType());\n}\n",
                node.className, parameters, types, node.outputs.size(),
                arguments);
}

static void emitCreate(const NodeModel &node, raw_ostream &os) {
  std::string parameters, types, arguments;
  for (const TensorSignature &tensor : node.inputs) {
    parameters += valueParameter(tensor);
    types += typeArgument(tensor);
    arguments += ", " + local(tensor.name);
  }
  for (const Attribute &attribute : node.attributes) {
    std::string name = local(attribute.name);
    parameters += (", " + cxxType(attribute.type) + " " + name).str();
    types += ", " + name;
    arguments += ", " + name;
  }
  os << formatv(
      R"({0} create{0}(::mlir::OpBuilder &builder, ::mlir::Location location{1}) {{
  auto report = [&](const ::llvm::Twine &message) {{
    ::mlir::emitError(location) << "'glow.{2}' op " << message;
  };
  {0}Shape shape;
  ::mlir::OperationState state(location, {0}::getOperationName());
  if (failed(shape.bind(report{3})) ||
      failed(shape.results(builder.getContext(), report, state.types)))
    return {{};
  fill{0}(builder, state{4});
  return ::llvm::cast<{0}>(builder.create(state));
}

)",
      node.className, parameters, node.mnemonic, types, arguments);
}

void glow::gen::defineBuilders(const NodeModel &node, raw_ostream &os) {
  emitFill(node, os);
  emitBuild(node, os);
  emitCreate(node, os);
}
