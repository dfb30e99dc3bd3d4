//===- Lowerings.cpp - from lowering statements to rewrite patterns -------===//
// SPDX-License-Identifier: MIT
//
// A rule becomes an MLIR rewrite pattern: its condition, then the statements
// that build nodes. A table beside holds the nodes that it may build, for the
// coverage and for the order of tiers. Rules of one node have benefits, from
// the order that the records give them.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Graph.h"
#include "Emit/language/Page.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static void emitResults(const RuleModel &rule, GraphEmitter &emitter,
                        raw_ostream &os) {
  std::string values;
  for (const TensorSignature &result : rule.node->outputs) {
    const Scope::Entry *entry = emitter.names().find(result.name);
    if (!entry || !isTensor(entry->type))
      fatalAt(nullptr, *rule.record,
              "rule '" + rule.name + "' gives no value to result '" +
                  result.name + "'");
    if ((entry->type == Type::Tensors) != result.variadic)
      fatalAt(nullptr, *rule.record,
              "rule '" + rule.name + "' gives result '" + result.name +
                  "' a value of type " + nameOf(entry->type) +
                  ", but it is of type " +
                  nameOf(result.variadic ? Type::Tensors : Type::Tensor));
    if (entry->type == Type::Tensors)
      values = "::llvm::append_range(replacements, " + entry->spelling + ");\n";
    else
      values = "replacements.push_back(" + entry->spelling + ");\n";
    os << "  " << values;
  }
}

/// Emits the pattern and returns the classes of the nodes that it may build.
static std::set<std::string> emitRule(GraphFunctions &functions,
                                      const RuleModel &rule, raw_ostream &os) {
  const NodeModel &node = *rule.node;
  os << formatv(R"(/// {0}
struct {1} : ::mlir::OpRewritePattern<{2}> {{
  {1}(::mlir::MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/{3}) {{
    setDebugName("{1}");
  }
  ::llvm::LogicalResult matchAndRewrite({2} node, ::mlir::PatternRewriter &rewriter) const override {{
  ::mlir::OpBuilder &builder = rewriter;
  ::mlir::Location location = node.getLoc();
  {4}Shape shape;
  auto report = [&](const ::llvm::Twine &message) {{ (void)rewriter.notifyMatchFailure(node, message); };
  if (failed(shape.bind(node, report)))
    return ::llvm::failure();
  auto refuse = [&](const ::llvm::Twine &message) -> ::llvm::LogicalResult {{ return rewriter.notifyMatchFailure(node, message); };
  (void)refuse;
)",
                placeOf(*rule.record), rule.name, qualified(node),
                benefitOf(*rule.record), node.className);
  Scope scope = operandScope(node, os);
  GraphEmitter emitter(functions, *rule.record, scope, os);
  if (!rule.condition.empty()) {
    Parser parser(rule.condition, *rule.record);
    ExprPtr condition = parser.expression();
    ValueEmitter values(functions.model.functions, scope, *rule.record);
    os << formatv("  if (!{0})\n    return rewriter.notifyMatchFailure(node, "
                  "{1});\n",
                  proven(values.emitAs(condition, Type::Bool, "the condition")),
                  quoted("not so: " + textOf(condition)));
  }
  emitter.statements(statementsOf(functions.model, rule));
  os << "  ::llvm::SmallVector<::mlir::Value> replacements;\n";
  emitResults(rule, emitter, os);
  os << "  return ::glow::replaceNode(rewriter, node, replacements);\n  "
        "}\n};\n\n";
  return emitter.nodesBuilt();
}

static bool emitLowerings(const Model &model, raw_ostream &os) {
  std::string registration, code;
  raw_string_ostream patterns(code);
  GraphFunctions functions(model, Purpose::Graph);
  for (const RuleModel &rule : loweringsOf(model)) {
    if (!model.isOwn(*rule.record))
      continue;
    emitNames(rule.name + "Makes",
              nodeNames(model, emitRule(functions, rule, patterns)), patterns);
    registration +=
        formatv("    {{{0}, {1}, [](::mlir::RewritePatternSet "
                "&rules) {{ rules.add<{2}>(rules.getContext()); "
                "}, {3}, {4}, {5}, {2}Makes},\n",
                quoted(rule.name), quoted("glow." + rule.node->mnemonic),
                rule.name, quoted(rule.backend),
                quoted(oneLine(rule.condition)), quoted(placeOf(*rule.record)));
  }
  emitBehind(functions, code, os);
  os << "const ::std::vector<::glow::RuleInfo> loweringTable = {\n"
     << registration << "};\n\n} // namespace\n";
  return false;
}

static Emitter lowerings("gen-lowerings", "emit rewrite patterns of lowerings",
                         emitLowerings);

static Emitter functions("gen-functions",
                         "declare functions that records only name",
                         [](const Model &model, raw_ostream &os) {
                           declareFunctions(model, os);
                           return false;
                         });
