//===- Shapes.cpp - from signatures to inference, verifiers and builders --===//
// SPDX-License-Identifier: MIT
//
// Every node gets a structure `<Node>Shape` with its attributes, the sizes that
// its signature names and its element kinds; `bind` fills and checks it. The
// verifiers of the node and of its instruction, the builders, rules and
// legality all use the same structure.
//
// A signature is read from the left: a name that stands for the first time
// takes the size it finds, any other is compared. The order of operands is
// therefore the order of the checks, and a message can name the earlier operand
// that a size contradicts. Requirements come after all operands, since they may
// use any name. Sizes of results come after the requirements, as a result may
// only be computable where they hold.
//===----------------------------------------------------------------------===//

#include "Emit/language/Shapes.h"
#include "Expr/Fields.h"
#include "Expr/Let.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static std::string operandParameters(const SignedModel &node) {
  std::string code;
  for (const TensorSignature &tensor : node.inputs)
    code += std::string(", ") +
            (tensor.variadic ? "::mlir::TypeRange " : "::mlir::Type ") +
            local(tensor.name);
  return code;
}

static std::string attributeParameters(const SignedModel &node) {
  std::string code;
  for (const Attribute &attribute : node.attributes)
    code +=
        (", " + cxxType(attribute.type) + " " + local(attribute.name)).str();
  return code;
}

void glow::gen::declareShape(const SignedModel &model, raw_ostream &os) {
  os << formatv("/// {0}\nstruct {1}Shape {{\n", sourceOf(model.record),
                model.className);
  for (const Attribute &attribute : model.attributes)
    os << formatv("  {0} {1}{{};\n", cxxType(attribute.type), attribute.name);
  for (const auto &[name, type] : model.dimensionNames())
    os << formatv("  {0} {1}{{};\n", cxxType(type), name);
  for (const std::string &kind : model.kindVariables())
    os << formatv("  ::mlir::Type {0};\n", kind);
  os << "  ::llvm::LogicalResult bind(::glow::Report report"
     << operandParameters(model) << attributeParameters(model) << ");\n";
}

static void declareLets(const Model &model, raw_ostream &os) {
  os << "namespace expr {\n";
  for (const LetFunction *function : model.functions.lets())
    if (function->onValues() && model.isOwn(*function->record))
      os << "/// " << sourceOf(*function->record) << "\n"
         << declarationOf(*function) << ";\n";
  os << "} // namespace expr\n\n";
}

static bool emitDeclarations(const Model &model, raw_ostream &os) {
  declareLets(model, os);
  for (const NodeModel *node : model.ownNodes()) {
    declareShape(*node, os);
    os << formatv("  ::llvm::LogicalResult bind({0} node, ::glow::Report "
                  "report);\n",
                  node->className)
       << "  ::llvm::LogicalResult results(::mlir::MLIRContext *context, "
          "::glow::Report report,\n"
       << "      ::llvm::SmallVectorImpl<::mlir::Type> &types) const;\n};\n";
    os << formatv("/// Makes the node, or reports why not and returns null.\n"
                  "{0} create{0}(::mlir::OpBuilder &builder, ::mlir::Location "
                  "location",
                  node->className);
    for (const TensorSignature &tensor : node->inputs)
      os << (tensor.variadic ? ", ::mlir::ValueRange " : ", ::mlir::Value ")
         << local(tensor.name);
    for (const Attribute &attribute : node->attributes)
      os << ", " << cxxType(attribute.type) << " " << local(attribute.name);
    os << ");\n\n";
  }
  return false;
}

/// The C++ of the sizes of a result; `each` is what stands for `list...`.
static std::string sizesOf(const ValueEmitter &values,
                           const TensorSignature &tensor, StringRef each) {
  std::string parts;
  for (const Dimension &dim : tensor.dims) {
    parts += parts.empty() ? "" : ", ";
    if (dim.form == Dimension::Form::Each)
      parts += each;
    else
      parts += values.emitAs(
          dim.value, dim.form == Dimension::Form::Rest ? Type::Ints : Type::Int,
          "a size of a result");
  }
  return "::glow::expr::sizes(" + parts + ")";
}

namespace {

/// Writes the body of one `bind`.
class BindEmitter {
public:
  BindEmitter(const Model &model, const SignedModel &node, raw_ostream &os)
      : node(node), os(os), scope(node.scope("")),
        values(model.functions, scope, node.record) {
    for (const TensorSignature &tensor : node.inputs)
      // A requirement may count what a variadic operand has.
      if (tensor.variadic && !scope.find(tensor.name))
        scope.define(tensor.name, Type::Tensors, local(tensor.name));
  }

  void emit() {
    os << "  ::glow::expr::hasOverflowed() = false;\n";
    for (const Attribute &attribute : node.attributes)
      bound.insert(attribute.name);
    for (const TensorSignature &tensor : node.inputs)
      operand(tensor);
    for (const Requirement &requirement : node.requirements)
      os << formatv("  ::glow::labelConditions({0});\n",
                    quoted(requirement.label))
         << formatv(
                "  if (!{0} || ::glow::expr::hasOverflowed()) {{\n    "
                "report({1});\n"
                "    return ::llvm::failure();\n  }\n",
                values.emitAs(requirement.condition, Type::Bool,
                              "a requirement"),
                messageCode(requirement.message, values, *requirement.record) +
                    " + " + quoted(" [" + requirement.label + "]"));
    // Sizes of results can be computed when all of that holds.
    for (const TensorSignature &tensor : node.inputs)
      for (const Dimension &dim : tensor.dims)
        if (dim.within)
          repeated(tensor, dim.within);
    if (!node.requirements.empty())
      os << "  ::glow::labelConditions(\"\");\n";
    os << "  return ::glow::checkSizes(report);\n";
  }

private:
  void check(const std::string &condition) {
    os << indent << "if (!" << condition << ")\n"
       << indent << "  return ::llvm::failure();\n";
  }

  void operand(const TensorSignature &tensor) {
    os << formatv("  // {0}: {1}\n", tensor.name, tensor.text);
    std::string type = local(tensor.name);
    std::string label = "\"operand '" + tensor.name + "'\"";
    if (tensor.variadic) {
      os << formatv("  for (auto [index, type] : ::llvm::enumerate({0})) {{\n",
                    type);
      os << "    bool first = index == 0;\n    (void)first;\n";
      label = "\"operand '" + tensor.name + "' \" + std::to_string(index)";
      type = "type";
      indent = "    ";
    } else if (tensor.optional) {
      os << formatv("  if ({0}) {{\n", type);
      indent = "    ";
    } else {
      os << "  {\n";
      indent = "    ";
    }
    os << indent
       << formatv(
              "::glow::OperandReader operandReader(report, {0}, {1}, {2});\n",
              label, quoted(shown(tensor)), type);
    kind(tensor);
    StringSet<> here;
    for (auto [i, dim] : enumerate(tensor.dims))
      dimension(tensor, i, here);
    for (const auto &name : here)
      bound.insert(name.getKey());
    // The rank is checked after all dimensions are read: surplus sizes are a
    // wrong rank, which is reported with the whole signature.
    check("operandReader.end()");
    os << "  }\n";
    indent = "  ";
  }

  static std::string shown(const TensorSignature &tensor) {
    return StringRef(tensor.text)
        .drop_front(tensor.kind.size())
        .rtrim("?.")
        .str();
  }

  void kind(const TensorSignature &tensor) {
    std::string allowed;
    bool variable = isUpper(tensor.kind[0]);
    if (!variable || node.kinds.count(tensor.kind))
      for (const std::string &name : node.kindsOf(tensor))
        allowed += (allowed.empty() ? "" : ", ") + quoted(name);
    if (!variable)
      os << indent << "::mlir::Type kind;\n";
    check(formatv("operandReader.kind({0}, {1}, {{{2}})",
                  variable ? tensor.kind : "kind", quoted(tensor.kind), allowed)
              .str());
  }

  /// The operand broadcasts to the sizes of a result, or to a list of sizes.
  void repeated(const TensorSignature &tensor, const ExprPtr &within) {
    const TensorSignature *result = within->kind == Expr::Kind::Name
                                        ? node.findOutput(within->text)
                                        : nullptr;
    std::string sizes = result ? sizesOf(values, *result, "")
                               : values.emitAs(within, Type::Ints, "'<='");
    if (tensor.dims.size() != 1)
      values.fail(within, "'*<=' is for an operand that has no other sizes");
    os << formatv("  if (!::glow::broadcastAll(report, \"operand '{0}'\", "
                  "{1}, {2}))\n    return ::llvm::failure();\n",
                  tensor.name, local(tensor.name), sizes);
  }

  /// The number of sizes after dimension `index`, as C++.
  std::string sizesAfter(const TensorSignature &tensor, size_t index) {
    int64_t fixed = 0;
    std::string code;
    for (size_t i = index + 1; i < tensor.dims.size(); ++i) {
      const Dimension &dim = tensor.dims[i];
      if (dim.form != Dimension::Form::Rest)
        ++fixed;
      else if (dim.count)
        code += " + " + values.emitAs(dim.count, Type::Int, "a count");
      else // known from an operand before
        code += " + ::glow::expr::size(" +
                values.emitAs(dim.value, Type::Ints, "'*'") + ")";
    }
    return "int64_t(" + std::to_string(fixed) + ")" + code;
  }

  void dimension(const TensorSignature &tensor, size_t index,
                 StringSet<> &here) {
    const Dimension &dim = tensor.dims[index];
    if (dim.form == Dimension::Form::Any) {
      check("operandReader.skip(" + sizesAfter(tensor, index) + ")");
      return;
    }
    bool isName = dim.value->kind == Expr::Kind::Name;
    const std::string &name = dim.value->text;
    // Names of this operand are apart until it ends: a variadic one meets them
    // again with each tensor.
    bool binds = isName && !bound.contains(name) && !here.contains(name);
    std::string text = quoted(textOf(dim.value));
    if (dim.form == Dimension::Form::Each) {
      if (!tensor.variadic || !isName)
        values.fail(dim.value, "'...' gives a name to a size of each variadic "
                               "operand");
      os << indent << name << ".emplace_back();\n";
      check("operandReader.next(" + name + ".back())");
      here.insert(name);
      return;
    }
    if (binds)
      here.insert(name);
    if (dim.form == Dimension::Form::Size) {
      std::string same = "operandReader.same(" +
                         values.emitAs(dim.value, Type::Int, "a size") + ", " +
                         text + ")";
      conditional(tensor, binds, "operandReader.next(" + name + ")", same);
      return;
    }
    std::string same = "operandReader.sameRest(" +
                       values.emitAs(dim.value, Type::Ints, "'*'") + ", " +
                       text + ")";
    std::string bind;
    if (dim.count)
      bind = "operandReader.take(" + name + ", " +
             values.emitAs(dim.count, Type::Int, "a count") + ")";
    else
      bind = "operandReader.rest(" + name + ", " + sizesAfter(tensor, index) +
             (dim.ranks
                  ? formatv(", {0}, {1}", dim.ranks->first, dim.ranks->second)
                        .str()
                  : "") +
             ")";
    conditional(tensor, binds, bind, same);
  }

  /// A variadic operand binds with its first tensor and is checked later.
  void conditional(const TensorSignature &tensor, bool binds,
                   const std::string &bind, const std::string &same) {
    if (!binds)
      check(same);
    else if (tensor.variadic)
      check("(first ? " + bind + " : " + same + ")");
    else
      check(bind);
  }

  const SignedModel &node;
  raw_ostream &os;
  Scope scope;
  ValueEmitter values;
  StringSet<> bound;
  std::string indent = "  ";
};

} // namespace

void glow::gen::defineBind(const Model &model, const SignedModel &of,
                           raw_ostream &os) {
  os << formatv("// {0}\n::llvm::LogicalResult {1}Shape::bind(::glow::Report "
                "report{2}{3}) {{\n",
                sourceOf(of.record), of.className, operandParameters(of),
                attributeParameters(of));
  for (const Attribute &attribute : of.attributes)
    os << formatv("  {0} = {1};\n", attribute.name, local(attribute.name));
  BindEmitter(model, of, os).emit();
  os << "}\n";
}

std::string glow::gen::valueOf(const Attribute &attribute, StringRef op) {
  std::string name = (op + "." + getterOf(attribute.name)).str();
  if (attribute.type == Type::Ints)
    return "::glow::sizesOf(" + name + "Attr())";
  if (attribute.type == Type::Reals)
    return formatv("{0}({1}().begin(), {1}().end())", cxxType(attribute.type),
                   name);
  return name + (attribute.type == Type::Text ? "().str()" : "()");
}

std::string glow::gen::attributeArguments(const SignedModel &model,
                                          StringRef op) {
  std::string code;
  for (const Attribute &attribute : model.attributes) {
    code += ", " + valueOf(attribute, op);
  }
  return code;
}

static void emitBindNode(const NodeModel &node, raw_ostream &os) {
  os << formatv("::llvm::LogicalResult {0}Shape::bind({0} node, ::glow::Report "
                "report) {{\n  return bind(report",
                node.className);
  for (const TensorSignature &tensor : node.inputs) {
    std::string get = "node." + getterOf(tensor.name) + "()";
    if (tensor.variadic)
      os << ", " << get << ".getTypes()";
    else if (tensor.optional)
      os << formatv(", {0} ? ::mlir::Type({0}.getType()) : ::mlir::Type()",
                    get);
    else
      os << ", " << get << ".getType()";
  }
  os << attributeArguments(node, "node") << ");\n}\n";
}

/// The C++ of a result's element kind.
/// A variable, an attribute that is a kind, or a kind by its name.
static std::string resultKind(const SignedModel &node,
                              const TensorSignature &tensor) {
  if (isUpper(tensor.kind[0]) || node.findAttribute(tensor.kind))
    return tensor.kind;
  return "::glow::kindNamed(context, " + quoted(tensor.kind) + ")";
}

std::string glow::gen::bufferType(const Model &model, const SignedModel &of,
                                  const TensorSignature &tensor,
                                  const Scope &scope) {
  std::string kind = resultKind(of, tensor);
  return formatv(
      "::glow::resultType(report, {0}, {1}{2}, [&] {{ return {3}; })",
      quoted(tensor.name), kind == tensor.kind ? "shape." : "", kind,
      sizesOf(ValueEmitter(model.functions, scope, of.record), tensor, ""));
}

static void emitResultShape(const NodeModel &node, const ValueEmitter &values,
                            const TensorSignature &tensor, StringRef each,
                            raw_ostream &os) {
  os << formatv("    if (::mlir::Type type = ::glow::resultType(report, {0}, "
                "{1}, [&] {{ return {2}; }))\n"
                "      types.push_back(type);\n"
                "    else\n      return ::llvm::failure();\n",
                quoted(tensor.name), resultKind(node, tensor),
                sizesOf(values, tensor, each));
}

static void emitResults(const Model &model, const NodeModel &node,
                        raw_ostream &os) {
  Scope scope = node.scope("");
  ValueEmitter values(model.functions, scope, node.record);
  os << formatv("::llvm::LogicalResult {0}Shape::results(::mlir::MLIRContext "
                "*context, ::glow::Report report,\n"
                "    ::llvm::SmallVectorImpl<::mlir::Type> &types) const {{\n",
                node.className);
  for (const TensorSignature &tensor : node.outputs) {
    const Dimension *each = nullptr;
    for (const Dimension &dim : tensor.dims)
      if (dim.form == Dimension::Form::Each)
        each = &dim;
    if (tensor.variadic && !each)
      values.fail(makeExpr(Expr::Kind::Name, "", {}, tensor.at),
                  "a variadic result needs a size `list...`, one result for "
                  "each element");
    if (each)
      os << formatv("  for (const ::glow::Size &each : {0}) {{\n",
                    values.emitAs(each->value, Type::Ints, "'...'"));
    else
      os << "  {\n";
    emitResultShape(node, values, tensor, "each", os);
    os << "  }\n";
  }
  os << "  return ::llvm::success();\n}\n";
}

static void emitVerify(const NodeModel &node, raw_ostream &os) {
  os << formatv(R"(::llvm::LogicalResult {0}::verify() {{
  auto report = [&](const ::llvm::Twine &message) {{ emitOpError(message); };
  ::llvm::SmallVector<::mlir::Type> types;
  if (failed(::glow::inferResults<{0}, {0}Shape>(*this, report, types)))
    return ::llvm::failure();
  return ::glow::verifyResults(*this, types);
}
)",
                node.className);
}

/// The functions on values that Let records write.
static void defineLets(const Model &model, raw_ostream &os) {
  os << "namespace expr {\n\n";
  for (const LetFunction *function : model.functions.lets())
    if (function->onValues() && model.isOwn(*function->record)) {
      os << "/// " << sourceOf(*function->record) << "\n";
      defineLet(*function, model.functions, os);
    }
  os << "} // namespace expr\n\n";
}

static bool emitDefinitions(const Model &model, raw_ostream &os) {
  declareFunctions(model, os);
  defineLets(model, os);
  for (const NodeModel *node : model.ownNodes()) {
    defineBind(model, *node, os);
    emitBindNode(*node, os);
    emitResults(model, *node, os);
    emitVerify(*node, os);
    defineBuilders(*node, os);
  }
  return false;
}

static Emitter declarations("gen-shape-decls",
                            "declare the shape structure of each node",
                            emitDeclarations);
static Emitter definitions("gen-shape-defs",
                           "define shapes, verifiers and builders of nodes",
                           emitDefinitions);
