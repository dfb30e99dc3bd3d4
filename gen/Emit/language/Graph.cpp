//===- Graph.cpp - statements of a rule to C++ that builds nodes ----------===//
// SPDX-License-Identifier: MIT
//
// Two kinds of expressions are in one text: tensors, of which nodes are built,
// and numbers, which are computed while building. A number may ask about a
// tensor, `shape(x)`; each such question is emitted first, as a statement, and
// a name stands for it in the expression, which the emitter of numbers then
// takes without knowing of graphs.
//
// An expression that can fail is emitted as a statement as well, since a C++
// expression cannot return from its function.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Graph.h"
#include "Expr/Builtin.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

Scope glow::gen::operandScope(const NodeModel &node, raw_ostream &os) {
  Scope scope = node.scope("shape.");
  for (const TensorSignature &tensor : node.inputs) {
    std::string get = "node." + getterOf(tensor.name) + "()";
    if (tensor.variadic)
      os << formatv("  ::llvm::SmallVector<::mlir::Value> {0}({1}.begin(), "
                    "{1}.end());\n",
                    local(tensor.name), get);
    else
      os << formatv("  ::mlir::Value {0} = {1};\n", local(tensor.name), get);
    os << formatv("  (void){0};\n", local(tensor.name));
    scope.define(tensor.name, tensor.variadic ? Type::Tensors : Type::Tensor,
                 local(tensor.name));
  }
  return scope;
}

/// Decided before anything is emitted: the two kinds have different emitters.
/// It follows what is written, not what a name turns out to be; so an `if` is a
/// tensor if either value is.
bool GraphEmitter::isTensorExpr(const ExprPtr &expr) {
  switch (expr->kind) {
  case Expr::Kind::Name: {
    const Scope::Entry *entry = scope.find(expr->text);
    return entry && isTensor(entry->type);
  }
  case Expr::Kind::Call:
    if (model.findNode(expr->text) || isCallOf(expr, Builtin::Fold) ||
        isCallOf(expr, Builtin::Every) || isCallOf(expr, Builtin::Apply))
      return true;
    if (const LetFunction *let = graphLet(expr))
      return isTensor(functions.make(*let).results[0]);
    return isCallOf(expr, Builtin::If) && expr->children.size() == 3 &&
           (isTensorExpr(expr->children[1]) || isTensorExpr(expr->children[2]));
  case Expr::Kind::Binary:
  case Expr::Kind::Unary:
    return any_of(expr->children,
                  [&](const ExprPtr &child) { return isTensorExpr(child); });
  case Expr::Kind::Subscript:
    return isTensorExpr(expr->children[0]);
  case Expr::Kind::Each: {
    // The names of `each` are known inside of it only.
    Scope before = scope;
    for (auto [name, list] :
         zip_equal(expr->labels, drop_begin(expr->children)))
      scope.define(name, isTensorExpr(list) ? Type::Tensor : Type::Int, "");
    bool result = isTensorExpr(expr->children[0]);
    scope = std::move(before);
    return result;
  }
  default:
    return false;
  }
}

const LetFunction *GraphEmitter::graphLet(const ExprPtr &expr) const {
  const LetFunction *let = expr->kind == Expr::Kind::Call
                               ? model.functions.findLet(expr->text)
                               : nullptr;
  return let && let->onGraph() ? let : nullptr;
}

ExprPtr GraphEmitter::held(const TypedCode &value, const ExprPtr &at) {
  std::string name = fresh("$");
  scope.define(name, value.type, value.code);
  return makeExpr(Expr::Kind::Name, name, {}, at->at);
}

ExprPtr GraphEmitter::flattenIf(const ExprPtr &expr) {
  ExprPtr condition = flatten(expr->children[0]);
  // Each branch is computed inside the conditional alone: the branch that is
  // not taken may fail, or be expensive.
  raw_ostream *outside = stream;
  std::array<std::string, 2> code;
  std::array<ExprPtr, 2> values;
  for (size_t i : {0, 1}) {
    raw_string_ostream branch(code[i]);
    stream = &branch;
    values[i] = flatten(expr->children[i + 1]);
  }
  stream = outside;
  ExprPtr flat = makeExpr(Expr::Kind::Call, "if",
                          {condition, values[0], values[1]}, expr->at);
  // Nothing was emitted for either branch: a conditional expression will do.
  if (code[0].empty() && code[1].empty())
    return flat;
  ValueEmitter emitter(model.functions, scope, record);
  Type type = emitter.emit(flat).type;
  std::string name = fresh();
  auto set = [&](size_t i) {
    return code[i] + "  " + name + " = " +
           emitter.emitAs(values[i], type, "this value") + ";\n";
  };
  os() << formatv(
      "  {0} {1}{{};\n  if ({2}) {{\n{3}  } else {{\n{4}  }\n", cxxType(type),
      name, emitter.emitAs(condition, Type::Bool, "the condition of 'if'"),
      set(0), set(1));
  return held({type, name}, expr);
}

/// shape(x), rank(x), kind(x), count(xs), present(x) and, when importing, what
/// reads the values of a constant tensor.
ExprPtr GraphEmitter::flatten(const ExprPtr &expr) {
  if (expr->kind == Expr::Kind::Call) {
    if (std::optional<TypedCode> value = query(expr))
      return held(*value, expr);
    if (const LetFunction *let = graphLet(expr))
      return held(oneResult(*let, expr), expr);
    if (isCallOf(expr, Builtin::If) && expr->children.size() == 3)
      return flattenIf(expr);
  }
  if (expr->kind == Expr::Kind::Each)
    return held(each(expr), expr);
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = flatten(child);
  return copy;
}

/// The nearest name within two edits is offered; a mistake is most often one of
/// spelling.
void GraphEmitter::failUnknown(const ExprPtr &call) {
  StringRef name = call->text;
  std::string suggestion;
  unsigned distance = 3;
  for (const auto &node : model.nodes)
    if (unsigned d = name.edit_distance(node->className, true, distance);
        d < distance) {
      distance = d;
      suggestion = "; did you mean '" + node->className + "'?";
    }
  fail(call, "unknown node or function '" + name + "'" + suggestion);
}

/// Builds the node or the nodes of a call that gives one or several tensors.
TypedCode GraphEmitter::build(const ExprPtr &expr) {
  if (isCallOf(expr, Builtin::If))
    return choose(expr);
  if (isCallOf(expr, Builtin::Fold))
    return fold(expr);
  if (isCallOf(expr, Builtin::Every))
    return every(expr);
  if (isCallOf(expr, Builtin::Apply))
    return apply(expr);
  if (const LetFunction *let = graphLet(expr))
    return oneResult(*let, expr);
  return node(expr, *model.findNode(expr->text));
}

TypedCode GraphEmitter::emit(const ExprPtr &expr) {
  if (!isTensorExpr(expr)) {
    ExprPtr flat = flatten(expr);
    if (flat->kind == Expr::Kind::Call && !isCallOf(flat, Builtin::If) &&
        !model.functions.find(flat->text) &&
        !model.functions.findLet(flat->text))
      failUnknown(flat);
    return ValueEmitter(model.functions, scope, record).emit(flat);
  }
  switch (expr->kind) {
  case Expr::Kind::Name: {
    const Scope::Entry *entry = scope.find(expr->text);
    return {entry->type, entry->spelling};
  }
  case Expr::Kind::Call:
    return build(expr);
  case Expr::Kind::Subscript:
    return element(expr);
  case Expr::Kind::Each:
    return each(expr);
  default:
    return infix(expr);
  }
}

std::string GraphEmitter::tensor(const ExprPtr &expr) {
  if (!isTensorExpr(expr)) {
    if (expr->kind == Expr::Kind::Name && !scope.find(expr->text))
      fail(expr, unknownName(expr->text, scope));
    if (expr->kind == Expr::Kind::Call && !model.functions.find(expr->text))
      failUnknown(expr);
    fail(expr, "'" + textOf(expr) + "' is not a tensor");
  }
  TypedCode value = emit(expr);
  if (value.type != Type::Tensor)
    fail(expr, "'" + textOf(expr) + "' is a list of tensors, not one");
  return value.code;
}

TypedCode GraphEmitter::element(const ExprPtr &expr) {
  TypedCode list = emit(expr->children[0]);
  if (list.type != Type::Tensors || expr->children.size() != 2)
    fail(expr, "only a list of tensors has elements here");
  ValueEmitter values(model.functions, scope, record);
  std::string index =
      values.emitAs(flatten(expr->children[1]), Type::Int, "an index");
  return {Type::Tensor, "::glow::elementOf(" + list.code + ", " + index + ")"};
}

TypedCode GraphEmitter::choose(const ExprPtr &expr) {
  ValueEmitter values(model.functions, scope, record);
  std::string condition = values.emitAs(flatten(expr->children[0]), Type::Bool,
                                        "the condition of 'if'");
  std::string name = fresh();
  // Nodes are built in the branch that is taken.
  raw_ostream *outside = stream;
  std::string code;
  std::array<TypedCode, 2> made;
  for (size_t i : {0, 1}) {
    raw_string_ostream branch(code);
    stream = &branch;
    const ExprPtr &value = expr->children[i + 1];
    made[i] = isTensorExpr(value) ? emit(value)
                                  : TypedCode{Type::Tensor, tensor(value)};
    branch << formatv("  {0} = {1};\n{2}", name, made[i].code,
                      i ? "  }\n" : "  } else {\n");
  }
  stream = outside;
  if (made[0].type != made[1].type)
    fail(expr, "the values of 'if' are a tensor and a list of tensors");
  os() << formatv("  {0} {1};\n  if ({2}) {{\n{3}", cxxType(made[0].type), name,
                  condition, code);
  return {made[0].type, name};
}

std::string GraphEmitter::splat(const ExprPtr &value, const std::string &like,
                                StringRef kind) {
  ValueEmitter values(model.functions, scope, record);
  std::string code = values.emitAs(flatten(value), Type::Real, "a scalar");
  std::string name = fresh();
  built.insert("Splat");
  if (kind.empty()) {
    os() << formatv(
        "  ::mlir::Value {0} = ::glow::splatLike(builder, location, {1}, "
        "{2});\n  if (!{0})\n    return ::llvm::failure();\n",
        name, code, like);
    return name;
  }
  os() << formatv("  auto {0} = createSplat(builder, location, {1}, "
                  "::glow::shapeOf({2}), {3});\n"
                  "  if (!{0})\n    return ::llvm::failure();\n",
                  name, code, like, kindCode(kind));
  return name + ".getResult()";
}

TypedCode GraphEmitter::infix(const ExprPtr &expr) {
  std::string op =
      expr->kind == Expr::Kind::Unary ? "unary" + expr->text : expr->text;
  const NodeModel *found = model.nodeFor(op);
  if (!found)
    fail(expr, "no node stands for '" + expr->text + "' on tensors");
  std::vector<std::string> operands;
  for (const ExprPtr &child : expr->children)
    operands.push_back(isTensorExpr(child) ? tensor(child) : "");
  // `1 - x`: a number becomes a tensor like the other operand.
  for (auto [i, operand] : enumerate(operands))
    if (operand.empty())
      operand = splat(expr->children[i], operands[1 - i]);
  built.insert(found->className);
  std::string name = fresh();
  os() << formatv("  auto {0} = create{1}(builder, location, {2});\n"
                  "  if (!{0})\n    return ::llvm::failure();\n",
                  name, found->className, join(operands, ", "));
  return {Type::Tensor, name + ".getResult()"};
}

std::string GraphEmitter::attribute(const ExprPtr &expr, const NodeModel &node,
                                    const Attribute &attribute) {
  ValueEmitter values(model.functions, scope, record);
  values.checkWords(expr, attribute.kind);
  return values.emitAs(flatten(expr), attribute.type,
                       "'" + attribute.name + "' of '" + node.className + "'");
}

/// A number is a tensor of it, like the first other operand, in the element
/// kind that its own signature names.
std::string GraphEmitter::operand(const ExprPtr &value,
                                  const TensorSignature &input,
                                  ArrayRef<ExprPtr> given) {
  auto like = find_if(given, [&](const ExprPtr &other) {
    return other && isTensorExpr(other);
  });
  if (!isLiteral(value) || like == given.end())
    return tensor(value);
  const bool hasOwnKind = isLower(input.kind.front());
  return splat(value, tensor(*like), hasOwnKind ? input.kind : "");
}

/// The arguments of a call, one for each operand and then each attribute of the
/// node; null for an argument that the call leaves out.
std::vector<ExprPtr> GraphEmitter::givenTo(const NodeModel &node,
                                           const ExprPtr &expr) const {
  size_t operands = node.inputs.size(), all = operands + node.attributes.size();
  std::vector<ExprPtr> given(all);
  auto slotOf = [&](StringRef label) -> size_t {
    for (auto [i, input] : enumerate(node.inputs))
      if (input.name == label)
        return i;
    for (auto [i, attribute] : enumerate(node.attributes))
      if (attribute.name == label)
        return operands + i;
    fail(expr, "'" + node.className + "' has no operand or attribute '" +
                   label + "'");
  };
  size_t next = 0;
  for (auto [i, child] : enumerate(expr->children)) {
    size_t slot = expr->labels[i].empty() ? next++ : slotOf(expr->labels[i]);
    if (slot >= all)
      fail(expr, "'" + node.className + "' takes at most " +
                     counted(all, "argument") + ", not " +
                     Twine(expr->children.size()));
    if (given[slot])
      fail(child, "this argument of '" + node.className + "' is given twice");
    given[slot] = child;
  }
  return given;
}

/// The C++ of the tensors that a variadic operand is given.
std::string GraphEmitter::operands(const ExprPtr &value, const NodeModel &node,
                                   const TensorSignature &input) {
  if (value->kind == Expr::Kind::List) {
    std::string list;
    for (const ExprPtr &child : value->children)
      list += (list.empty() ? "" : ", ") + tensor(child);
    return "::llvm::SmallVector<::mlir::Value>{" + list + "}";
  }
  TypedCode list = emit(value);
  if (list.type != Type::Tensors)
    fail(value, "operand '" + input.name + "' of '" + node.className +
                    "' takes a list of tensors");
  return list.code;
}

TypedCode GraphEmitter::node(const ExprPtr &expr, const NodeModel &node) {
  std::vector<ExprPtr> given = givenTo(node, expr);
  std::string code;
  for (auto [value, input] : zip(given, node.inputs)) {
    if (value && !value->isName("none")) {
      code += ", " + (input.variadic ? operands(value, node, input)
                                     : operand(value, input, given));
      continue;
    }
    if (!input.optional)
      fail(expr, "'" + node.className + "' needs operand '" + input.name + "'");
    code += ", ::mlir::Value()";
  }
  for (auto [value, attribute] :
       zip_equal(drop_begin(given, node.inputs.size()), node.attributes)) {
    if (!value && attribute.initially.empty())
      fail(expr,
           "'" + node.className + "' needs attribute '" + attribute.name + "'");
    if (!value)
      value = Parser(attribute.initially, *attribute.kind).expression();
    code += ", " + this->attribute(value, node, attribute);
  }
  built.insert(node.className);
  std::string name = fresh();
  os() << formatv("  auto {0} = create{1}(builder, location{2});\n"
                  "  if (!{0})\n    return ::llvm::failure();\n",
                  name, node.className, code);
  if (node.outputs.size() == 1 && !node.outputs[0].variadic)
    return {Type::Tensor, name + ".getResult()"};
  return {Type::Tensors, "::glow::resultsOf(" + name + ")"};
}

/// require(condition, "message with {values}");
void GraphEmitter::call(const Statement &statement) {
  const Expr &call = *statement.value;
  if (!isCallOf(statement.value, Builtin::Require) ||
      call.children.size() != 2 || call.children[1]->kind != Expr::Kind::Text)
    fail(statement.value, "a statement assigns, or is require(condition, "
                          "\"message\")");
  ValueEmitter values(model.functions, scope, record);
  std::string condition =
      values.emitAs(flatten(call.children[0]), Type::Bool, "the condition");
  std::string message = messageCode(call.children[1]->text, values, record);
  os() << formatv("  if (!{0})\n    return {1}({2});\n", condition,
                  purpose == Purpose::Import ? "import.fail" : "refuse",
                  message);
}

void GraphEmitter::unpack(const Statement &statement) {
  std::vector<TypedCode> values;
  if (const LetFunction *let = graphLet(statement.value)) {
    values = callLet(*let, statement.value);
    if (values.size() != statement.targets.size())
      fail(statement.value, "'" + let->name + "' has " +
                                counted(values.size(), "result") + ", not " +
                                Twine(statement.targets.size()));
  } else {
    TypedCode value = emit(statement.value);
    if (value.type != Type::Tensors)
      fail(statement.value, "one value for several names");
    for (size_t i = 0; i < statement.targets.size(); ++i)
      values.push_back({Type::Tensor,
                        formatv("::glow::elementOf({0}, {1})", value.code, i)});
  }
  for (auto [target, value] : zip_equal(statement.targets, values))
    assign(target->text, value);
}
