//===- Samples.cpp - test builders of samples -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Every node is tested by the samples of its record. A sample is built from
// types given as texts, on each kind that its variables may stand for. Results
// of the interpreter are compared with those of the lowering. A sample that
// breaks a requirement must be refused by that requirement.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Emit.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// The values of a sample's attributes, as arguments of the node's `create`.
static std::string attributesOf(const Model &model, const NodeModel &node,
                                const SampleModel &sample) {
  std::map<std::string, ExprPtr> given;
  for (StringRef text : {textField<"Node.sampleValues">(node.record),
                         StringRef(sample.attributes)}) {
    Parser parser(text, node.record);
    for (const Statement &statement : parser.values()) {
      const std::string &name = statement.targets[0]->text;
      if (!node.findAttribute(name))
        parser.fail("'" + node.className + "' has no attribute '" + name + "'",
                    statement.at);
      given[name] = statement.value;
    }
  }
  Scope none;
  ValueEmitter values(model.functions, none, node.record);
  std::string code;
  for (const Attribute &attribute : node.attributes) {
    ExprPtr value = given[attribute.name];
    if (!value && attribute.initially.empty())
      fatalAt(nullptr, node.record,
              "sample '" + sample.label + "' gives no value to attribute '" +
                  attribute.name + "'");
    if (!value)
      value = Parser(attribute.initially, *attribute.kind).expression();
    if (attribute.type == Type::Kind)
      code +=
          ", kind(" + quoted(attribute.name) + ", " + quoted(value->text) + ")";
    else
      code += ", " + values.emitAs(value, attribute.type, attribute.name);
  }
  return code;
}

/// Operands come in one list; this code maps each operand to its part of the
/// list.
static std::string operandsOf(const NodeModel &node, const SampleModel &sample,
                              std::string &types) {
  std::string code;
  size_t next = 0;
  for (auto [tensor, text] : llvm::zip(node.inputs, sample.operands)) {
    SmallVector<StringRef> parts;
    StringRef(text).split(parts, ';', -1, /*KeepEmpty=*/false);
    bool varies = node.kinds.contains(tensor.kind) || isUpper(tensor.kind[0]);
    for (StringRef part : parts)
      types += formatv("{{{0}, {1}}, ", quoted(part.trim()),
                       quoted(varies ? tensor.kind : ""));
    if (tensor.variadic)
      code += formatv(", operands.slice({0}, {1})", next, parts.size());
    else if (parts.empty())
      code += ", ::mlir::Value()";
    else
      code += formatv(", operands[{0}]", next);
    next += parts.size();
  }
  return code;
}

/// Each variable of the signature with the kinds that it may stand for.
static std::string variablesOf(const NodeModel &node) {
  std::map<std::string, std::vector<std::string>> variables;
  auto collect = [&](const std::vector<TensorSignature> &tensors) {
    for (const TensorSignature &tensor : tensors)
      if (isUpper(tensor.kind[0]) || node.findAttribute(tensor.kind))
        variables[tensor.kind] = node.kindsOf(tensor);
  };
  collect(node.inputs);
  collect(node.outputs);
  std::string code;
  for (const auto &[variable, kinds] : variables) {
    std::string list;
    for (const std::string &kind : kinds)
      list += quoted(kind) + ", ";
    code += formatv("{{{0}, {{{1}}}, ", quoted(variable), list);
  }
  return code;
}

static bool emitSamples(const Model &model, raw_ostream &os) {
  std::string table;
  for (const NodeModel *node : model.ownNodes())
    for (const SampleModel &sample : node->samples) {
      std::string types;
      std::string operands = operandsOf(*node, sample, types);
      table += formatv(
          R"(    {{{0}, {1}, {2}, {{{3}}, {{{4}},
     [](::mlir::OpBuilder &builder, ::mlir::Location location,
        ::mlir::ValueRange operands, ::glow::SampleKinds kind) -> ::mlir::Operation * {{
       auto node = ::glow::create{5}(builder, location{6}{7});
       return node ? node.getOperation() : nullptr;
     }}, // {8}
)",
          quoted("glow." + node->mnemonic), quoted(sample.label),
          quoted(sample.refuses), types,
          sample.asWritten ? "" : variablesOf(*node), node->className, operands,
          attributesOf(model, *node, sample), placeOf(node->record));
    }
  os << "const ::std::vector<::glow::SampleInfo> sampleTable = {\n"
     << table << "};\n";
  return false;
}

static Emitter samples("gen-samples", "emit the samples of nodes for the tests",
                       emitSamples);
