//===- Tables.cpp - node tables of the compiler ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/language/Emit.h"
#include "Emit/language/Page.h"
#include "Expr/Builtin.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/rules/Continuity.h"
#include "Model/rules/InstrCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// The activations that a gate of a recurrent node may have.
static void emitCellActivations(const Model &model, raw_ostream &os) {
  os << "const ::std::vector<::glow::CellActivation> cellActivations = {\n";
  for (const Record *record : model.own("CellActivation")) {
    const NodeModel &node =
        *model.findNode(recordField<"CellActivation.node">(*record)->getName());
    auto defaults = textsField<"CellActivation.defaults">(*record);
    if (node.inputs.size() != 1 || node.attributes.size() != defaults.size())
      fatalAt(nullptr, *record,
              "'" + node.className +
                  "' as an activation must have one operand, and a default for "
                  "each of its attributes");
    os << formatv("    {{{0}, {1}, {{{2}}}, // {3}\n",
                  quoted(textField<"CellActivation.onnx">(*record)),
                  quoted(node.mnemonic), join(defaults, ", "),
                  placeOf(*record));
  }
  os << "};\n";
}

/// The function of a node's field `permuted`, and its name.
static std::string emitPermute(const Model &model, const NodeModel &node,
                               raw_ostream &os) {
  StringRef text = textField<"Node.permuted">(node.record).trim();
  if (text.empty())
    return "nullptr";
  std::string name = "permute" + node.className;
  os << formatv(R"(bool {0}(::mlir::Operation *op, const ::glow::Ints &order,
    ::mlir::NamedAttrList &attributes, ::glow::Ints &result) {{
  using namespace ::glow;
  {1}Shape shape;
  auto silent = [](const ::llvm::Twine &) {{};
  if (failed(shape.bind(::llvm::cast<{2}>(op), silent)))
    return false;
  const Sizes p = order, q = expr::inverse(p);
  (void)q;
)",
                name, node.className, qualified(node));
  Scope scope = node.scope("shape.");
  scope.define("p", Type::Ints, "p");
  scope.define("q", Type::Ints, "q");
  ValueEmitter values(model.functions, scope, node.record);
  Parser parser(text, node.record);
  bool gives = false;
  for (const Statement &statement : parser.statements()) {
    if (statement.isLoop() || statement.targets.size() > 1)
      fatalAt(statement.at, node.record,
              "'permuted' gives one value to one name");
    if (statement.targets.empty()) {
      if (!isCallOf(statement.value, Builtin::Require) ||
          statement.value->children.size() != 2)
        fatalAt(statement.at, node.record,
                "'permuted' assigns, or refuses by require(condition, "
                "\"why\")");
      os << formatv("  if (!{0})\n    return false;\n",
                    values.emitAs(statement.value->children[0], Type::Bool,
                                  "the condition"));
      continue;
    }
    StringRef target = statement.targets[0]->text;
    const Attribute *attribute = node.findAttribute(target);
    if (target == "result") {
      gives = true;
      os << "  result = "
         << values.emitAs(statement.value, Type::Ints, "'result'") << ";\n";
    } else if (attribute) {
      os << formatv("  attributes.set({0}, attributeOf(op->getContext(), "
                    "{1}));\n",
                    quoted(target),
                    values.emitAs(statement.value, attribute->type, target));
    } else {
      fatalAt(statement.at, node.record,
              "'" + node.className + "' has no attribute '" + target + "'");
    }
  }
  if (!gives)
    fatalAt(nullptr, node.record,
            "'permuted' of '" + node.className + "' does not say 'result'");
  os << "  return true;\n}\n\n";
  return name;
}

/// See NodeInfo::factors.
static std::string factorBits(const Model &model, const NodeModel &node) {
  uint64_t bits = 0;
  for (size_t operand : factorsOf(model, node))
    bits |= uint64_t(1) << operand;
  return std::to_string(bits);
}

/// Whether the call returns integers as they are.
static bool isRounding(const Expr &call) {
  return is_contained({"floor", "ceil", "round"}, call.text);
}

/// Whether integers have all operations of a formula.
static bool isOfIntegers(const ExprPtr &expr) {
  switch (expr->kind) {
  case Expr::Kind::Integer:
  case Expr::Kind::Name:
    break;
  case Expr::Kind::Unary:
    if (!is_contained({"-", "!"}, expr->text))
      return false;
    break;
  case Expr::Kind::Binary:
    if (expr->text == "%") // of elements, with the sign of the dividend
      return false;
    break;
  case Expr::Kind::Call:
    if (!is_contained({"max", "min", "abs", "if"}, expr->text) &&
        !isRounding(*expr))
      return false;
    break;
  default:
    return false;
  }
  return all_of(expr->children, isOfIntegers);
}

static bool divides(const ExprPtr &expr) {
  return (expr->kind == Expr::Kind::Binary && expr->text == "/") ||
         any_of(expr->children, divides);
}

/// Elements divide towards zero, sizes towards minus infinity.
static ExprPtr asElements(const ExprPtr &expr) {
  if (expr->kind == Expr::Kind::Call && isRounding(*expr))
    return asElements(expr->children.front());
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = asElements(child);
  if (copy->kind == Expr::Kind::Binary && copy->text == "/") {
    copy->kind = Expr::Kind::Call;
    copy->text = "truncatedQuotient";
    copy->labels.assign(2, "");
  }
  return copy;
}

/// Whether all elements of an operand are booleans.
static bool isBoolean(const NodeModel &node, const TensorSignature &tensor) {
  if (!isUpper(tensor.kind[0]))
    return tensor.kind == "bool";
  const auto kinds = node.kindsOf(tensor);
  return kinds.size() == 1 && kinds[0] == "bool";
}

/// NodeInfo::onSizes and NodeInfo::onWholeReals.
static std::string emitOnSizes(const Model &model, const NodeModel &node,
                               raw_ostream &os) {
  if (node.formula.empty() || !node.attributes.empty() ||
      !isOfIntegers(node.formulaTree()))
    return "nullptr, nullptr";
  Scope scope;
  for (auto [i, tensor] : enumerate(node.inputs)) {
    const std::string element = ("operands[" + Twine(i) + "]").str();
    if (isBoolean(node, tensor))
      scope.define(tensor.name, Type::Bool, "(" + element + " != int64_t(0))");
    else
      scope.define(tensor.name, Type::Int, element);
  }
  const TypedCode value = ValueEmitter(model.functions, scope, node.record)
                              .emit(asElements(node.formulaTree()));
  const std::string name = node.mnemonic + "OnSizes";
  os << formatv("::glow::Size {0}(::llvm::ArrayRef<::glow::Size> operands) "
                "{{\n  return {1};\n}\n\n",
                name,
                value.type == Type::Bool
                    ? "::glow::Size(int64_t(" + value.code + "))"
                    : value.code);
  return name + ", " + (divides(node.formulaTree()) ? "nullptr" : name);
}

static std::string operandRows(const NodeModel &node) {
  std::string rows;
  for (const TensorSignature &tensor : node.inputs)
    rows += formatv("{{{0}, ::glow::Count::{1}}, ", quoted(tensor.name),
                    tensor.variadic   ? "Many"
                    : tensor.optional ? "Optional"
                                      : "One");
  return rows;
}

static std::string attributeRows(const NodeModel &node) {
  std::string rows;
  for (const Attribute &attribute : node.attributes)
    rows +=
        formatv("{{{0}, ::glow::AttributeForm::{1}}, ", quoted(attribute.name),
                textField<"AttributeKind.form">(*attribute.kind));
  return rows;
}

/// Emits the table that the integer form of a node needs, and returns the C++
/// of the form itself: `{ConvIntegers, false, false, false}`.
static std::string emitQuantizedForm(const NodeModel &node, raw_ostream &os) {
  std::string rows;
  for (const Record *entry : recordsField<"Node.integers">(node.record)) {
    const TensorSignature *operand =
        node.findInput(textField<"Integers.input">(*entry));
    rows += formatv("    {{{0}, {1}, {2}, {3}, {4}},\n",
                    operand - node.inputs.data(), operand->variadic,
                    intField<"Integers.channels">(*entry),
                    bitField<"Integers.isWeights">(*entry),
                    bitField<"Integers.isBias">(*entry));
  }
  const std::string table = node.className + "Integers";
  if (!rows.empty())
    os << formatv("constexpr ::glow::IntegerInput {0}[] = {{\n{1}};\n", table,
                  rows);
  return formatv("{{{0}, {1}, {2}, {3}}", rows.empty() ? "{}" : table,
                 bitField<"Node.keepsRange">(node.record),
                 bitField<"Node.rescales">(node.record),
                 bitField<"Node.isAffine">(node.record));
}

static bool emitNodeTable(const Model &model, raw_ostream &os) {
  std::map<std::string, std::string> permutes, forms, onSizes;
  os << "namespace {\n\n";
  for (const NodeModel *node : model.ownNodes()) {
    permutes[node->className] = emitPermute(model, *node, os);
    forms[node->className] = emitQuantizedForm(*node, os);
    onSizes[node->className] = emitOnSizes(model, *node, os);
  }
  os << "} // namespace\n\n";
  os << "const ::std::vector<::glow::NodeInfo> nodeTable = {\n";
  for (const NodeModel *node : model.ownNodes()) {
    StringRef kernel = !node->formula.empty()       ? "Formula"
                       : !node->compute.empty()     ? "Compute"
                       : !node->hand.empty()        ? "Hand"
                       : hasReference(model, *node) ? "Instrs"
                                                    : "None";
    std::string tolerance;
    for (const auto &[kind, number] : node->tolerances)
      tolerance +=
          formatv("{{::glow::ElementKind::{0}, {1}}, ",
                  kind == "bool" ? "Bool" : StringRef(kind).upper(), number);
    os << formatv(
        "    {{\"glow.{0}\", {1}, {2}, {3}, "
        "::glow::NodeKernel::{4}, {5}, {6},\n"
        "     ::glow::inferResults<{7}, {7}Shape>, {{{8}}, {9}, {10},\n"
        "     {11}, {12}, {13}, {{{14}}, {{{15}}, {16}, {17}},\n",
        node->mnemonic, quoted(node->family),
        quoted(node->record.getValueAsString("summary")), node->tier, kernel,
        quoted(placeOf(node->record)), permutes[node->className],
        qualified(*node), tolerance,
        quoted(textField<"Node.backend">(node->record)),
        quoted(node->forward ? "glow." + mnemonicOf(*node->forward) : ""),
        quoted(meaningOf(*node)), jumps(model, *node) ? "true" : "false",
        factorBits(model, *node), operandRows(*node), attributeRows(*node),
        forms[node->className], onSizes[node->className]);
  }
  os << "};\n";
  emitCellActivations(model, os);
  return false;
}

static Emitter nodeTable("gen-node-table", "emit the table of nodes",
                         emitNodeTable);
