//===- VectorFunctions.cpp - formulas of sixteen elements, in C++ ---------===//
//
// The CPU backend's code calls a function of sixteen elements for each
// Pointwise node, which is inlined into the loop that fuses it. Sixteen is what
// the widest registers hold of f32; narrower ones take several. A kind has as
// wide a vector, whatever its size, so that functions of different kinds can
// follow one another.
//
//===----------------------------------------------------------------------===//

#include "Emit/VectorFunctions.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::string VectorEmitter::name(const ExprPtr &expr) const {
  if (expr->text == "infinity")
    return (scalar + "(__builtin_inf())").str();
  const Scope::Entry *entry = scope.find(expr->text);
  if (!entry)
    fatalAt(expr->at, record, unknownName(expr->text, scope));
  if (entry->type == Type::Tensor)
    return entry->spelling;
  if (!isNumber(entry->type) && entry->type != Type::Bool)
    fatalAt(expr->at, record,
            "'" + expr->text + "' is of type " + nameOf(entry->type) +
                " and is no element");
  return (scalar + "(" + entry->spelling + ")").str();
}

std::string VectorEmitter::apply(const Twine &function,
                                 const ExprPtr &expr) const {
  auto emitChild = [&](const ExprPtr &child) { return emit(child); };
  return ("::glow::vector::" + function + "(" +
          join(map_range(expr->children, emitChild), ", ") + ")")
      .str();
}

std::string VectorEmitter::call(const ExprPtr &expr) const {
  // For what it refuses: an unknown name, or another number of arguments.
  functions.scalarOf(expr, record);
  if (expr->text == "if")
    return apply("select<" + vector + ">", expr);
  return apply(expr->text, expr);
}

std::string VectorEmitter::emit(const ExprPtr &expr) const {
  switch (expr->kind) {
  case Expr::Kind::Integer:
  case Expr::Kind::Real:
    return (scalar + "(" + expr->text + ")").str();
  case Expr::Kind::Name:
    return name(expr);
  case Expr::Kind::Call:
    return call(expr);
  case Expr::Kind::Unary:
    return apply(expr->text == "!" ? "logicalNot" : "negate", expr);
  case Expr::Kind::Binary: {
    static const StringMap<StringRef> names = {
        {"+", "add"},        {"-", "subtract"},  {"*", "multiply"},
        {"/", "divide"},     {"%", "fmod"},      {"<", "less"},
        {"<=", "lessEqual"}, {">", "greater"},   {">=", "greaterEqual"},
        {"==", "equal"},     {"!=", "notEqual"}, {"&&", "both"},
        {"||", "either"}};
    auto found = names.find(expr->text);
    if (found != names.end())
      return apply(found->second, expr);
    [[fallthrough]];
  }
  default:
    fatalAt(expr->at, record, "'" + textOf(expr) + "' is no element");
  }
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {

/// How the library computes with elements of a kind.
struct VectorKind {
  StringRef kind, vector, scalar;
  bool wide; // larger than any register, hence passed by address
};
constexpr VectorKind vectorKinds[] = {{"f32", "V16f", "double", false},
                                      {"i32", "V16i", "int64_t", false},
                                      {"i64", "V16l", "int64_t", true},
                                      {"bool", "V16b", "int64_t", false}};

const VectorKind *findKind(StringRef kind) {
  auto found =
      find_if(vectorKinds, [&](const VectorKind &k) { return k.kind == kind; });
  return found == std::end(vectorKinds) ? nullptr : found;
}

/// The function of a node for operands of one kind.
struct VectorFunction {
  const NodeModel &node;
  const VectorKind &kind; // what the record's T stands for

  const VectorKind &kindOf(const TensorSignature &tensor) const {
    const VectorKind *fixed = findKind(tensor.kind);
    return fixed ? *fixed : kind;
  }
  std::string name() const {
    return "glow_" + node.mnemonic + "_" + kind.kind.str();
  }
};

} // namespace

VectorKinds glow::gen::vectorKindsOf(const NodeModel &node) {
  auto open = find_if(node.inputs, [](const TensorSignature &tensor) {
    return isUpper(tensor.kind[0]);
  });
  if (!node.isPointwise() || open == node.inputs.end())
    return {};
  VectorKinds result{size_t(open - node.inputs.begin()), node.kindsOf(*open)};
  erase_if(result.kinds,
           [](const std::string &kind) { return !findKind(kind); });
  return result;
}

static std::vector<VectorFunction> functionsOf(const Model &model) {
  std::vector<VectorFunction> result;
  for (const NodeModel *node : model.ownNodes())
    for (const std::string &kind : vectorKindsOf(*node).kinds)
      result.push_back({*node, *findKind(kind)});
  return result;
}

/// About how many instructions the formula takes.
static unsigned operationsOf(const Model &model, const NodeModel &node,
                             const ExprPtr &expr) {
  unsigned sum = 0;
  for (const ExprPtr &child : expr->children)
    sum += operationsOf(model, node, child);
  if (expr->kind == Expr::Kind::Call)
    return sum + model.functions.scalarOf(expr, node.record).operations;
  return sum + (expr->children.empty() ? 0 : 1);
}

static void emitFunction(const Model &model, const VectorFunction &function,
                         raw_ostream &os) {
  const NodeModel &node = function.node;
  Scope scope;
  SmallVector<std::string> parameters;
  const VectorKind &result = function.kindOf(node.outputs[0]);
  if (result.wide)
    parameters.push_back((result.vector + " &result").str());
  for (const TensorSignature &tensor : node.inputs) {
    const VectorKind &kind = function.kindOf(tensor);
    scope.define(tensor.name, Type::Tensor, local(tensor.name));
    parameters.push_back(formatv(kind.wide ? "const {0} &{1}" : "{0} {1}",
                                 kind.vector, local(tensor.name)));
  }
  for (const Attribute &attribute : node.attributes) {
    scope.define(attribute.name, attribute.type, local(attribute.name));
    parameters.push_back(
        (attribute.type == Type::Real ? "double " : "int64_t ") +
        local(attribute.name));
  }
  VectorEmitter vectors(model.functions, scope, node.record,
                        function.kind.vector, function.kind.scalar);
  std::string code = vectors.emit(node.formulaTree());
  code = result.kind == "bool"
             ? "toBool(" + code + ")"
             : "numbers<" + result.vector.str() + ">(" + code + ")";
  os << formatv("/// {0}: {1}\n[[gnu::always_inline]] {2} {3}({4}) {{\n"
                "  {5} {6};\n}\n\n",
                placeOf(node.record), StringRef(node.formula).trim(),
                result.wide ? "void" : result.vector, function.name(),
                join(parameters, ", "), result.wide ? "result =" : "return",
                code);
}

static bool emitVectorFunctions(const Model &model, raw_ostream &os) {
  for (const VectorFunction &function : functionsOf(model))
    emitFunction(model, function, os);
  return false;
}

/// {mnemonic, T's kind, kinds of operands, kind of the result, name, whether
/// operands may be swapped, operations}.
static bool emitVectorTable(const Model &model, raw_ostream &os) {
  auto enumerator = [](const VectorKind &kind) {
    return "::glow::ElementKind::" +
           (kind.kind == "bool" ? "Bool" : kind.kind.upper());
  };
  for (const VectorFunction &function : functionsOf(model)) {
    auto operand = [&](const TensorSignature &tensor) {
      return enumerator(function.kindOf(tensor));
    };
    os << formatv(
        "{{{0}, {1}, {{{2}}, {3}, {4}, {5}, {6}},\n",
        quoted(function.node.mnemonic), enumerator(function.kind),
        join(map_range(function.node.inputs, operand), ", "),
        operand(function.node.outputs[0]), quoted(function.name()),
        bitField<"Node.commutes">(function.node.record),
        operationsOf(model, function.node, function.node.formulaTree()));
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

/// Calls `visit` with each function that vectors have, and its kinds.
static void
forEachScalarFunction(const Model &model,
                      function_ref<void(const Record &, StringRef)> visit) {
  for (const Record *record :
       model.records.getAllDerivedDefinitions("ScalarFunction"))
    for (StringRef kind : textsField<"ScalarFunction.kinds">(*record))
      visit(*record, kind);
}

static bool emitScalarFunctions(const Model &model, raw_ostream &os) {
  forEachScalarFunction(model, [&](const Record &function, StringRef kind) {
    StringRef vector = kind == "f32" ? "V16f" : kind == "f64" ? "V16d" : "V16l";
    bool wide = kind != "f32";
    std::string parameters = wide ? (vector + " &result").str() : "", names;
    for (int64_t i = 0; i < intField<"ScalarFunction.arity">(function); ++i) {
      std::string name(1, char('a' + i));
      parameters += (parameters.empty() ? "" : ", ") +
                    (wide ? "const " + vector + " &" : vector + " ").str() +
                    name;
      names += (i ? ", " : "") + name;
    }
    os << formatv("[[gnu::always_inline]] {0} glow_function_{1}_{2}({3}) {{\n"
                  "  {4} numbers<{5}>(::glow::vector::{1}({6}));\n}\n",
                  wide ? "void" : vector,
                  textField<"ScalarFunction.name">(function), kind, parameters,
                  wide ? "result =" : "return", vector, names);
  });
  return false;
}

/// {function, kind}.
static bool emitScalarTable(const Model &model, raw_ostream &os) {
  forEachScalarFunction(model, [&](const Record &function, StringRef kind) {
    os << formatv("{{{0}, ::glow::ElementKind::{1}},\n",
                  quoted(textField<"ScalarFunction.name">(function)),
                  kind.upper());
  });
  return false;
}

static Emitter scalarFunctions("gen-scalar-functions",
                               "emit scalar functions as functions of vectors",
                               emitScalarFunctions);
static Emitter scalarTable("gen-scalar-table",
                           "list the scalar functions that vectors have",
                           emitScalarTable);
static Emitter vectorFunctions("gen-vector-functions",
                               "emit formulas as functions of vectors",
                               emitVectorFunctions);
static Emitter vectorTable("gen-vector-table", "list the functions of vectors",
                           emitVectorTable);
