//===- GraphMethods.cpp - methods that build nodes ------------------------===//
// SPDX-License-Identifier: MIT
//
// The methods of glow::api::Graph (glow/graph.hpp) in C++, and of glow.Graph in
// Python. Their parameters are the operands and the attributes of the record.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Emit.h"
#include "Expr/Fields.h"
#include "glow/Base/WordsOfCxx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

namespace {
struct Parameter {
  std::string type, name;
  std::string initially; ///< of C++; "" if it must be given
};
} // namespace

/// The type of an attribute's parameter in C++ and in Python; "" for a formula,
/// which only passes make.
static std::pair<StringRef, StringRef> typesOf(const Attribute &attribute) {
  using Types = std::pair<StringRef, StringRef>;
  return StringSwitch<Types>(attribute.kind->getValueAsString("form"))
      .Case("Int", {"int64_t ", "int"})
      .Case("Flag", {"bool ", "bool"})
      .Case("Real", {"double ", "float"})
      .Case("Text", {"const std::string &", "str"})
      .Case("Ints", {"const std::vector<int64_t> &", "Sequence[int]"})
      .Case("Reals", {"const std::vector<double> &", "Sequence[float]"})
      .Case("Kind", {"glow_kind ", "Kind"})
      .Default({"", ""});
}

/// The value of an attribute that may be left out; "" for an expression of
/// other values.
static StringRef valueOf(const Attribute &attribute) {
  StringRef text = StringRef(attribute.initially).trim();
  const bool isValue = text == "true" || text == "false" ||
                       text.starts_with("\"") || text.starts_with("[") ||
                       text.find_first_not_of("0123456789.-") == text.npos;
  return isValue ? text : "";
}

static std::string nameInCxx(StringRef name) {
  return name.str() + (glow::isWordOfCxx(name) ? "_" : "");
}

/// `self` and `name` are parameters of each method.
static std::string nameInPython(StringRef name) {
  static const StringSet<> words = {
      "False",  "None",   "True",    "and",      "as",       "assert", "async",
      "await",  "break",  "class",   "continue", "def",      "del",    "elif",
      "else",   "except", "finally", "for",      "from",     "global", "if",
      "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
      "pass",   "raise",  "return",  "try",      "while",    "with",   "yield",
      "self",   "name"};
  return name.str() + (words.contains(name) ? "_" : "");
}

static std::vector<Parameter> parametersOf(const NodeModel &node) {
  std::vector<Parameter> parameters;
  for (const TensorSignature &tensor : node.inputs)
    parameters.push_back(
        {tensor.variadic ? "const std::vector<Value> &" : "Value ",
         nameInCxx(tensor.name), tensor.optional ? "{}" : ""});
  for (const Attribute &attribute : node.attributes) {
    std::string value = valueOf(attribute).str();
    if (StringRef(value).starts_with("["))
      value = "{" + value.substr(1, value.size() - 2) + "}";
    parameters.push_back(
        {typesOf(attribute).first.str(), nameInCxx(attribute.name), value});
  }
  // Values can be left out from the end.
  bool isLast = true;
  for (Parameter &parameter : reverse(parameters)) {
    isLast = isLast && !parameter.initially.empty();
    if (!isLast)
      parameter.initially.clear();
  }
  return parameters;
}

/// Whether people build the node: no gradient, no node of a backend, and none
/// that only passes make.
static bool isForPeople(const NodeModel &node) {
  return !node.forward && textField<"Node.backend">(node.record).empty() &&
         none_of(node.attributes, [](const Attribute &attribute) {
           return typesOf(attribute).first.empty();
         });
}

static void emitMethod(const NodeModel &node, raw_ostream &os) {
  const bool isOne = node.outputs.size() == 1 && !node.outputs[0].variadic;
  os << "/// " << node.record.getValueAsString("summary") << "\n"
     << (isOne ? "Value " : "std::vector<Value> ") << nameInCxx(node.mnemonic)
     << "(";
  ListSeparator comma;
  for (const Parameter &parameter : parametersOf(node))
    os << comma << parameter.type << parameter.name
       << (parameter.initially.empty() ? "" : " = " + parameter.initially);
  os << ") {\n  Node node(\"" << node.mnemonic << "\");\n";
  for (const TensorSignature &tensor : node.inputs)
    os << "  node.operand(\"" << tensor.name << "\", " << nameInCxx(tensor.name)
       << ");\n";
  for (const Attribute &attribute : node.attributes)
    os << "  node.attribute(\"" << attribute.name << "\", "
       << nameInCxx(attribute.name) << ");\n";
  os << "  return add(node)" << (isOne ? "[0]" : "") << ";\n}\n";
}

/// Operands are positional. Optional operands at the end, and attributes with a
/// value in the record, may be left out.
static void emitPythonMethod(const NodeModel &node, raw_ostream &os) {
  const bool isOne = node.outputs.size() == 1 && !node.outputs[0].variadic;
  os << "\n    def " << nameInPython(node.mnemonic) << "(self";
  ListSeparator ofOperands, ofAttributes;
  std::string operands, attributes;
  raw_string_ostream operandsText(operands), attributesText(attributes);
  size_t required = node.inputs.size(), index = 0;
  while (required && node.inputs[required - 1].optional)
    --required;
  for (const TensorSignature &tensor : node.inputs) {
    const std::string name = nameInPython(tensor.name);
    StringRef type = tensor.variadic   ? "Sequence[Value]"
                     : tensor.optional ? "Optional[Value]"
                                       : "Value";
    os << ", " << name << ": " << type
       << (index++ < required ? ""
           : tensor.variadic  ? " = ()"
                              : " = None");
    operandsText << ofOperands << '"' << tensor.name << "\": " << name;
  }
  os << ", *";
  for (const Attribute &attribute : node.attributes) {
    const std::string name = nameInPython(attribute.name);
    StringRef value = valueOf(attribute);
    os << ", " << name << ": " << typesOf(attribute).second;
    if (!value.empty())
      os << " = "
         << (value == "true"    ? "True"
             : value == "false" ? "False"
                                : value);
    attributesText << ofAttributes << '"' << attribute.name << "\": " << name;
  }
  os << ", name: str = \"\") -> " << (isOne ? "Value" : "Tuple[Value, ...]")
     << ":\n        \"\"\"" << node.record.getValueAsString("summary")
     << "\"\"\"\n        return self._" << (isOne ? "one" : "all") << "(\""
     << node.mnemonic << "\", name, {" << operands << "}, {" << attributes
     << "})\n";
}

static bool emitMethods(const Model &model, raw_ostream &os) {
  os << "// SPDX-License-Identifier: MIT\n//\n// Generated by ClassGen from "
        "the "
        "records of nodes. The body of a class.\n\n";
  for (const std::unique_ptr<NodeModel> &node : model.nodes)
    if (isForPeople(*node))
      emitMethod(*node, os);
  return false;
}

static bool emitPythonMethods(const Model &model, raw_ostream &os) {
  os << R"(# SPDX-License-Identifier: MIT
"""Generated by ClassGen from the records of nodes: methods that build them."""

from __future__ import annotations

from typing import Optional, Sequence, Tuple

from ._graph_nodes import Kind, NodeAdder, Value


class GraphMethods(NodeAdder):
    """A method for each node: its operands, then its attributes by name."""
)";
  for (const std::unique_ptr<NodeModel> &node : model.nodes)
    if (isForPeople(*node))
      emitPythonMethod(*node, os);
  return false;
}

static Emitter methods("gen-graph-methods",
                       "emit the methods of C++ that build nodes", emitMethods);
static Emitter ofPython("gen-graph-methods-python",
                        "emit the methods of Python that build nodes",
                        emitPythonMethods);
