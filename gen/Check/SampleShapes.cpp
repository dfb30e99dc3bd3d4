//===- SampleShapes.cpp - samples against their signatures ----------------===//
// SPDX-License-Identifier: MIT
//
// A sample whose operands the signature refuses tests nothing. The check covers
// all that is known without a model: the number of tensors, their kinds, their
// ranks, and the sizes that names of the signature stand for. An expression in
// a signature is left to the tests.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Known.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

namespace {

/// A tensor of a sample: `f32[2,3]`, and where that stands.
struct SampleTensor {
  std::string kind;
  std::vector<int64_t> sizes;
  std::vector<const char *> places;
  const char *at;
};

using Sizes = std::vector<int64_t>;

std::string textOf(const Sizes &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "[" + text + "]";
}

/// One sample of a node.
class SampleCheck {
public:
  SampleCheck(const Model &model, const NodeModel &node,
              const SampleModel &sample)
      : model(model), node(node), sample(sample) {}

  void run() {
    readAttributes();
    for (auto [tensor, text] : zip(node.inputs, sample.operands)) {
      std::vector<SampleTensor> given = read(text);
      checkCount(tensor, given);
      for (const SampleTensor &one : given) {
        checkKind(tensor, one);
        checkShape(tensor, one);
      }
    }
    checkRequirements();
  }

private:
  /// Collects the sample's attributes that are integers or lists of integers.
  void readAttributes() {
    for (StringRef text : {textField<"Node.sampleValues">(node.record),
                           StringRef(sample.attributes)})
      for (const Statement &given : Parser(text, node.record).values()) {
        const std::string &name = given.targets[0]->text;
        if (auto value =
                valueOf(given.value, values, model.functions, node.record))
          values[name] = *value;
        if (auto number = integer(given.value))
          sizes[name] = *number;
        else if (given.value->kind == Expr::Kind::List)
          lists[name].resize(given.value->children.size());
      }
  }

  /// Adds known default values of attributes that the sample leaves out, and
  /// the sizes of operands.
  void addValues() {
    for (const Attribute &attribute : node.attributes) {
      if (attribute.initially.empty() || values.contains(attribute.name))
        continue;
      Parser parser(attribute.initially, *attribute.kind);
      if (auto value = valueOf(parser.expression(), values, model.functions,
                               *attribute.kind))
        values[attribute.name] = *value;
    }
    for (const auto &[name, type] : node.dimensionNames())
      if (auto size = sizes.find(name);
          type == Type::Int && size != sizes.end())
        values[name] = size->second;
      else if (auto list = lists.find(name);
               type == Type::Ints && list != lists.end())
        values[name] = glow::Ints(list->second.begin(), list->second.end());
  }

  /// A sample holds to all requirements, and a refused one to all but its own,
  /// as far as the values are known.
  void checkRequirements() {
    addValues();
    for (const Requirement &requirement : node.requirements) {
      std::optional<Known> value = valueOf(
          requirement.condition, values, model.functions, *requirement.record);
      bool refuses = sample.refuses == requirement.label;
      if (!value || !std::holds_alternative<bool>(*value) ||
          std::get<bool>(*value) != refuses ||
          (!refuses && !sample.refuses.empty()))
        continue;
      std::string why =
          refuses ? "': its condition holds"
                  : "': " + withValues(requirement.message, values,
                                       model.functions, *requirement.record);
      fail(positionOf((refuses ? "Refused<\"" + sample.refuses
                               : "Sample<\"" + sample.label) +
                          "\"",
                      node.record),
           (refuses ? "does not break '" : "breaks '") + requirement.label +
               why);
    }
  }

  static std::optional<int64_t> integer(const ExprPtr &expr) {
    int64_t value;
    if (expr->kind == Expr::Kind::Integer &&
        !StringRef(expr->text).getAsInteger(10, value))
      return value;
    return std::nullopt;
  }

  std::vector<SampleTensor> read(StringRef text) const {
    std::vector<SampleTensor> result;
    Parser parser(text, node.record);
    while (!parser.atEnd()) {
      SampleTensor tensor{"", {}, {}, parser.here()};
      tensor.kind = parser.name();
      parser.expect("[");
      while (!parser.eat("]")) {
        tensor.places.push_back(parser.here());
        tensor.sizes.push_back(integer(parser.expression()).value_or(0));
        parser.eat(",");
      }
      result.push_back(tensor);
      skipValues(parser);
    }
    return result;
  }

  /// ` in -1..1 constant;`
  static void skipValues(Parser &parser) {
    if (parser.eatWord("in")) {
      parser.expression();
      parser.expect("..");
      parser.expression();
    }
    parser.eatWord("constant");
    parser.eat(";");
  }

  void checkCount(const TensorSignature &tensor,
                  const std::vector<SampleTensor> &given) const {
    if (given.empty() && !tensor.optional && !tensor.variadic)
      fail(nullptr,
           "leaves out operand '" + tensor.name + "', which is never absent");
    if (given.size() > 1 && !tensor.variadic)
      fail(given[1].at, "has " + counted(given.size(), "tensor") +
                            " for operand '" + tensor.name + "', which is one");
  }

  /// A variable of the signature has one kind.
  void checkKind(const TensorSignature &tensor, const SampleTensor &given) {
    if (!is_contained(node.kindsOf(tensor), given.kind))
      fail(given.at, "has kind " + given.kind + " for operand '" + tensor.name +
                         "', whose kind " + tensor.kind + " it cannot be");
    if (!isUpper(tensor.kind[0]))
      return;
    auto [known, isNew] = kinds.try_emplace(tensor.kind, given.kind);
    if (!isNew && known->second != given.kind)
      fail(given.at, "has kind " + given.kind + " for operand '" + tensor.name +
                         "', but " + tensor.kind + " is " + known->second +
                         " before");
  }

  /// The number of sizes that a dimension stands for; nothing when it is
  /// unknown.
  std::optional<size_t> lengthOf(const Dimension &dim) const {
    if (dim.form == Dimension::Form::Any)
      return std::nullopt;
    if (dim.form != Dimension::Form::Rest)
      return 1;
    if (auto list = lists.find(dim.value->text);
        dim.value->kind == Expr::Kind::Name && list != lists.end())
      return list->second.size();
    if (!dim.count)
      return std::nullopt;
    if (auto number = integer(dim.count))
      return *number;
    if (auto size = sizes.find(dim.count->text);
        dim.count->kind == Expr::Kind::Name && size != sizes.end())
      return size->second;
    if (dim.count->kind == Expr::Kind::Call && dim.count->text == "size")
      if (auto list = lists.find(dim.count->children[0]->text);
          list != lists.end())
        return list->second.size();
    return std::nullopt;
  }

  void checkShape(const TensorSignature &tensor, const SampleTensor &given) {
    size_t known = 0, open = 0;
    for (const Dimension &dim : tensor.dims) {
      std::optional<size_t> length = lengthOf(dim);
      known += length.value_or(0);
      open += !length;
    }
    if (open > 1)
      return;
    size_t rank = given.sizes.size();
    if (rank < known || (!open && rank > known))
      fail(given.at, "has " + counted(rank, "size") + " for operand '" +
                         tensor.name + "', whose signature " + tensor.text +
                         " has " + (open ? "at least " : "") + Twine(known));
    checkSizes(tensor, given, rank - known);
  }

  void checkSizes(const TensorSignature &tensor, const SampleTensor &given,
                  size_t rest) {
    size_t next = 0;
    for (const Dimension &dim : tensor.dims) {
      size_t length = lengthOf(dim).value_or(rest);
      checkRank(tensor, given, dim, length);
      if (dim.form == Dimension::Form::Size)
        checkSize(dim, given, next);
      else if (dim.form == Dimension::Form::Rest &&
               dim.value->kind == Expr::Kind::Name)
        checkList(dim, given, next, length);
      next += length;
    }
  }

  void checkRank(const TensorSignature &tensor, const SampleTensor &given,
                 const Dimension &dim, size_t length) const {
    if (dim.ranks &&
        (int(length) < dim.ranks->first || int(length) > dim.ranks->second))
      fail(given.at, "has " + counted(length, "size") + " for '*" +
                         dim.value->text + "' of operand '" + tensor.name +
                         "', which is of " + Twine(dim.ranks->first) + " to " +
                         Twine(dim.ranks->second));
  }

  void checkSize(const Dimension &dim, const SampleTensor &given,
                 size_t place) {
    int64_t size = given.sizes[place];
    std::optional<int64_t> wanted = integer(dim.value);
    if (dim.value->kind == Expr::Kind::Name) {
      // An attribute that the sample does not name, or that is no integer.
      if (node.findAttribute(dim.value->text) &&
          !sizes.contains(dim.value->text))
        return;
      wanted = sizes.try_emplace(dim.value->text, size).first->second;
    }
    if (wanted && *wanted != size)
      fail(given.places[place], "has size " + Twine(size) + " where " +
                                    glow::gen::textOf(dim.value) + " is " +
                                    Twine(*wanted));
  }

  void checkList(const Dimension &dim, const SampleTensor &given, size_t place,
                 size_t length) {
    if (node.findAttribute(dim.value->text))
      return;
    auto begin = given.sizes.begin() + place;
    Sizes here(begin, begin + length);
    const Sizes &known = lists.try_emplace(dim.value->text, here).first->second;
    if (known != here)
      fail(length ? given.places[place] : given.at,
           "has sizes " + textOf(here) + " where *" + dim.value->text + " is " +
               textOf(known));
  }

  [[noreturn]] void fail(const char *at, const Twine &message) const {
    fatalAt(at, node.record,
            "sample '" + sample.label + "' of '" + node.className + "' " +
                message);
  }

  const Model &model;
  const NodeModel &node;
  const SampleModel &sample;
  StringMap<Known> values; // by the names of the signature
  StringMap<std::string> kinds;
  StringMap<int64_t> sizes;
  StringMap<Sizes> lists;
};

} // namespace

void glow::gen::checkSampleShapes(const Model &model) {
  for (const NodeModel *node : model.ownNodes())
    for (const SampleModel &sample : node->samples)
      SampleCheck(model, *node, sample).run();
}
