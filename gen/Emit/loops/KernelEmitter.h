//===- KernelEmitter.h - the interpreter's kernel of one node -------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_LOOPS_KERNELEMITTER_H
#define GLOW_GEN_EMIT_LOOPS_KERNELEMITTER_H

#include "Emit/language/Calls.h"
#include "Emit/language/Hoist.h"
#include "Emit/language/Page.h"
#include "Emit/language/Scalar.h"
#include "Expr/Parser.h"
#include "Model/node/Compute.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace glow::gen {

using namespace llvm;

/// The C++ type of an element kind that a signature names outright.
std::string elementType(StringRef kind);

/// Writes the kernel of one node.
class KernelEmitter {
public:
  KernelEmitter(const Model &model, const NodeModel &node, raw_ostream &os)
      : model(model), node(node), os(os) {
    findDispatch();
    if (node.inoutOperand())
      written.insert(node.outputs.front().name);
    statements = node.computeTree();
    for (const Statement &statement : statements)
      for (const auto &index : indicesOf(node, statement))
        indices.insert(index.first());
    bySize = !statements.empty() && all_of(statements, [&](const Statement &s) {
      const TensorSignature *read = tensorOf(s.value);
      return s.op == "=" && !s.otherwise && read && !dispatched.empty() &&
             read->kind == tensorOf(s.targets[0])->kind;
    });
  }

  void emit() {
    header();
    operands();
    if (node.isPointwise())
      pointwise();
    else
      for (size_t i = 0; i < statements.size();)
        i = scanned(i);
    os << "  return ::glow::Status();\n}\n\n";
    dispatch();
  }

  /// The element kinds of the kernel, for the tensor whose kind is template
  /// parameter `T`.
  std::vector<std::string> dispatchKinds() const {
    if (dispatched.empty())
      return {};
    auto slot = dispatchSlot < node.outputs.size()
                    ? node.outputs[dispatchSlot]
                    : node.inputs[dispatchSlot - node.outputs.size()];
    return node.kindsOf(slot);
  }

private:
  /// The tensor whose kind is template parameter `T`; a tensor that is always
  /// present is preferred.
  const TensorSignature &dispatchTensor() const {
    for (const auto *list : {&node.outputs, &node.inputs})
      for (const TensorSignature &tensor : *list)
        if (tensor.kind == dispatched && !tensor.variadic && !tensor.optional)
          return tensor;
    return dispatchSlot < node.outputs.size()
               ? node.outputs[dispatchSlot]
               : node.inputs[dispatchSlot - node.outputs.size()];
  }

  const TensorSignature *tensorOf(const ExprPtr &expr) {
    return glow::gen::tensorOf(node, expr);
  }

  /// Finds the kind variable, and the tensor, of template parameter `T`.
  void findDispatch() {
    dispatched = computedKind(node);
    dispatchSlot = 0;
    if (dispatched != node.outputs[0].kind)
      for (auto [i, input] : enumerate(node.inputs))
        if (input.kind == dispatched) {
          dispatchSlot = node.outputs.size() + i;
          return;
        }
  }

  std::vector<std::pair<std::string, std::pair<int, int>>> rankParameters() {
    std::vector<std::pair<std::string, std::pair<int, int>>> result;
    for (const TensorSignature &tensor : node.inputs)
      for (const Dimension &dim : tensor.dims)
        if (dim.ranks && dim.value->kind == Expr::Kind::Name)
          result.emplace_back(dim.value->text, *dim.ranks);
    return result;
  }

  std::string indexType(StringRef name) {
    for (const auto &[list, range] : rankParameters()) {
      bool same = list == name;
      // `*r:size(x)` is as long as `*x`.
      for (const TensorSignature &tensor : node.inputs)
        for (const Dimension &dim : tensor.dims)
          same |= dim.value->isName(name) && dim.count &&
                  textOf(dim.count) == "size(" + list + ")";
      if (same)
        return "::glow::kernels::Index<Rank_" + list + ">";
    }
    return "::glow::kernels::Index<-1>";
  }

  void header() {
    os << "/// " << placeOf(node.record) << "\n";
    SmallVector<StringRef> lines;
    std::string text = node.forward         ? inBrief(node.compute)
                       : node.isPointwise() ? node.formula
                                            : node.compute;
    StringRef(text).trim().split(lines, '\n');
    for (StringRef line : lines)
      os << "///   " << line.trim() << "\n";
    std::string parameters;
    if (!dispatched.empty())
      parameters = "typename T";
    for (const auto &[list, range] : rankParameters())
      parameters += (parameters.empty() ? "int Rank_" : ", int Rank_") + list;
    if (!parameters.empty())
      os << "template <" << parameters << ">\n";
    os << formatv("::glow::Status {0}Of(const ::glow::kernels::{1} &call) {{\n",
                  node.mnemonic, callOf(model, node));
    computeType = bySize               ? "T"
                  : dispatched.empty() ? "double"
                                       : "::glow::kernels::Compute<T>";
    os << formatv("  using C [[maybe_unused]] = {0};\n", computeType);
    for (const Attribute &attribute : node.attributes) {
      if (attribute.type == Type::Kind)
        continue;
      os << formatv("  [[maybe_unused]] const {0};\n", localOf(attribute));
      for (Scope *names : {&scope, &extents})
        names->define(attribute.name, attribute.type, attribute.name,
                      attribute.kind);
    }
  }

  /// A variable of the attribute's name; a choice is its word.
  static std::string localOf(const Attribute &attribute) {
    if (attribute.type == Type::Ints)
      return formatv("::glow::kernels::Index<-1> {0}(call.{0})",
                     attribute.name);
    if (!wordsOf(*attribute.kind).empty())
      return formatv("std::string {0} = wordsOf(call.{0})[int64_t(call.{0})]",
                     attribute.name);
    return formatv("auto &{0} = call.{0}", attribute.name);
  }

  /// The C++ element type of a tensor; empty when read as an integer.
  std::string typeOf(const TensorSignature &tensor) {
    if (tensor.kind == dispatched)
      return "T";
    if (isUpper(tensor.kind[0]))
      return "";
    return elementType(tensor.kind);
  }

  void operands() {
    StringSet<> bound;
    for (const Attribute &attribute : node.attributes)
      bound.insert(attribute.name);
    // Tensors that are always present bind the names of sizes first.
    for (const TensorSignature &tensor : node.inputs)
      if (!tensor.variadic && !tensor.optional)
        dims(tensor, bound);
    for (const TensorSignature &tensor : node.outputs)
      if (!tensor.variadic && all_of(tensor.dims, [](const Dimension &dim) {
            return dim.form == Dimension::Form::Size;
          }))
        dims(tensor, bound);
    for (const TensorSignature &tensor : node.inputs)
      if (tensor.optional)
        dims(tensor, bound);
    for (const TensorSignature *tensor : node.buffers()) {
      if (tensor->variadic)
        continue;
      std::string type = typeOf(*tensor);
      if (!node.isPointwise())
        os << formatv("  [[maybe_unused]] const ::glow::TensorType *{0}type "
                      "= ::glow::kernels::typeOf(call.{1});\n",
                      local(tensor->name), tensor->name);
      if (!type.empty())
        os << formatv("  [[maybe_unused]] {0}{1} *{2} = "
                      "::glow::kernels::dataOf<{1}>(call.{3});\n",
                      node.findWritten(tensor->name) ? "" : "const ", type,
                      local(tensor->name), tensor->name);
    }
  }

  void dims(const TensorSignature &tensor, StringSet<> &bound) {
    bool useful = any_of(tensor.dims, [&](const Dimension &dim) {
      return dim.form != Dimension::Form::Any &&
             dim.value->kind == Expr::Kind::Name &&
             !bound.contains(dim.value->text);
    });
    if (!useful)
      return;
    std::string sizes = local(tensor.name) + "sizes";
    ValueEmitter values(model.functions, scope, node.record);
    os << formatv("  ::glow::kernels::Sizes {0}(::glow::kernels::typeOf("
                  "call.{1}));\n",
                  sizes, node.bufferOf(tensor));
    for (auto [i, dim] : enumerate(tensor.dims)) {
      if (dim.form == Dimension::Form::Any) {
        os << formatv("  {0}.skip({0}.left({1}));\n", sizes,
                      after(tensor, i, values));
        continue;
      }
      bool rest = dim.form == Dimension::Form::Rest;
      std::string count;
      bool binds = dim.value->kind == Expr::Kind::Name &&
                   !bound.contains(dim.value->text);
      if (rest && dim.count)
        count = values.emitAs(dim.count, Type::Int, "a count");
      else if (rest && !binds)
        count = "::glow::expr::size(" +
                values.emitAs(dim.value, Type::Ints, "'*'") + ")";
      else if (rest)
        count = sizes + ".left(" + after(tensor, i, values) + ")";
      if (!binds) {
        os << formatv("  {0}.skip({1});\n", sizes, rest ? count : "1");
        continue;
      }
      const std::string &name = dim.value->text;
      bound.insert(name);
      if (rest)
        os << formatv(
            "  [[maybe_unused]] const auto {0} = {1}.take<{2}>({3});\n", name,
            sizes, indexType(name), count);
      else
        os << formatv("  [[maybe_unused]] const int64_t {0} = {1}.next();\n",
                      name, sizes);
      // In C++ a loop hides the size that its index has the name of.
      std::string spelling = name;
      if (indices.contains(name)) {
        spelling = "extentOf_" + name;
        os << formatv("  [[maybe_unused]] const auto &{0} = {1};\n", spelling,
                      name);
      }
      Type type = rest ? Type::Ints : Type::Int;
      scope.define(name, type, name);
      scope.define(extentName(name), type, spelling);
      extents.define(name, type, spelling);
      extents.define(extentName(name), type, spelling);
    }
  }

  std::string after(const TensorSignature &tensor, size_t index,
                    const ValueEmitter &values) {
    std::string code = "0";
    for (size_t i = index + 1; i < tensor.dims.size(); ++i) {
      const Dimension &dim = tensor.dims[i];
      code += dim.count ? " + " + values.emitAs(dim.count, Type::Int, "a count")
              : dim.form == Dimension::Form::Rest
                  ? " + ::glow::expr::size(" +
                        values.emitAs(dim.value, Type::Ints, "'*'") + ")"
                  : " + 1";
    }
    return code;
  }

  void pointwise() {
    ExprPtr formula = node.formulaTree();
    Scope names = scope;
    os << "  const int64_t count = " << viewOf(node.outputs[0])
       << ".type->elements();\n"
       << "  for (int64_t i = 0; i < count; ++i) {\n";
    for (const TensorSignature &tensor : node.inputs) {
      os << formatv(
          "    const C {0}element = C(::glow::kernels::load({0}[i]));\n",
          local(tensor.name));
      names.define(tensor.name, Type::Real, local(tensor.name) + "element");
    }
    ScalarEmitter scalars(model.functions, names, node.record);
    os << formatv("    {0}[i] = ::glow::kernels::store<{1}>({2});\n  }\n",
                  local(node.outputs[0].name), typeOf(node.outputs[0]),
                  scalars.emit(formula));
  }

  bool keepsBetween() const;
  std::string wideOperands();
  size_t scanned(size_t first); // IndexedStatement.cpp
  void inVariants(const Statement &statement);
  void indexed(const Statement &statement);
  void dispatch();
  std::string openRanks();
  void dispatchKind(StringRef invoke);

  const Model &model;
  const NodeModel &node;
  raw_ostream &os;
  Scope scope;
  Scope extents;       // attributes and sizes, which no index hides
  StringSet<> indices; // of all statements
  Scope outside;       // of the scan that is written
  std::vector<Statement> statements;
  std::string dispatched, computeType;
  size_t dispatchSlot = 0;
  bool bySize = false;

  // State of the statement being emitted.
  struct Loop {
    std::string name, extent;
    bool list;
    const IndexRange *bounds = nullptr; // of one that has some
  };
  struct Indexed;
  const Statement *current = nullptr;
  bool inBounds = false; // of which nothing is inside by construction
  StringSet<> written;   // results, by the statements before
  std::string openTensors(Indexed &one);
  void planLoops(Indexed &one);
  void hoist(const Indexed &one);
  void fill(Indexed &one);
  bool beginsBefore(const Indexed &one) const;
  void fillBefore(const Statement &statement);
  /// The written value, as C++, and the condition `guard` under which it
  /// counts.
  std::string valueOf(Indexed &one, std::string &guard);
  void assign(Indexed &one);
  void scatter(Indexed &one);
  void sum(Indexed &one);
  void place(Indexed &one);
  void findLoops(const ExprPtr &expr, std::vector<Loop> &loops);
  void loopOver(const ExprPtr &subscript, const ExprPtr &access,
                const TensorSignature &tensor, size_t index,
                std::vector<Loop> &loops);
  std::string open(const std::vector<Loop> &loops, size_t from, size_t to,
                   Scope &names);
  void openBounded(const Loop &loop, Scope &names);
  std::string boundCode(const ExprPtr &bound, Scope &names);
  void emitFixed(size_t depth, Scope &names);
  std::unique_ptr<Hoister> hoister;
  /// The first subscripts of an element that stay as they are in the innermost
  /// loop: how many, and the position that they lead to.
  struct Start {
    ExprPtr element;
    size_t depth, count;
    std::string position;
  };
  std::vector<Start> begun;
  void findStarts(const ExprPtr &expr, size_t loops);
  const Start *wayTo(const ExprPtr &element) const;
  void emitStart(const Start &start, Scope &names);
  ExprPtr fixedOf(const ExprPtr &subscript);
  void emitStep(const ExprPtr &subscript, const std::string &position,
                Scope &names);
  /// A buffer of a tensor that is there, the first where the list is not gone
  /// through.
  std::string viewOf(const TensorSignature &tensor, StringRef each = "each");
  /// Its elements, as C++.
  std::string dataOf(const TensorSignature &tensor);
  void emitPosition(const std::string &name, const TensorSignature &tensor);
  struct Access {
    std::string position, element;
    bool guarded = false, dataDependent = false;
  };
  Access access(const ExprPtr &expr, Scope &names);
  /// The names of what the statement has read, in a branch or not.
  std::map<std::pair<std::string, bool>, std::string> reads;
  std::map<std::string, std::string> values; // of attributes, by their texts
  std::string elementCode(const ExprPtr &value, Scope &names);
  bool hasIndex(const ExprPtr &expr, const Statement &statement) const;
  ExprPtr withValues(const ExprPtr &expr, const Statement &statement);
  ExprPtr readAll(const ExprPtr &expr, Scope &names, bool inBranch,
                  std::string &guard);
  void emitInside(const TensorSignature &tensor, const std::string &position);
  ExprPtr readIntegers(const ExprPtr &expr, Scope &names, bool &any);
  static StringRef accumulatorOf(StringRef op);
  std::string indent = "  ";
  unsigned counter = 0;
};

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LOOPS_KERNELEMITTER_H
