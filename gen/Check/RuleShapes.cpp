//===- RuleShapes.cpp - result sizes of rules -----------------------------===//
// SPDX-License-Identifier: MIT
//
// The sizes of a tensor that a rule or a gradient builds follow from
// signatures: names of the callee's sizes stand for those of its operands. A
// size that depends on an expression, or on a list of unknown length, may be
// anything. A shape that can never be the result's is refused.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Parser.h"
#include "Model/gradients/Gradient.h"
#include "Model/rules/InstrCall.h"
#include "Model/rules/Rewrite.h"
#include "Model/rules/Rule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

namespace {

/// One size, or a list of them; without a text it may be any.
struct Item {
  std::string text;
  bool list = false;

  bool operator==(const Item &other) const {
    return text == other.text && list == other.list;
  }
};

using Shape = std::vector<Item>;
using MaybeShape = std::optional<Shape>;

size_t singlesIn(const Shape &shape) {
  return count_if(shape, [](const Item &item) { return !item.list; });
}

bool hasList(const Shape &shape) { return singlesIn(shape) != shape.size(); }

std::string textOf(const Shape &shape) {
  std::string text;
  for (const Item &item : shape)
    text += (text.empty() ? "" : ", ") + std::string(item.list ? "*" : "") +
            (item.text.empty() ? "..." : item.text);
  return "[" + text + "]";
}

/// The sizes that rules build from those of their operands.
class Inference {
public:
  Inference(const Model &model, const NodeModel &node, const Record &record,
            StringRef condition = "")
      : model(model), node(node), record(record), condition(condition.trim()) {
    for (const TensorSignature &input : node.inputs)
      if (!input.variadic)
        known[input.name] = own(input);
  }

  /// A rule, which gives values to results.
  void runRule(const RuleModel &rule) {
    statements(statementsOf(model, rule));
    for (const TensorSignature &output : node.outputs)
      check(output.name, output, "rule '" + rule.name + "'");
  }

  /// The instructions that the node lists: each buffer is of the sizes that the
  /// instruction says.
  void runIRGen() {
    for (const TensorSignature &output : node.outputs)
      if (!output.variadic)
        known[output.name] = own(output);
    for (const Statement &statement : irgenOf(node)) {
      if (std::optional<TensorSignature> buffer = bufferOf(statement, record)) {
        Shape shape;
        for (const Dimension &dim : buffer->dims)
          shape.push_back(ofNode(itemOf(dim)));
        known[buffer->name] = shape;
      } else if (statement.targets.empty()) {
        instruction(statement.value);
      } else if (auto to = known.find(statement.targets[0]->text),
                 from = known.find(textOf(statement.value));
                 to != known.end() && from != known.end() &&
                 differs(to->second, from->second)) {
        fail(statement.value, "a copy of sizes " + textOf(from->second) +
                                  " into '" + statement.targets[0]->text +
                                  "', whose sizes are " + textOf(to->second));
      }
    }
  }

  /// A gradient, which gives those of operands by those of results.
  void runGradient(const std::vector<Statement> &body) {
    for (const TensorSignature &output : node.outputs)
      if (!output.variadic)
        known[output.name] = known["d." + output.name] = own(output);
    statements(body);
    for (const TensorSignature &input : node.inputs)
      check("d." + input.name, input, "the gradient");
  }

private:
  /// The values of the names of a callee's signature.
  struct Binding {
    StringMap<Shape> sizes;
    std::vector<ExprPtr> arguments; // operands, then attributes; may be null
  };

  /// A value between instructions may be anything.
  Item ofNode(Item item) const {
    bool isSize = !item.text.empty() &&
                  (isDigit(item.text[0]) ||
                   any_of(node.dimensionNames(), [&](const auto &size) {
                     return size.first == item.text;
                   }));
    return isSize ? item : Item{"", item.list};
  }

  /// The buffers of an instruction that is given all of them: those that it
  /// reads bind the names of its signature, and the others are of them.
  void instruction(const ExprPtr &call) {
    std::optional<InstrSignature> instr = instrNamed(model, call->text);
    const Record *alone = instrRecord(call->text);
    const NodeModel *callee =
        alone ? nodeOf(model, *alone) : model.findNode(call->text);
    InstrArguments given = glow::gen::argumentsOf(*instr, call, record);
    Binding binding;
    auto tensors = [&](ArrayRef<TensorSignature> all, const Twine &of,
                       ArrayRef<Attribute> attributes) {
      binding.arguments.assign(all.size(), nullptr);
      append_range(binding.arguments, given.attributes);
      for (const TensorSignature &tensor : all)
        for (auto [buffer, name] : zip_equal(instr->buffers, given.buffers))
          if (buffer.name == tensor.name && name && !tensor.variadic)
            if (auto shape = known.find(textOf(name)); shape != known.end())
              fit(name, tensor, shape->second, of, all, attributes, binding);
    };
    if (callee) {
      std::vector<TensorSignature> all = callee->inputs;
      append_range(all, callee->outputs);
      tensors(all, call->text, callee->attributes);
    } else if (alone) {
      InstrModel signature(*alone);
      tensors(signature.inputs, call->text, signature.attributes);
    }
  }

  /// The Instr record of a call; null where one is derived of a node.
  const Record *instrRecord(const std::string &name) const {
    for (const std::string &each : {name + "Instr", name})
      if (const Record *found = model.records.getDef(each);
          found && found->isSubClassOf("Instr"))
        return found;
    return nullptr;
  }

  /// Holds a buffer to its signature, in which names that came before are
  /// bound.
  void fit(const ExprPtr &name, const TensorSignature &tensor,
           const Shape &shape, const Twine &of, ArrayRef<TensorSignature> all,
           ArrayRef<Attribute> attributes, Binding &binding) {
    Shape wanted;
    for (const Dimension &dim : tensor.dims) {
      Item item = itemOf(dim);
      auto bound = binding.sizes.find(item.text);
      if (!item.text.empty() && bound != binding.sizes.end())
        append_range(wanted, bound->second);
      else
        append_range(wanted,
                     attributeSizes(item, all.size(), attributes, binding));
    }
    if (differs(shape, wanted))
      fail(name, "'" + tensor.name + "' of '" + of + "' is " + tensor.text +
                     ", here of sizes " + textOf(wanted) + ", but '" +
                     textOf(name) + "' is of sizes " + textOf(shape));
    bindNames(tensor, shape, binding);
  }

  /// A size that is an attribute of the call; any size where none is.
  Shape attributeSizes(const Item &item, size_t operands,
                       ArrayRef<Attribute> attributes,
                       const Binding &binding) const {
    for (auto [attribute, argument] :
         zip(attributes, drop_begin(binding.arguments, operands)))
      if (attribute.name == item.text && argument)
        return written(argument, item.list);
    bool isNumber = !item.text.empty() && isDigit(item.text[0]);
    return {{isNumber ? item.text : "", item.list}};
  }

  static Item itemOf(const Dimension &dim) {
    bool list =
        dim.form == Dimension::Form::Rest || dim.form == Dimension::Form::Any;
    bool named = dim.value && (dim.value->kind == Expr::Kind::Name ||
                               dim.value->kind == Expr::Kind::Integer);
    return {named ? dim.value->text : "", list};
  }

  /// The shape that the node's own signature gives.
  static Shape own(const TensorSignature &tensor) {
    Shape shape;
    for (const Dimension &dim : tensor.dims)
      shape.push_back(itemOf(dim));
    return shape;
  }

  void statements(const std::vector<Statement> &all) {
    for (const Statement &statement : all) {
      bool single = !statement.isLoop() && statement.targets.size() == 1;
      MaybeShape shape = single ? shapeOf(statement.value) : std::nullopt;
      if (!single)
        shapesIn(statement);
      for (const ExprPtr &target : targetsOf({statement})) {
        known.erase(target->text);
        given[target->text] = statement.at;
        if (shape)
          known[target->text] = *shape;
      }
    }
  }

  /// Checks the nodes in a statement of any other form, too. A loop is left
  /// out, since it may change the shapes of names.
  void shapesIn(const Statement &statement) {
    if (!statement.isLoop())
      (void)shapeOf(statement.value);
  }

  MaybeShape shapeOf(const ExprPtr &expr) {
    if (expr->kind == Expr::Kind::Name) {
      auto found = known.find(expr->text);
      return found == known.end() ? MaybeShape() : found->second;
    }
    if (expr->kind == Expr::Kind::Binary || expr->kind == Expr::Kind::Unary)
      return infix(expr);
    if (expr->kind != Expr::Kind::Call)
      return std::nullopt;
    if (expr->text == "if" && expr->children.size() == 3) {
      MaybeShape yes = shapeOf(expr->children[1]);
      return yes && yes == shapeOf(expr->children[2]) ? yes : std::nullopt;
    }
    const NodeModel *callee = model.findNode(expr->text);
    return callee ? call(expr, *callee) : std::nullopt;
  }

  /// The operands are of one shape, numbers left out.
  MaybeShape infix(const ExprPtr &expr) {
    MaybeShape result;
    for (const ExprPtr &child : expr->children) {
      MaybeShape shape = shapeOf(child);
      if (shape && result && differs(*shape, *result))
        fail(expr, "'" + expr->text + "' of sizes " + textOf(*result) +
                       " and " + textOf(*shape));
      if (!result || (shape && !hasList(*shape)))
        result = shape ? shape : result;
    }
    return result;
  }

  MaybeShape call(const ExprPtr &expr, const NodeModel &callee) {
    Binding binding{{}, argumentsOf(expr, callee)};
    for (auto [input, argument] : zip(callee.inputs, binding.arguments))
      if (argument && !input.variadic)
        if (MaybeShape shape = shapeOf(argument))
          bind(argument, callee, input, *shape, binding);
    if (callee.outputs.size() != 1 || callee.outputs[0].variadic)
      return std::nullopt;
    Shape result;
    for (const Dimension &dim : callee.outputs[0].dims)
      append_range(result, sizesFor(dim, callee, binding));
    return result;
  }

  /// Mistakes in calls are refused where they are emitted.
  static std::vector<ExprPtr> argumentsOf(const ExprPtr &expr,
                                          const NodeModel &callee) {
    size_t operands = callee.inputs.size(), next = 0;
    std::vector<ExprPtr> given(operands + callee.attributes.size());
    for (auto [i, child] : enumerate(expr->children)) {
      size_t slot = expr->labels[i].empty() ? next++ : given.size();
      for (auto [k, input] : enumerate(callee.inputs))
        if (input.name == expr->labels[i])
          slot = k;
      for (auto [k, attribute] : enumerate(callee.attributes))
        if (attribute.name == expr->labels[i])
          slot = operands + k;
      if (slot < given.size())
        given[slot] = child;
    }
    return given;
  }

  void bind(const ExprPtr &argument, const NodeModel &callee,
            const TensorSignature &input, const Shape &shape,
            Binding &binding) {
    Shape wanted = own(input);
    if (hasList(shape)    ? singlesIn(shape) > wanted.size() && !hasList(wanted)
        : hasList(wanted) ? shape.size() < singlesIn(wanted)
                          : shape.size() != wanted.size())
      fail(argument, "operand '" + input.name + "' of '" + callee.className +
                         "' is " + input.text + ", but is given sizes " +
                         textOf(shape));
    bindNames(input, shape, binding);
  }

  /// The sizes of an operand by the names of its signature.
  static void bindNames(const TensorSignature &input, const Shape &shape,
                        Binding &binding) {
    Shape wanted = own(input);
    size_t lists = wanted.size() - singlesIn(wanted);
    if (lists > 1 || (hasList(shape) && !alignsWith(shape, wanted)) ||
        (!lists && shape.size() != wanted.size()) ||
        shape.size() + 1 < wanted.size())
      return;
    size_t next = 0;
    for (auto [item, dim] : zip_equal(wanted, input.dims)) {
      size_t count = item.list ? shape.size() + 1 - wanted.size() : 1;
      Shape part(shape.begin() + next, shape.begin() + next + count);
      if (!item.text.empty() && !binding.sizes.contains(item.text))
        binding.sizes[item.text] = part;
      next += count;
    }
  }

  /// Whether lists of the one fall into the list of the other.
  static bool alignsWith(const Shape &shape, const Shape &wanted) {
    if (shape.size() < singlesIn(wanted))
      return false;
    size_t before = 0, behind = 0;
    while (before < wanted.size() && !wanted[before].list)
      ++before;
    while (behind < wanted.size() && !wanted[wanted.size() - 1 - behind].list)
      ++behind;
    if (before == wanted.size() || before + behind > shape.size())
      return false;
    return !hasList(Shape(shape.begin(), shape.begin() + before)) &&
           !hasList(Shape(shape.end() - behind, shape.end()));
  }

  Shape sizesFor(const Dimension &dim, const NodeModel &callee,
                 const Binding &binding) const {
    Item item = itemOf(dim);
    auto bound = binding.sizes.find(item.text);
    if (!item.text.empty() && bound != binding.sizes.end())
      return bound->second;
    for (auto [attribute, argument] :
         zip(callee.attributes,
             drop_begin(binding.arguments, callee.inputs.size())))
      if (attribute.name == item.text && argument)
        return written(argument, item.list);
    bool number = !item.text.empty() && isDigit(item.text[0]);
    return {{number ? item.text : "", item.list}};
  }

  /// The sizes that an argument says: `[*s, n]`, `s`, `n`.
  Shape written(const ExprPtr &expr, bool list) const {
    if (expr->kind == Expr::Kind::List) {
      Shape shape;
      for (const ExprPtr &child : expr->children) {
        bool spread = child->kind == Expr::Kind::Spread;
        append_range(shape,
                     written(spread ? child->children[0] : child, spread));
      }
      return shape;
    }
    if (expr->kind == Expr::Kind::Call && expr->text == "shape" &&
        expr->children.size() == 1 &&
        expr->children[0]->kind == Expr::Kind::Name)
      if (auto of = known.find(expr->children[0]->text); of != known.end())
        return of->second;
    bool isSize =
        expr->kind == Expr::Kind::Integer ||
        any_of(node.dimensionNames(), [&](const auto &size) {
          return expr->isName(size.first) && !given.contains(size.first);
        });
    return {{isSize ? expr->text : "", list}};
  }

  /// Whether two sizes are never the same: two numbers, or two names of which
  /// no requirement or condition speaks.
  bool differs(const Item &a, const Item &b) const {
    if (a.text.empty() || b.text.empty() || a.text == b.text || a.list ||
        b.list)
      return false;
    bool numbers = isDigit(a.text[0]) && isDigit(b.text[0]);
    bool names = !isDigit(a.text[0]) && !isDigit(b.text[0]);
    return numbers || (names && !isSpokenOf(a.text) && !isSpokenOf(b.text));
  }

  bool isSpokenOf(StringRef name) const {
    if (any_of(node.requirements, [&](const Requirement &requirement) {
          return mentions(requirement.condition, name);
        }))
      return true;
    return !condition.empty() &&
           mentions(Parser(condition, record).expression(), name);
  }

  bool differs(const Shape &a, const Shape &b) const {
    if (!hasList(a) && !hasList(b))
      return a.size() != b.size() || any_of(zip(a, b), [&](const auto &pair) {
               return differs(std::get<0>(pair), std::get<1>(pair));
             });
    if (hasList(a) && hasList(b))
      return false;
    return hasList(a) ? singlesIn(a) > b.size() : singlesIn(b) > a.size();
  }

  void check(const std::string &name, const TensorSignature &tensor,
             const Twine &what) {
    auto shape = known.find(name);
    if (tensor.variadic || shape == known.end() || !given.contains(name))
      return;
    Shape wanted = own(tensor);
    if (differs(shape->second, wanted))
      fatalAt(given[name], record,
              what + " gives '" + name + "' the sizes " +
                  textOf(shape->second) + ", but the signature says " +
                  textOf(wanted));
  }

  [[noreturn]] void fail(const ExprPtr &at, const Twine &message) const {
    fatalAt(at->at, record, message);
  }

  const Model &model;
  const NodeModel &node;
  const Record &record;
  StringRef condition;
  StringMap<Shape> known;
  StringMap<const char *> given;
};

} // namespace

void glow::gen::checkRuleShapes(const Model &model) {
  for (const NodeModel *node : model.ownNodes())
    if (!node->irgen.empty())
      Inference(model, *node, node->record).runIRGen();
  for (const RuleModel &rule : loweringsOf(model))
    if (model.isOwn(*rule.record))
      Inference(model, *rule.node, *rule.record, rule.condition).runRule(rule);
  for (const NodeModel *node : model.ownNodes())
    if (GradientModel gradient = gradientOf(model, *node);
        gradient.source == GradientModel::Source::Given)
      Inference(model, *node, *gradient.record)
          .runGradient(gradient.statements);
}
