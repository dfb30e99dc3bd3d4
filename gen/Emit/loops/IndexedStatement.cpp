//===- IndexedStatement.cpp - one statement of index notation, in C++ -----===//
// SPDX-License-Identifier: MIT

#include "Emit/loops/KernelEmitter.h"
#include "Expr/Repeated.h"
#include "Model/node/Present.h"
#include "Model/node/Scans.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

struct KernelEmitter::Indexed {
  const Statement &statement;
  const ExprPtr &target;
  const TensorSignature &result;
  bool covers = false;   ///< each element of the result is in the target once
  bool isFirst = false;  ///< no earlier statement writes the result
  bool isFilled = false; ///< holds the identity element
  Scope names;
  std::vector<Loop> loops; ///< over the target's indices, then the sums
  size_t outer = 0;        ///< number of the target's loops

  bool sums() const { return statement.op != "="; }

  /// Whether a sum goes on from what the result holds.
  bool accumulates() const {
    return (!isFirst || isFilled) && statement.op != "mean=";
  }
};

/// Opens the code around a statement: a condition that its optional operands
/// are present, and a loop over the tensors of a variadic operand. In the loop
/// `before` is the sum of the sizes along `axis` of earlier tensors. Returns
/// the closing code.
std::string KernelEmitter::openTensors(Indexed &one) {
  std::string close;
  for (const TensorSignature *input : optionalReads(node, one.statement)) {
    os << formatv("  if (call.{0}) {{\n", input->name);
    close += "  }\n";
  }
  const TensorSignature *variadic = listOf(node, one.statement);
  if (!variadic)
    return close;
  os << formatv("  int64_t before = 0;\n  for (int64_t each = 0; each < "
                "int64_t(call.{0}.size()); ++each) {{\n",
                variadic->name);
  indent = "    ";
  one.names.define("before", Type::Int, "before");
  one.names.define("each", Type::Int, "each");
  return formatv("    before += ::glow::expr::at({0}.type->shape, {1});\n  }\n",
                 viewOf(*variadic), node.findAttribute("axis") ? "axis" : "0")
             .str() +
         close;
}

void KernelEmitter::planLoops(Indexed &one) {
  ValueEmitter plain(model.functions, extents, node.record, ValueForm::Numbers);
  // Indices of the target are outside of all others where a sum is whole before
  // it is written.
  auto isOuter = [&](const IndexRange &range) {
    return one.covers && mentions(one.target, range.name);
  };
  for (bool outer : {true, false})
    for (const IndexRange &range : one.statement.ranges)
      if (isOuter(range) == outer && !range.hasBounds())
        one.loops.push_back(
            {range.name,
             plain.emitAs(range.extent, range.spread ? Type::Ints : Type::Int,
                          "a range"),
             range.spread});
  size_t given = one.loops.size();
  findLoops(one.target, one.loops);
  size_t found = one.loops.size();
  findLoops(one.statement.value, one.loops);
  auto begin = one.loops.begin();
  std::rotate(begin, begin + given, begin + found);
  one.outer = found - given + count_if(one.statement.ranges, isOuter);
  for (const IndexRange &range : one.statement.ranges)
    if (range.hasBounds())
      one.loops.push_back(
          {range.name,
           plain.emitAs(model.functions.written(range.extent, node.record),
                        Type::Int, "a size"),
           false, &range});
  for (const Loop &loop : one.loops)
    one.names.define(loop.name, loop.list ? Type::Ints : Type::Int, loop.name);
}

void KernelEmitter::hoist(const Indexed &one) {
  std::vector<std::string> order;
  for (const Loop &loop : one.loops)
    order.push_back(loop.name);
  hoister = std::make_unique<Hoister>(
      order, [&](const ExprPtr &expr) { return bool(tensorOf(expr)); });
  hoister->visit(one.target);
  hoister->visit(one.statement.value);
  begun.clear();
  findStarts(one.statement.value, one.loops.size());
  if (!one.sums() || !one.covers)
    findStarts(one.target, one.loops.size());
}

std::string KernelEmitter::valueOf(Indexed &one, std::string &guard) {
  reads.clear();
  ExprPtr value = readAll(one.statement.value, one.names, false, guard);
  if (bySize)
    return one.names.find(value->text)->spelling;
  return elementCode(value, one.names);
}

/// An element, as C++; parts that stand in it more than once are variables.
std::string KernelEmitter::elementCode(const ExprPtr &value, Scope &names) {
  Integers integers(model.functions, names, node.record);
  std::function<bool(const ExprPtr &)> isElement = [&](const ExprPtr &expr) {
    if (integers.isInteger(expr))
      return false;
    if (expr->kind == Expr::Kind::Name) {
      const Scope::Entry *entry = names.find(expr->text);
      return entry && entry->type == Type::Real;
    }
    if (expr->kind == Expr::Kind::Call)
      return model.functions.findScalar(expr->text) != nullptr;
    bool computes =
        expr->kind == Expr::Kind::Unary ? expr->text == "-"
        : expr->kind == Expr::Kind::Binary
            ? is_contained({"+", "-", "*", "/"}, StringRef(expr->text))
            : false;
    return computes && any_of(expr->children, isElement);
  };
  std::vector<RepeatedPart> parts;
  auto isWhole = [&](const ExprPtr &expr) {
    return model.functions.isOfAttributes(expr) || integers.isInteger(expr);
  };
  ExprPtr whole = nameRepeated(value, "$part" + std::to_string(counter++) + "_",
                               isElement, isWhole, parts);
  ScalarEmitter scalars(model.functions, names, node.record);
  for (const RepeatedPart &part : parts) {
    std::string name = part.name.substr(1);
    os << indent
       << formatv("const C {0} = {1};\n", name, scalars.emit(part.value));
    names.define(part.name, Type::Real, name);
  }
  return scalars.emit(whole);
}

/// Identity element of the operation on elements of a type, as C++.
static std::string startOf(StringRef op, StringRef type) {
  return StringSwitch<std::string>(op)
      .Case("*=", "C(1)")
      .Case("max=", "::glow::kernels::lowest<C, " + type.str() + ">()")
      .Case("min=", "::glow::kernels::highest<C, " + type.str() + ">()")
      .Case("and=", "C(1)")
      .Cases({"argmax=", "argmin="}, "C(-1)")
      .Default("C(0)");
}

StringRef KernelEmitter::accumulatorOf(StringRef op) {
  return StringSwitch<StringRef>(op)
      .Case("*=", "Product")
      .Case("max=", "Max")
      .Case("min=", "Min")
      .Case("or=", "Or")
      .Case("and=", "And")
      .Default("Sum");
}

void KernelEmitter::assign(Indexed &one) {
  std::string close = open(one.loops, 0, one.loops.size(), one.names);
  std::string guard, code = valueOf(one, guard);
  Access write = access(one.target, one.names);
  if (!guard.empty())
    code = "(" + guard + ") ? " + code + " : " +
           (one.statement.otherwise
                ? ScalarEmitter(model.functions, one.names, node.record)
                      .emit(one.statement.otherwise)
                : "C(0)");
  os << indent
     << (write.guarded ? "if (" + write.position + ".inside)\n  " + indent
                       : "");
  if (bySize)
    os << write.element << " = " << code << ";\n";
  else
    os << formatv("{0} = ::glow::kernels::store<{1}>({2});\n", write.element,
                  typeOf(one.result), code);
  os << close;
}

/// Whether a result is filled before its first sum: where terms come one by
/// one, from one tensor after the other, or not at all.
bool KernelEmitter::beginsBefore(const Indexed &one) const {
  return one.isFirst && one.sums() && !one.result.variadic &&
         (!one.covers || !optionalReads(node, one.statement).empty() ||
          listOf(node, one.statement));
}

void KernelEmitter::fill(Indexed &one) {
  os << indent
     << formatv("std::fill_n({0}, {1}.type->elements(), "
                "::glow::kernels::store<{2}>({3}));\n",
                dataOf(one.result), viewOf(one.result), typeOf(one.result),
                startOf(one.statement.op, typeOf(one.result)));
  one.isFilled = true;
}

/// Elements are written more than once, each time with one term.
void KernelEmitter::scatter(Indexed &one) {
  std::string type = typeOf(one.result);
  if (one.isFirst && !one.isFilled)
    fill(one);
  std::string close = open(one.loops, 0, one.loops.size(), one.names);
  std::string guard, code = valueOf(one, guard);
  Access write = access(one.target, one.names);
  guard += (guard.empty() ? "" : " && ") + write.position + ".inside";
  os << indent << "if (" << guard << ")\n"
     << indent << "  " << write.element
     << formatv(" = ::glow::kernels::store<{0}>(::glow::kernels::accumulate{1}"
                "(C(::glow::kernels::load({2})), C({3})));\n",
                type, accumulatorOf(one.statement.op), write.element, code)
     << close;
}

void KernelEmitter::sum(Indexed &one) {
  const bool isMean = one.statement.op == "mean=";
  std::string close = open(one.loops, 0, one.outer, one.names);
  std::string element;
  if (one.accumulates())
    element = access(one.target, one.names).element;
  os << indent << "C sum = "
     << (element.empty() ? startOf(one.statement.op, typeOf(one.result))
                         : "C(::glow::kernels::load(" + element + "))")
     << ";\n"
     << (isMean ? indent + "int64_t terms = 0;\n" : "");
  std::string inner = open(one.loops, one.outer, one.loops.size(), one.names);
  std::string guard, code = valueOf(one, guard);
  // The sum of nothing must still be written.
  if (!guard.empty())
    os << indent << "if (" << guard << ") {\n";
  os << indent
     << formatv("sum = ::glow::kernels::accumulate{0}(sum, C({1}));\n",
                accumulatorOf(one.statement.op), code);
  if (isMean)
    os << indent << "++terms;\n";
  os << (guard.empty() ? "" : indent + "}\n") << inner;
  indent.resize(indent.size() - 2 * (one.loops.size() - one.outer));
  if (element.empty())
    element = access(one.target, one.names).element;
  os << indent
     << formatv("{0} = ::glow::kernels::store<{1}>({2});\n", element,
                typeOf(one.result),
                isMean ? "terms ? ::glow::scalar::divide(sum, C(terms)) : C(0)"
                       : "sum")
     << close;
}

/// Emits the index of the first best term, or of the first NaN if there is one.
void KernelEmitter::place(Indexed &one) {
  std::string close = open(one.loops, 0, one.outer, one.names);
  os << indent << "C bestTerm = C(0);\n"
     << indent << "int64_t bestPlace = -1;\n";
  std::string inner = open(one.loops, one.outer, one.loops.size(), one.names);
  std::string guard, code = valueOf(one, guard);
  // An element outside of the tensor is not read.
  if (!guard.empty())
    code = guard + " ? C(" + code + ") : bestTerm";
  os << indent
     << formatv("if (const C term = C({0}); {1}(bestPlace < 0 || "
                "::glow::kernels::leads{2}(term, bestTerm))) {{\n",
                code, guard.empty() ? "" : guard + " && ",
                one.statement.op == "argmax=" ? "Max" : "Min")
     << indent << "  bestTerm = term;\n"
     << indent << "  bestPlace = " << one.loops.back().name << ";\n"
     << indent << "}\n"
     << inner;
  indent.resize(indent.size() - 2 * (one.loops.size() - one.outer));
  std::string element = access(one.target, one.names).element;
  os << indent
     << formatv("{0} = ::glow::kernels::store<{1}>(bestPlace);\n", element,
                typeOf(one.result))
     << close;
}

/// The index in a step, as C++.
static std::string stepCode(const Scan &scan, const ValueEmitter &values) {
  std::string up = "step_" + scan.index;
  std::string down = "steps_" + scan.index + " - 1 - " + up;
  if (!scan.condition)
    return scan.backwards ? down : up;
  return values.emitAs(scan.condition, Type::Bool, "a condition") + " ? " +
         down + " : " + up;
}

/// A result to which several steps add is filled before the first step.
void KernelEmitter::fillBefore(const Statement &statement) {
  const TensorSignature &result = *tensorOf(statement.targets[0]);
  if (written.contains(result.name) || !isFilledBefore(node, statement))
    return;
  Indexed one{
      statement, statement.targets[0], result, false, true, false, scope, {}};
  written.insert(result.name);
  fill(one);
}

/// Whether an index of the statement is in the expression.
bool KernelEmitter::hasIndex(const ExprPtr &expr,
                             const Statement &statement) const {
  StringSet<> indices = indicesOf(node, statement);
  return any_of(indices, [&](const auto &index) {
    return mentions(expr, index.first());
  });
}

/// Computes what follows from attributes alone, once.
ExprPtr KernelEmitter::withValues(const ExprPtr &expr,
                                  const Statement &statement) {
  if (tensorOf(expr))
    return expr;
  if (model.functions.isOfAttributes(expr) && !hasIndex(expr, statement)) {
    // Equal texts share one value.
    std::string &known = values[textOf(expr)];
    if (!known.empty())
      return makeExpr(Expr::Kind::Name, known, {}, expr->at);
    TypedCode value =
        ValueEmitter(model.functions, scope, node.record, ValueForm::Numbers)
            .emit(expr);
    std::string name = "value" + std::to_string(counter++);
    known = "$" + name;
    os << formatv("  const auto {0} = {1};\n", name, value.code);
    scope.define("$" + name, value.type, name);
    return makeExpr(Expr::Kind::Name, "$" + name, {}, expr->at);
  }
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = withValues(child, statement);
  return copy;
}

/// Emits a statement, by the operands that are there.
void KernelEmitter::inVariants(const Statement &statement) {
  StringSet<> before = written;
  StringRef otherwise;
  for (const Variant &variant : variantsOf(node, statement)) {
    written = before;
    std::string condition;
    for (auto [tensor, isThere] : variant.present)
      condition += (condition.empty() ? "" : " && ") +
                   std::string(isThere ? "call." : "!call.") + tensor->name;
    os << "  " << otherwise;
    if (!condition.empty())
      os << "if (" << condition << ") ";
    os << "{\n";
    indexed(variant.statement);
    os << "  }\n";
    otherwise = "else ";
  }
}

/// Emits a statement, or all statements of a scan: a loop in which each
/// iteration needs the results of the iteration before. Returns the number of
/// the next statement.
size_t KernelEmitter::scanned(size_t first) {
  std::shared_ptr<const Scan> scan = statements[first].scan;
  size_t end = first + countInScan(ArrayRef(statements).drop_front(first));
  outside = scope;
  values.clear();
  for (size_t i = first; i < end; ++i)
    statements[i].value = withValues(statements[i].value, statements[i]);
  if (scan) {
    for (size_t i = first; i < end; ++i)
      fillBefore(statements[i]);
    ValueEmitter values(model.functions, scope, node.record,
                        ValueForm::Numbers);
    os << formatv(
        "  {{\n  const int64_t steps_{0} = {1};\n"
        "  for (int64_t step_{0} = 0; step_{0} < steps_{0}; ++step_{0}) {{\n"
        "  [[maybe_unused]] const int64_t now_{0} = {2};\n",
        scan->index,
        values.emitAs(model.functions.written(scan->extent, node.record),
                      Type::Int, "a size"),
        stepCode(*scan, values));
    scope.define(scan->index, Type::Int, "now_" + scan->index);
    scope.define(stepsName(*scan), Type::Int, "steps_" + scan->index);
  }
  for (size_t i = first; i < end; ++i)
    inVariants(statements[i]);
  if (scan)
    os << "  }\n  }\n";
  scope = outside;
  return end;
}

void KernelEmitter::indexed(const Statement &statement) {
  const ExprPtr &target = statement.targets[0];
  const TensorSignature &result = *tensorOf(target);
  bool isFirst = written.insert(result.name).second;
  Indexed one{statement, target, result, coversResult(node, statement),
              isFirst,   false,  scope,  {}};
  current = &statement;
  if (beginsBefore(one))
    fill(one);
  std::string close = openTensors(one);
  planLoops(one);
  hoist(one);
  emitFixed(0, one.names);
  if (!one.sums())
    assign(one);
  else if (givesIndex(statement))
    place(one);
  else if (one.covers)
    sum(one);
  else
    scatter(one);
  os << close;
  indent = "  ";
}
