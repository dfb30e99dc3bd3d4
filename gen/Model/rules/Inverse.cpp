//===- Inverse.cpp - import records, read backwards -----------------------===//
// SPDX-License-Identifier: MIT

#include "Expr/Builtin.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/rules/InverseReader.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace glow::gen;
using namespace llvm;

InverseReader::InverseReader(const Model &model, const Record &record,
                             const std::set<const NodeModel *> *unwritten)
    : model(model), record(record), unwritten(unwritten),
      body(Parser(textField<"OnnxImport.body">(record), record).statements()),
      view(model, record, body) {
  readOwn();
  for (const BodyPlace &condition : view.conditions())
    readWords(condition);
}

void InverseReader::readOwn() {
  for (const Init *argument :
       dagField<"OnnxImport.inputs">(record)->getArgs()) {
    StringRef text = cast<StringInit>(argument)->getValue();
    bool isRest = text.ends_with("...");
    order.push_back(text.rtrim("?.").str());
    own[order.back()] = {isRest ? Type::Tensors : Type::Tensor, true,
                         !isRest && !text.ends_with("?")};
  }
  const DagInit *dag = dagField<"OnnxImport.attributes">(record);
  for (auto [init, name] : zip(dag->getArgs(), dag->getArgNames())) {
    Type type = Type::Real;
    bool isNeeded = false, isTexts = false;
    if (isa<IntInit>(init))
      type = Type::Int;
    else if (isa<ListInit>(init))
      type = Type::Ints;
    else if (auto *def = dyn_cast<DefInit>(init)) {
      bool isTyped = def->getDef()->isSubClassOf("OnnxAttribute");
      type = isTyped
                 ? *typeNamed(textField<"OnnxAttribute.type">(*def->getDef()))
                 : Type::Text;
      isNeeded = isTyped && bitField<"OnnxAttribute.required">(*def->getDef());
      isTexts = isTyped &&
                textField<"OnnxAttribute.reader">(*def->getDef()) == "texts";
    }
    // No node has an attribute that is a tensor or a graph.
    order.push_back(name->getValue().str());
    own[order.back()] = {type, false, isNeeded, isTexts};
  }
}

ExprPtr InverseReader::written(StringRef name) const {
  const DagInit *dag = dagField<"OnnxImport.written">(record);
  for (auto [text, other] : zip(dag->getArgs(), dag->getArgNames()))
    if (other->getValue() == name)
      return Parser(cast<StringInit>(text)->getValue(), record).expression();
  return nullptr;
}

std::vector<std::string> InverseReader::outputs() const {
  std::vector<std::string> names;
  for (StringRef output : textsField<"OnnxImport.outputs">(record))
    names.push_back(output.rtrim("?.").str());
  if (names.empty() && !body.empty() && !body.back().targets.empty())
    names.push_back(body.back().targets[0]->text);
  return names;
}

//===----------------------------------------------------------------------===//
// Nodes that are results
//===----------------------------------------------------------------------===//

void InverseReader::addLeaves(
    BodyPlace place, std::vector<std::pair<BodyPlace, bool>> conditions,
    std::vector<Leaf> &leaves) {
  place = view.resolved(place);
  if (!place.expr || place.expr->kind != Expr::Kind::Call)
    return;
  const std::vector<ExprPtr> &children = place.expr->children;
  if (isCallOf(place.expr, Builtin::If) && children.size() == 3) {
    for (bool holds : {true, false}) {
      auto inside = conditions;
      inside.push_back({place.at(children[0]), holds});
      addLeaves(place.at(children[holds ? 1 : 2]), inside, leaves);
    }
    return;
  }
  bool isFold = isCallOf(place.expr, Builtin::Fold);
  if (const NodeModel *node =
          model.findNode(isFold ? children[0]->text : place.expr->text))
    leaves.push_back({node, place, conditions});
}

/// The argument for each operand and each attribute of the node; nothing for an
/// argument that the call leaves out. A fold gives both operands the list.
std::vector<BodyPlace> InverseReader::givenTo(const Leaf &leaf) const {
  const Expr &call = *leaf.call.expr;
  const NodeModel &node = *leaf.node;
  std::vector<BodyPlace> given(node.inputs.size() + node.attributes.size());
  if (isCallOf(leaf.call.expr, Builtin::Fold)) {
    for (BodyPlace &place : given)
      place = leaf.call.at(call.children[1]);
    return given;
  }
  size_t next = 0;
  for (auto [child, label] : zip_equal(call.children, call.labels)) {
    size_t slot = label.empty() ? next++ : 0;
    for (auto [i, input] : enumerate(node.inputs))
      slot = input.name == label ? i : slot;
    for (auto [i, attribute] : enumerate(node.attributes))
      slot = attribute.name == label ? node.inputs.size() + i : slot;
    if (slot < given.size() && !child->isName("none"))
      given[slot] = leaf.call.at(child);
  }
  return given;
}

/// The result of the call that a value is, in one case of a condition; -1 if it
/// is none.
int InverseReader::resultIn(const BodyPlace &given, const Leaf &leaf) {
  BodyPlace place = view.resolved(given);
  if (place.isSameCall(leaf.call))
    return place.result;
  if (!isCallOf(place.expr, Builtin::If) || place.expr->children.size() != 3)
    return -1;
  int result = resultIn(place.at(place.expr->children[1]), leaf);
  return result >= 0 ? result
                     : resultIn(place.at(place.expr->children[2]), leaf);
}

/// Outputs that are other results of the same call.
std::vector<int> InverseReader::resultsOf(const Leaf &leaf) {
  if (leaf.node->outputs.size() == 1)
    return {};
  std::vector<int> results;
  for (const std::string &output : outputs()) {
    bool isFirst = results.empty();
    results.push_back(isFirst ? std::max(leaf.call.result, 0)
                              : resultIn(view.named(output), leaf));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Sources of arguments
//===----------------------------------------------------------------------===//

/// The type that a call reads from the elements of an input.
static std::optional<Type> typeReadBy(Builtin builtin) {
  switch (builtin) {
  case Builtin::IntList:
    return Type::Ints;
  case Builtin::RealList:
    return Type::Reals;
  case Builtin::IntOf:
    return Type::Int;
  case Builtin::RealOf:
    return Type::Real;
  case Builtin::OnnxKind:
    return Type::Kind;
  default:
    return std::nullopt;
  }
}

std::vector<Origin> InverseReader::originsOf(const BodyPlace &place) {
  std::vector<Origin> origins;
  addOrigins(place, origins);
  std::vector<Origin> each;
  for (Origin &origin : origins)
    if (!is_contained(each, origin))
      each.push_back(std::move(origin));
  return each;
}

void InverseReader::addOrigins(const BodyPlace &given,
                               std::vector<Origin> &origins) {
  BodyPlace place = view.resolved(given);
  if (!place.expr)
    return;
  const Expr &expr = *place.expr;
  if (expr.kind == Expr::Kind::Name) {
    if (auto found = own.find(expr.text); found != own.end())
      origins.push_back({expr.text, found->second.type});
    return;
  }
  auto add = [&](const ExprPtr &child) {
    addOrigins(place.at(child), origins);
  };
  std::optional<Builtin> builtin = builtinOf(place.expr);
  // `axis != 0` is a flag that the operator has as a number.
  if (expr.kind == Expr::Kind::Binary && expr.text == "!=" &&
      expr.children[1]->text == "0") {
    for (Origin &origin : originsOf(place.at(expr.children[0])))
      if (origin.type == Type::Int)
        origins.push_back({origin.name, Type::Bool});
  } else if (builtin == Builtin::If && expr.children.size() == 3) {
    add(expr.children[1]), add(expr.children[2]);
  } else if (builtin == Builtin::AxesOf) {
    add(expr.children[0]);
  } else if (builtin && typeReadBy(*builtin)) {
    for (Origin &origin : originsOf(place.at(expr.children[0])))
      origins.push_back({origin.name, *typeReadBy(*builtin)});
  } else if (expr.kind == Expr::Kind::List || expr.kind == Expr::Kind::Spread ||
             expr.kind == Expr::Kind::Each) {
    llvm::for_each(expr.children, add);
  } else if (const NodeModel *node = expr.kind == Expr::Kind::Call
                                         ? model.findNode(expr.text)
                                         : nullptr;
             node && node->mnemonic == "cast") {
    // A cast to the kind that the value has already; it changes nothing.
    add(expr.children[0]);
  } else if (expr.kind == Expr::Kind::Subscript) {
    add(expr.children[0]);
  } else if (expr.kind == Expr::Kind::Call && !builtin &&
             (model.functions.find(expr.text) ||
              model.functions.findLet(expr.text))) {
    bool isFront = expr.text == "take", isBack = expr.text == "drop";
    size_t first = origins.size();
    llvm::for_each(expr.children, add);
    for (Origin &origin : MutableArrayRef(origins).drop_front(first))
      if (isFront || isBack)
        origin.part = isFront ? Origin::Front : Origin::Back;
  }
}

//===----------------------------------------------------------------------===//
// Facts in conditions
//===----------------------------------------------------------------------===//

void InverseReader::readWords(const BodyPlace &condition) {
  BodyPlace place = view.resolved(condition);
  if (!place.expr)
    return;
  if (auto compared = comparedIn(place.expr);
      compared && compared->second->kind == Expr::Kind::Text) {
    auto &known = words[view.ownName(place.at(compared->first))];
    if (!is_contained(known, compared->second->text))
      known.push_back(compared->second->text);
  }
  if (place.expr->kind == Expr::Kind::Binary ||
      place.expr->kind == Expr::Kind::Unary)
    for (const ExprPtr &child : place.expr->children)
      readWords(place.at(child));
}

void InverseReader::read(const BodyPlace &condition, bool holds, Said &said) {
  BodyPlace place = view.resolved(condition);
  if (!place.expr)
    return;
  const Expr &expr = *place.expr;
  if (expr.kind == Expr::Kind::Unary && expr.text == "!")
    return read(place.at(expr.children[0]), !holds, said);
  if (expr.kind == Expr::Kind::Binary && expr.text == (holds ? "&&" : "||")) {
    for (const ExprPtr &child : expr.children)
      read(place.at(child), holds, said);
    return;
  }
  if (isCallOf(place.expr, Builtin::Present) && !holds)
    said.absent.insert(view.ownName(place.at(expr.children[0])));
  auto compared = comparedIn(place.expr);
  if (!compared)
    return;
  std::string name = view.ownName(place.at(compared->first));
  const Expr &word = *compared->second;
  if ((expr.text == "==") == holds)
    said.words[name] = {word.text};
  else if (word.kind == Expr::Kind::Integer)
    said.words[name] = {word.text == "0" ? "1" : "0"};
  else // the word is not possible any more
    llvm::erase(said.words.try_emplace(name, words[name]).first->second,
                word.text);
}

//===----------------------------------------------------------------------===//
// Proposals
//===----------------------------------------------------------------------===//

/// Adds the lists of numbers that belong to the names in a list.
void InverseReader::addNumbers(const Leaf &leaf, Inverse &inverse) {
  const NodeModel &node = *leaf.node;
  for (auto [i, given] : enumerate(givenTo(leaf))) {
    if (i < node.inputs.size() || !given.expr)
      continue;
    const std::string &slot = node.attributes[i - node.inputs.size()].name;
    if (none_of(inverse.values, [&](const InverseValue &value) {
          return value.isList && value.from.front() == slot;
        }))
      continue;
    size_t number = 0;
    for (const Origin &origin : originsOf(given))
      if (origin.type == Type::Reals)
        inverse.values.push_back({.name = origin.name,
                                  .from = {slot},
                                  .word = std::to_string(number++),
                                  .isList = true});
  }
}

/// Arranges the chosen origins in the order of the operator; nothing where one
/// input or attribute would get two values.
Values InverseReader::valuesOf(const Leaf &leaf,
                               ArrayRef<const Origin *> chosen) const {
  StringMap<InverseValue> byName;
  StringMap<Origin::Part> lastPart;
  const NodeModel &node = *leaf.node;
  for (auto [i, origin] : enumerate(chosen)) {
    if (!origin)
      continue;
    bool isOperand = i < node.inputs.size();
    InverseValue &value = byName[origin->name];
    bool isMore =
        isOperand && origin->type == Type::Tensors && !node.inputs[i].variadic;
    if (!value.from.empty() && !isMore &&
        (lastPart[origin->name] != Origin::Front ||
         origin->part != Origin::Back))
      return {};
    lastPart[origin->name] = origin->part;
    value.name = origin->name;
    value.isList = own.lookup(origin->name).isList;
    value.from.push_back(isOperand
                             ? node.inputs[i].name
                             : node.attributes[i - node.inputs.size()].name);
  }
  Values values;
  for (const std::string &name : order)
    if (auto found = byName.find(name); found != byName.end())
      values.push_back(found->second);
  return values;
}

void InverseReader::addInverses(const Leaf &leaf, std::vector<Inverse> &all) {
  Said said;
  for (const auto &[condition, holds] : leaf.conditions)
    read(condition, holds, said);
  const NodeModel &node = *leaf.node;
  paths.clear();
  passesUnwritten = unwritten && unwritten->contains(leaf.node);
  std::vector<std::vector<Origin>> origins;
  for (auto [i, given] : enumerate(givenTo(leaf))) {
    bool isOperand = i < node.inputs.size();
    Type wanted = !isOperand ? node.attributes[i - node.inputs.size()].type
                  : node.inputs[i].variadic ? Type::Tensors
                                            : Type::Tensor;
    StringRef slot = isOperand ? node.inputs[i].name
                               : node.attributes[i - node.inputs.size()].name;
    // An input with the name of another argument belongs to that argument.
    auto isOther = [&](StringRef name) {
      return name != slot &&
             ((!isOperand && node.findAttribute(name)) || written(name));
    };
    std::vector<Origin> fitting;
    if (given.expr)
      for (Origin &origin : originsOf(given))
        if (fits(wanted, origin.type) && !said.absent.contains(origin.name) &&
            !isOther(origin.name))
          fitting.push_back(std::move(origin));
    if (unwritten && isOperand && !node.inputs[i].variadic) {
      addPaths(given, slot.str(), said, 0);
      fitting.clear();
    } else if (fitting.empty() && isOperand && !node.inputs[i].optional) {
      return;
    }
    // The origin with the name of the argument comes first.
    auto same = find_if(
        fitting, [&](const Origin &origin) { return origin.name == slot; });
    if (same != fitting.end())
      std::rotate(fitting.begin(), same, std::next(same));
    origins.push_back(std::move(fitting));
  }
  // Expressions of the record are in the names of the node that remains.
  const bool hasWritten =
      dagField<"OnnxImport.written">(record)->getNumArgs() > 0;
  if (unwritten &&
      (!passesUnwritten || (hasWritten && !unwritten->contains(leaf.node))))
    return;
  // Tries the first origin of every argument, then the others, from the last
  // argument on. Then tries proposals without one attribute whose origin has a
  // different name, which keeps its initial value.
  constexpr size_t mostTried = 512, mostKept = 16;
  std::vector<const Origin *> chosen;
  size_t tried = 0, before = all.size(), leftOut = 0;
  std::function<void()> choose = [&] {
    if (all.size() - before >= mostKept || ++tried > mostTried)
      return;
    if (chosen.size() < origins.size()) {
      const size_t slot = chosen.size(), found = all.size();
      auto go = [&](const Origin *origin) {
        chosen.push_back(origin);
        choose();
        chosen.pop_back();
      };
      for (const Origin &origin : origins[slot])
        go(&origin);
      if (origins[slot].empty()) {
        go(nullptr);
      } else if (slot >= node.inputs.size()) {
        StringRef name = node.attributes[slot - node.inputs.size()].name;
        if (leftOut && origins[slot].front().name != name) {
          --leftOut;
          go(nullptr);
          ++leftOut;
        } else if (all.size() == found && !leftOut) {
          go(nullptr);
        }
      }
      return;
    }
    if (leftOut)
      return;
    Inverse inverse{&node, valuesOf(leaf, chosen), resultsOf(leaf)};
    addNumbers(leaf, inverse);
    addPathsTo(inverse);
    if (inverse.values.empty())
      return;
    for (const std::string &name : order)
      if (ExprPtr expr = written(name))
        inverse.values.push_back(
            {.name = name,
             .computed = expr,
             .type = own[name].isInput ? Type::Ints : own[name].type});
    for (const auto &[name, known] : said.words)
      if (own.contains(name) && !own[name].isInput && !known.empty() &&
          none_of(inverse.values,
                  [&](const auto &value) { return value.name == name; }))
        inverse.values.push_back({.name = name.str(), .word = known.front()});
    if (all_of(order, [&](const std::string &name) {
          return !own[name].isNeeded ||
                 any_of(inverse.values,
                        [&](const auto &value) { return value.name == name; });
        }))
      all.push_back(std::move(inverse));
  };
  for (size_t count : {0, 1}) {
    leftOut = count;
    tried = 0;
    choose();
  }
}

std::vector<Inverse> InverseReader::all() {
  std::vector<Leaf> leaves;
  std::vector<std::string> names = outputs();
  if (!names.empty())
    addLeaves(view.named(names.front()), {}, leaves);
  std::vector<Inverse> all;
  for (const Leaf &leaf : leaves)
    addInverses(leaf, all);
  return all;
}

std::vector<Inverse>
glow::gen::inversesOf(const Model &model, const Record &record,
                      const std::set<const NodeModel *> *unwritten) {
  size_t lists = size_t(count_if(
      dagField<"OnnxImport.inputs">(record)->getArgs(), [](const Init *input) {
        return cast<StringInit>(input)->getValue().ends_with("...");
      }));
  if (lists > 1 || !bitField<"OnnxImport.isWritten">(record))
    return {};
  return InverseReader(model, record, unwritten).all();
}
