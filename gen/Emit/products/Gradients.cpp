//===- Gradients.cpp - C++ builders of gradients ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Emits one function for each node: given the gradients of its results, the
// function builds those of its operands. include/glow/Graph/Gradients.h is the
// contract.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/FormulaGraph.h"
#include "Emit/language/Graph.h"
#include "Expr/Derivative.h"
#include "Expr/Parser.h"
#include "Model/gradients/Adjoint.h"
#include "Model/gradients/Gradient.h"
#include "Model/gradients/Linear.h"
#include "Model/rules/Rule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;
using Source = GradientModel::Source;

namespace {

/// Writes the body of one function.
class GradientEmitter {
public:
  GradientEmitter(GraphFunctions &functions, const NodeModel &node,
                  const GradientModel &gradient, raw_ostream &os)
      : functions(functions), model(functions.model), node(node),
        gradient(gradient), os(os) {}

  void emit() {
    scope = operandScope(node, os);
    defineResults();
    switch (gradient.source) {
    case Source::Given:
      return given();
    case Source::Formula:
      return formula();
    case Source::Compute:
      return compute();
    case Source::Linear:
      return linear();
    case Source::Lowering:
      return lowering();
    default: // has no body
      return;
    }
  }

private:
  void defineResults() {
    for (auto [i, result] : enumerate(node.outputs)) {
      Type type = result.variadic ? Type::Tensors : Type::Tensor;
      std::string own = local(result.name), d = "d_" + own;
      os << formatv("  auto {0}at = node.getODSResultIndexAndLength({1});\n",
                    own, i);
      if (result.variadic)
        os << formatv("  auto {0} = ::llvm::to_vector_of<::mlir::Value>("
                      "op->getResults().slice({0}at.first, {0}at.second));\n"
                      "  auto {1} = ::llvm::to_vector(given.slice({0}at.first, "
                      "{0}at.second));\n",
                      own, d);
      else
        os << formatv("  ::mlir::Value {0} = op->getResult({0}at.first);\n"
                      "  ::mlir::Value {1} = given[{0}at.first];\n",
                      own, d);
      os << formatv("  (void){0}, (void){1};\n", own, d);
      scope.define(result.name, type, own);
      scope.define("d." + result.name, type, d);
    }
  }

  size_t indexOf(const TensorSignature &operand) const {
    return &operand - node.inputs.data();
  }

  void give(const TensorSignature &operand, const std::string &code) {
    os << formatv("  made.set(node.getODSOperandIndexAndLength({0}), {1});\n",
                  indexOf(operand), code);
  }

  void given() {
    GraphEmitter emitter(functions, *gradient.record, scope, os);
    for (const Statement &statement : gradient.statements) {
      std::vector<const TensorSignature *> operands;
      for (const ExprPtr &target : statement.targets)
        if (auto name = gradientName(target))
          operands.push_back(node.findInput(*name));
      // The gradient of an optional operand is built only where the operand is
      // present.
      bool guarded = operands.size() == 1 && operands[0]->optional;
      if (guarded)
        os << formatv("  if ({0}) {{\n", local(operands[0]->name));
      std::vector<std::string> builtOutside = built;
      assign(emitter, statement);
      if (guarded) {
        os << "  }\n";
        built = builtOutside;
      }
    }
  }

  void assign(GraphEmitter &emitter, const Statement &statement) {
    if (statement.targets.size() == 1)
      if (auto name = gradientName(statement.targets[0])) {
        const TensorSignature &operand = *node.findInput(*name);
        if (reasonOfNone(statement.value, *gradient.record)) {
          os << formatv("  made.leaveOut(node.getODSOperandIndexAndLength({0}"
                        "));\n",
                        indexOf(operand));
          return;
        }
        if (statement.value->isName("derived"))
          return derived(operand);
      }
    emitter.statement(statement);
    for (const ExprPtr &target : statement.targets)
      if (auto name = gradientName(target)) {
        const Scope::Entry *entry = emitter.names().find(target->text);
        const TensorSignature &operand = *node.findInput(*name);
        Type wanted = operand.variadic ? Type::Tensors : Type::Tensor;
        if (entry->type != wanted)
          fatalAt(target->at, *gradient.record,
                  "the gradient of '" + *name + "' is of type " +
                      nameOf(entry->type) + ", but must be " + nameOf(wanted));
        give(operand, entry->spelling);
      }
  }

  /// Emits d.in = d.out * (the formula's derivative with respect to in).
  void formula() {
    ExprPtr formula = node.formulaTree();
    std::string d = "d." + node.outputs[0].name;
    std::map<std::string, std::string> tensors{{d, scope.find(d)->spelling}};
    std::vector<std::string> truths;
    for (const TensorSignature &input : node.inputs) {
      tensors[input.name] = local(input.name);
      if (!isReal(node, input))
        truths.push_back(input.name);
    }
    os << "  using C = double;\n";
    FormulaGraphEmitter graph(model, node.record, tensors, truths,
                              node.scope("shape."), tensors[d], os);
    for (const TensorSignature &input : node.inputs) {
      if (!isReal(node, input))
        continue;
      ExprPtr change = simplify(makeBinary(
          "*", makeName(d),
          derivativeOf(formula, input.name, model.functions, node.record)));
      // A comparison or a rounding has no gradient, where it has one at all.
      if (textOf(change) != "0")
        give(input, graph.emit(change));
    }
  }

  void compute() {
    for (const Adjoint &adjoint : derivedNodes(model, node)) {
      build(adjoint);
      for (auto [number, operand] : enumerate(adjoint.gives))
        give(*operand, resultOf(adjoint, number));
    }
  }

  void derived(const TensorSignature &operand) {
    Adjoint adjoint = adjointOf(model, node, operand);
    build(adjoint);
    give(operand, resultOf(adjoint, find(adjoint.gives, &operand) -
                                        adjoint.gives.begin()));
  }

  static std::string resultOf(const Adjoint &adjoint, size_t number) {
    return formatv("made{0}->getResult({1})", adjoint.name, number);
  }

  /// Builds the node that GradientRecords.cpp declares.
  void build(const Adjoint &adjoint) {
    std::string arguments, name = "made" + adjoint.name;
    if (is_contained(built, name))
      return;
    built.push_back(name);
    for (const TensorSignature *input : adjoint.operands)
      arguments += ", " + local(input->name);
    for (const TensorSignature *result : adjoint.reads)
      arguments += ", " + local(result->name);
    for (const TensorSignature *result : adjoint.results)
      arguments += ", d_" + local(result->name);
    for (const Attribute &attribute : node.attributes)
      arguments += ", shape." + attribute.name;
    os << formatv("  auto {0} = create{1}(builder, location{2});\n"
                  "  if (!{0})\n    return ::llvm::failure();\n",
                  name, adjoint.name, arguments);
  }

  /// By the node whose gradient this is, with what flows into its only result
  /// in the place of the operand (Model/Linear.h).
  void linear() {
    LinearPart part = linearPartOf(model, node);
    const NodeModel &of = *part.node;
    std::string arguments, results;
    for (const TensorSignature &input : of.inputs)
      arguments +=
          ", " +
          (&input == part.operand ? "d_" + local(node.outputs.front().name)
           : !is_contained(part.absent, &input) && node.findInput(input.name)
               ? local(input.name)
               : "::mlir::Value()");
    for (const Attribute &attribute : of.attributes)
      arguments += ", shape." + attribute.name;
    os << formatv("  auto again = create{0}(builder, location{1});\n"
                  "  if (!again)\n    return ::llvm::failure();\n",
                  of.className, arguments);
    for (auto [number, result] : enumerate(of.outputs)) {
      const TensorSignature *flow = node.findInput("d_" + result.name);
      results +=
          (number ? ", " : "") + (flow ? local(flow->name) : "::mlir::Value()");
      if (flow)
        give(*flow, formatv("again->getResult({0})", number));
    }
    os << formatv("  auto others = ::glow::buildGradients(builder, again, "
                  "{{{0}});\n"
                  "  if (failed(others))\n    return ::llvm::failure();\n",
                  results);
    for (const TensorSignature &input : of.inputs)
      if (const TensorSignature *own = node.findInput(input.name);
          own && &input != part.operand && isReal(of, input))
        os << formatv("  ::glow::passOn(*others, again.getODSOperandIndexAnd"
                      "Length({0}), made, node.getODSOperandIndexAndLength({1}"
                      "));\n",
                      &input - of.inputs.data(), indexOf(*own));
  }

  /// Builds what the node lowers to, by the first rule whose condition holds,
  /// and goes back through it.
  void lowering() {
    for (const RuleModel &rule : rulesForAll(model, node)) {
      std::string condition = "true";
      if (!rule.condition.empty()) {
        ExprPtr text = Parser(rule.condition, *rule.record).expression();
        ValueEmitter values(model.functions, scope, *rule.record);
        condition = proven(values.emitAs(text, Type::Bool, "the condition"));
      }
      os << formatv("  if ({0}) {{\n  ::glow::Tape tape(builder);\n",
                    condition);
      rewind(rule);
      os << "  }\n";
    }
    os << "  return node.emitOpError(\"has no rule that applies, and no "
          "gradient "
          "but by one\");\n";
  }

  void rewind(const RuleModel &rule) {
    GraphEmitter emitter(functions, *rule.record, scope, os);
    emitter.statements(statementsOf(functions.model, rule));
    os << "  ::llvm::SmallVector<::mlir::Value> results;\n";
    for (const TensorSignature &result : node.outputs) {
      const Scope::Entry *entry = emitter.names().find(result.name);
      os << formatv(result.variadic ? "  ::llvm::append_range(results, {0});\n"
                                    : "  results.push_back({0});\n",
                    entry->spelling);
    }
    os << "  return tape.rewind(op, results, given, made);\n";
  }

  GraphFunctions &functions;
  const Model &model;
  const NodeModel &node;
  const GradientModel &gradient;
  raw_ostream &os;
  Scope scope;
  std::vector<std::string> built;
};

} // namespace

static bool emitGradients(const Model &model, raw_ostream &os) {
  std::string table, code;
  raw_string_ostream builders(code);
  GraphFunctions functions(model, Purpose::Graph);
  for (const NodeModel *node : model.ownNodes()) {
    GradientModel gradient = gradientOf(model, *node);
    bool builds = gradient.source != Source::Nothing &&
                  gradient.source != Source::Refused;
    std::string function = node->className + "Gradient";
    if (builds) {
      builders << formatv(R"(/// {0}, {1}
::llvm::LogicalResult build{2}(::mlir::OpBuilder &builder, ::mlir::Operation *op,
    ::llvm::ArrayRef<::mlir::Value> given, ::glow::OperandGradients &made) {{
  auto node = ::llvm::cast<{3}>(op);
  ::mlir::Location location = op->getLoc();
  {4}Shape shape;
  auto report = [&](const ::llvm::Twine &message) {{ node.emitOpError(message); };
  if (failed(shape.bind(node, report)))
    return ::llvm::failure();
  auto refuse = [&](const ::llvm::Twine &message) -> ::llvm::LogicalResult {{ return node.emitOpError(message); };
  (void)refuse;
)",
                          placeOf(node->record), nameOf(gradient.source),
                          function, qualified(*node), node->className);
      GradientEmitter(functions, *node, gradient, builders).emit();
      if (gradient.source != Source::Lowering)
        builders << "  return ::llvm::success();\n";
      builders << "}\n\n";
    }
    table += formatv("    {{{0}, {1}, {2}, {3}},\n",
                     quoted("glow." + node->mnemonic),
                     quoted(nameOf(gradient.source)), quoted(gradient.reason),
                     builds ? "build" + function : "nullptr");
  }
  emitBehind(functions, code, os);
  os << "const ::std::vector<::glow::GradientInfo> gradientTable = {\n"
     << table << "};\n\n} // namespace\n";
  return false;
}

static Emitter gradients("gen-gradients", "emit how gradients are built",
                         emitGradients);
