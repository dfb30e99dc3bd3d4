//===- Rewrites.cpp - from equations to rewrite patterns ------------------===//
// SPDX-License-Identifier: MIT
//
// `left => right`: a call on the left matches a node, a name binds an operand
// or the value of an attribute (a second time, it must be the same), a number
// matches a tensor of that number, and any other expression in the place of an
// attribute must equal it. The right side is built like a rule's. A variadic
// operand is a name, which binds them all, or a list of just so many. Nodes
// that commute are matched in either order.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Graph.h"
#include "Emit/language/Shapes.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/rules/Rewrite.h"
#include "Model/rules/Rule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"
#include <functional>
#include <set>

using namespace glow::gen;
using namespace llvm;

namespace {

/// Writes the conditions under which a left side matches.
class MatchEmitter {
public:
  MatchEmitter(const Model &model, const Record &record, raw_ostream &os)
      : model(model), record(record), os(os) {}

  Scope scope;
  /// Whether a BroadcastView was matched.
  bool hasBroadcast = false;

  /// Matches the node `op`, of which `code` is the variable.
  void node(const ExprPtr &expr, const NodeModel &node,
            const std::string &code) {
    size_t operands = node.inputs.size();
    bool isCall = expr->kind == Expr::Kind::Call;
    std::optional<unsigned> order;
    if (commutes(node, expr))
      order = orders++;
    if (expr->children.size() > operands + node.attributes.size())
      fail(expr, "'" + node.className + "' takes at most " +
                     counted(operands + node.attributes.size(), "argument"));
    size_t next = 0;
    for (auto [i, child] : enumerate(expr->children)) {
      StringRef label = isCall ? StringRef(expr->labels[i]) : StringRef();
      size_t slot = label.empty() ? next++ : slotOf(node, label, expr);
      std::string get = slot < operands ? operandOf(node, slot, code) : "";
      if (order)
        get = formatv("(swapped({0}) ? {1} : {2})", *order,
                      operandOf(node, 1 - slot, code), get)
                  .str();
      if (slot < operands && node.inputs[slot].variadic)
        values(child, get);
      else if (slot < operands)
        value(child, get);
      else
        attribute(child, node.attributes[slot - operands], code);
    }
  }

  const NodeModel &nodeOf(const ExprPtr &expr) {
    const NodeModel *found = glow::gen::nodeOf(model, expr);
    if (!found)
      fail(expr, "the left side of a rewrite is made of nodes, and '" +
                     textOf(expr) + "' is none");
    return *found;
  }

private:
  static std::string operandOf(const NodeModel &node, size_t slot,
                               const std::string &code) {
    return code + "." + getterOf(node.inputs[slot].name) + "()";
  }

  [[noreturn]] void fail(const ExprPtr &at, const Twine &message) {
    fatalAt(at->at, record, message);
  }

  size_t slotOf(const NodeModel &node, StringRef label, const ExprPtr &at) {
    for (auto [i, input] : enumerate(node.inputs))
      if (input.name == label)
        return i;
    for (auto [i, attribute] : enumerate(node.attributes))
      if (attribute.name == label)
        return node.inputs.size() + i;
    fail(at, "'" + node.className + "' has no operand or attribute '" + label +
                 "'");
  }

  void check(const std::string &condition, const std::string &what) {
    os << formatv("  if (!({0}))\n    return "
                  "rewriter.notifyMatchFailure(node, {1});\n",
                  condition, quoted(what));
  }

  /// A variadic operand.
  void values(const ExprPtr &expr, const std::string &code) {
    if (expr->kind == Expr::Kind::Name && !scope.find(expr->text)) {
      scope.define(expr->text, Type::Tensors,
                   bind("::llvm::SmallVector<::mlir::Value>", expr,
                        "::llvm::to_vector(::llvm::map_range(" + code +
                            ", [](::mlir::Value value) { return value; }))"));
      return;
    }
    if (expr->kind != Expr::Kind::List)
      fail(expr, "a variadic operand is matched by a new name or by a list");
    check(code + ".size() == " + std::to_string(expr->children.size()),
          "the operands are not " + std::to_string(expr->children.size()));
    for (auto [i, child] : enumerate(expr->children))
      value(child, "::mlir::Value(" + code + "[" + std::to_string(i) + "])");
  }

  void value(const ExprPtr &expr, const std::string &code) {
    if (isLiteral(expr)) {
      check("::glow::isUniform(" + code + ", " + textOf(expr) + ")",
            "an operand is not " + textOf(expr));
    } else if (expr->kind == Expr::Kind::Name) {
      if (const Scope::Entry *entry = scope.find(expr->text))
        check(proven(code + " == " + entry->spelling),
              "'" + expr->text + "' stands for two values");
      else
        scope.define(expr->text, Type::Tensor,
                     bind("::mlir::Value", expr, code));
    } else {
      const NodeModel &inner = nodeOf(expr);
      std::string name = "inner" + std::to_string(counter++);
      if (inner.className == "Broadcast" &&
          bitField<"Rewrite.identityBroadcasts">(record)) {
        os << formatv("  ::glow::BroadcastView {0}({1});\n", name, code);
        hasBroadcast = true;
      } else {
        os << formatv("  auto {0} = {1} ? {1}.getDefiningOp<{2}>() : {2}();\n",
                      name, code, qualified(inner));
      }
      check("bool(" + name + ")", "an operand is no " + inner.className);
      if (bitField<"Rewrite.once">(record))
        check(name + "->hasOneUse() || ::glow::isConstant(" + code + ")",
              "an inner node has other uses");
      node(expr, inner, name);
    }
  }

  void attribute(const ExprPtr &expr, const Attribute &attribute,
                 const std::string &node) {
    const std::string code = valueOf(attribute, node);
    if (expr->kind == Expr::Kind::Name && !scope.find(expr->text) &&
        expr->text != "true" && expr->text != "false") {
      scope.define(expr->text, attribute.type,
                   bind(cxxType(attribute.type), expr, code), attribute.kind);
      return;
    }
    ValueEmitter values(model.functions, scope, record);
    values.checkWords(expr, attribute.kind);
    check(proven(code +
                 " == " + values.emitAs(expr, attribute.type, attribute.name)),
          attribute.name + " is not " + textOf(expr));
  }

  std::string bind(StringRef type, const ExprPtr &expr,
                   const std::string &code) {
    std::string name = local(expr->text) + "bound";
    os << formatv("  {0} {1} = {2};\n  (void){1};\n", type, name, code);
    return name;
  }

  const Model &model;
  const Record &record;
  raw_ostream &os;
  unsigned counter = 0, orders = 0;
};

} // namespace

/// The names of a condition with their values, as C++ that adds to a
/// diagnostic.
static std::string valuesIn(const ExprPtr &condition, const Scope &scope) {
  StringSet<> names;
  std::string code;
  std::function<void(const ExprPtr &)> collect = [&](const ExprPtr &expr) {
    const Scope::Entry *entry =
        expr->kind == Expr::Kind::Name ? scope.find(expr->text) : nullptr;
    if (entry && entry->type != Type::Tensors &&
        names.insert(expr->text).second) {
      code += " << " +
              quoted((code.empty() ? "; here " : ", ") + expr->text + " is ");
      code += entry->type == Type::Tensor ? " << ::glow::typeText("
                                          : " << ::glow::valueText(";
      code += entry->spelling + ")";
    }
    for (const ExprPtr &child : expr->children)
      collect(child);
  };
  collect(condition);
  return code;
}

/// The nodes of both sides of a rewrite for one backend, and its condition.
static std::string sidesOf(const Model &model, const RewriteModel &rewrite,
                           const std::set<std::string> &built) {
  const Record &record = *rewrite.record;
  if (textField<"Rewrite.backend">(record).empty())
    return "{}, {}, \"\"";
  std::string takes;
  std::function<void(const ExprPtr &)> collect = [&](const ExprPtr &expr) {
    if (const NodeModel *node = glow::gen::nodeOf(model, expr))
      takes += quoted("glow." + node->mnemonic) + ", ";
    for (const ExprPtr &child : expr->children)
      collect(child);
  };
  collect(rewrite.left);
  std::string makes;
  for (const std::string &name : built)
    makes += quoted("glow." + model.findNode(name)->mnemonic) + ", ";
  // One line, in which names of the record are replaced by their expressions.
  std::string condition;
  if (!textField<"Rewrite.condition">(record).trim().empty())
    condition = textOf(
        Parser(textField<"Rewrite.condition">(record), record).expression());
  return "{" + takes + "}, {" + makes + "}, " + quoted(condition);
}

static void emitRewrite(GraphFunctions &functions, const RewriteModel &rewrite,
                        std::string &table, raw_ostream &os) {
  const Model &model = functions.model;
  const Record &record = *rewrite.record;
  const ExprPtr &left = rewrite.left;
  const ExprPtr right = rightWithCalls(record);
  MatchEmitter match(model, record, os);
  const NodeModel &root = match.nodeOf(left);
  os << formatv(R"(/// {0}: {1}
struct {2} : ::mlir::OpRewritePattern<{3}> {{
  {2}(::mlir::MLIRContext *context) : OpRewritePattern(context, /*benefit=*/{4}) {{
    setDebugName("{2}");
  }
  ::llvm::LogicalResult matchAndRewrite({3} node, ::mlir::PatternRewriter &rewriter) const override {{
  ::mlir::OpBuilder &builder = rewriter;
  ::mlir::Location location = node.getLoc();
  auto refuse = [&](const ::llvm::Twine &message) -> ::llvm::LogicalResult {{ return rewriter.notifyMatchFailure(node, message); };
  (void)refuse;
{5}  return ::glow::inAnyOrder([&](::glow::Orders &swapped) -> ::llvm::LogicalResult {{
  (void)swapped;
)",
                placeOf(record), textOf(left) + " => " + textOf(right),
                rewrite.name, qualified(root), benefitOf(record),
                // Nodes of one backend have code of fixed sizes.
                textField<"Rewrite.backend">(record).empty()
                    ? ""
                    : "  if (::glow::takesLengths(node))\n    return "
                      "refuse(\"a run gives its sizes\");\n");
  match.node(left, root, "node");
  if (bitField<"Rewrite.identityBroadcasts">(record) && !match.hasBroadcast)
    fatalAt(left->at, record,
            "'identityBroadcasts' needs a Broadcast inside the left side");
  GraphEmitter emitter(functions, record, match.scope, os);
  StringRef condition = textField<"Rewrite.condition">(record).trim();
  if (!condition.empty()) {
    Parser text(condition, record);
    for (const ExprPtr &part : conjunctsOf(text.expression()))
      os << formatv("  if (!{0})\n    return rewriter.notifyMatchFailure(node, "
                    "[&](::mlir::Diagnostic &why) {{ why << {1}{2}; });\n",
                    proven(emitter.emit(part).code),
                    quoted("not so: " + textOf(part)),
                    valuesIn(part, match.scope));
  }
  if (bitField<"Rewrite.rounds">(record) &&
      !bitField<"Rewrite.beforeSteps">(record))
    os << "  if (::glow::mayMeetStep(node.getOperation()))\n    return "
          "rewriter.notifyMatchFailure(node, \"a step may follow\");\n";
  os << formatv("  return ::glow::replaceNode(rewriter, node, {{{0}});\n  });\n"
                "  }\n};\n\n",
                emitter.tensor(right));
  bool raises = any_of(emitter.nodesBuilt(), [&](const std::string &name) {
    return !model.findNode(name)->lowering.empty();
  });
  std::string needs;
  for (const Record *node : recordsField<"Rewrite.needs">(record))
    needs +=
        formatv("\"glow.{0}\", ", model.findNode(node->getName())->mnemonic);
  table += formatv("    {{{0}, [](::mlir::RewritePatternSet &patterns) {{ "
                   "patterns.add<{1}>(patterns.getContext()); }, {2}, {3}, "
                   "{4}, {5}, {{{6}}, {7}},\n",
                   quoted(rewrite.name), rewrite.name, quoted(placeOf(record)),
                   quoted(textField<"Rewrite.backend">(record)),
                   bitField<"Rewrite.beforeFolding">(record) ? "true" : "false",
                   raises ? "true" : "false", needs,
                   sidesOf(model, rewrite, emitter.nodesBuilt()));
}

static bool emitRewrites(const Model &model, raw_ostream &os) {
  std::string table, code;
  raw_string_ostream patterns(code);
  GraphFunctions functions(model, Purpose::Graph);
  for (const RewriteModel &rewrite : rewritesOf(model))
    emitRewrite(functions, rewrite, table, patterns);
  emitBehind(functions, code, os);
  os << "const ::std::vector<::glow::RewriteInfo> rewriteTable = {\n"
     << table << "};\n\n} // namespace\n";
  return false;
}

/// Emits the facts about DRR patterns that DRR itself does not record.
static bool emitPatternTable(const Model &model, raw_ostream &os) {
  os << "const ::std::vector<::glow::PatternInfo> patternTable = {\n";
  for (const Record *sample : model.own("PatternSample"))
    os << formatv("    {{{0}, {1}, {2}},\n",
                  quoted(textField<"PatternSample.pattern">(*sample)),
                  quoted(textField<"PatternSample.backend">(*sample)),
                  bitField<"PatternSample.beforeFolding">(*sample) ? "true"
                                                                   : "false");
  os << "};\n";
  return false;
}

static Emitter patterns("gen-pattern-table",
                        "emit which backends DRR patterns are for",
                        emitPatternTable);
static Emitter rewrites("gen-rewrites", "emit patterns of rewrites",
                        emitRewrites);
