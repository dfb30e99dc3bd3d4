//===- Kernels.cpp - from formulas and index notation to C++ kernels ------===//

#include "Emit/Hoist.h"
#include "Emit/Scalar.h"
#include "Expr/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static cl::opt<std::string>
    onlyFamily("family", cl::desc("emit kernels of one family only"));

/// The C++ type of an element kind that a signature names outright.
static std::string elementType(StringRef kind) {
  return StringSwitch<std::string>(kind)
      .Case("f32", "float")
      .Case("f16", "::glow::Half")
      .Case("bf16", "::glow::BFloat16")
      .Case("f64", "double")
      .Case("bool", "bool")
      .Default((kind.starts_with("u") ? "uint" : "int") +
               kind.drop_front().str() + "_t");
}

namespace {

/// Writes the kernel of one node.
class KernelEmitter {
public:
  KernelEmitter(const Model &model, const NodeModel &node, raw_ostream &os)
      : model(model), node(node), os(os) {
    findDispatch();
    if (!node.compute.empty()) {
      Parser parser(node.compute, node.record);
      statements = parser.statements();
    }
    bySize = !statements.empty() && all_of(statements, [&](const Statement &s) {
      return s.op == "=" && !s.otherwise &&
             s.value->kind == Expr::Kind::Subscript &&
             tensorOf(s.value) != nullptr;
    });
  }

  void emit() {
    header();
    operands();
    if (node.isPointwise())
      pointwise();
    else
      for (const Statement &statement : statements)
        indexed(statement);
    os << "  return ::glow::Status();\n}\n\n";
    dispatch();
  }

private:
  const TensorSignature *tensorOf(const ExprPtr &expr) {
    if (expr->kind != Expr::Kind::Subscript ||
        expr->children[0]->kind != Expr::Kind::Name)
      return nullptr;
    StringRef name = expr->children[0]->text;
    const TensorSignature *tensor = node.findInput(name);
    return tensor ? tensor : node.findOutput(name);
  }

  /// Which tensor's kind the template's `T` stands for.
  void findDispatch() {
    const TensorSignature &result = node.outputs[0];
    bool variable = isUpper(result.kind[0]) || node.findAttribute(result.kind);
    dispatched = variable ? result.kind : "";
    dispatchSlot = 0;
    if (variable)
      return;
    for (auto [i, input] : enumerate(node.inputs))
      if (isUpper(input.kind[0])) {
        dispatched = input.kind;
        dispatchSlot = node.outputs.size() + i;
        return;
      }
  }

  std::vector<std::string> dispatchKinds() {
    if (dispatched.empty())
      return {};
    auto slot = dispatchSlot < node.outputs.size()
                    ? node.outputs[dispatchSlot]
                    : node.inputs[dispatchSlot - node.outputs.size()];
    return node.kindsOf(slot);
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
    StringRef text = node.isPointwise() ? node.formula : node.compute;
    text.trim().split(lines, '\n');
    for (StringRef line : lines)
      os << "///   " << line.trim() << "\n";
    std::string parameters;
    if (!dispatched.empty())
      parameters = "typename T";
    for (const auto &[list, range] : rankParameters())
      parameters += (parameters.empty() ? "int Rank_" : ", int Rank_") + list;
    if (!parameters.empty())
      os << "template <" << parameters << ">\n";
    os << formatv("::glow::Status {0}Of(const ::glow::KernelCall &call) {{\n",
                  node.mnemonic);
    os << "  ::glow::kernels::Operands operands(call);\n";
    computeType = bySize               ? "T"
                  : dispatched.empty() ? "double"
                                       : "::glow::kernels::Compute<T>";
    os << formatv("  using C [[maybe_unused]] = {0};\n", computeType);
    for (auto [i, attribute] : enumerate(node.attributes)) {
      if (attribute.type == Type::Kind)
        continue;
      std::string get =
          formatv("operands.attribute<{0}>({1})", cxxType(attribute.type), i);
      os << formatv("  [[maybe_unused]] const {0} {1}{2};\n",
                    attribute.type == Type::Ints ? "::glow::kernels::Index<-1>"
                                                 : "auto &",
                    attribute.name,
                    attribute.type == Type::Ints ? "(" + get + ")"
                                                 : " = " + get);
      scope.define(attribute.name, attribute.type, attribute.name);
    }
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
    int slot = 0;
    StringSet<> bound;
    for (const Attribute &attribute : node.attributes)
      bound.insert(attribute.name);
    for (const TensorSignature &tensor : node.outputs)
      slots[tensor.name] = slot++;
    for (const TensorSignature &tensor : node.inputs) {
      slots[tensor.name] = slot;
      if (!tensor.variadic)
        dims(tensor, slot, bound);
      ++slot;
    }
    for (const auto *list : {&node.outputs, &node.inputs})
      for (const TensorSignature &tensor : *list) {
        std::string type = typeOf(tensor);
        bool isOutput = list == &node.outputs;
        if (!tensor.variadic && !node.isPointwise())
          os << formatv(
              "  [[maybe_unused]] const ::glow::TensorType *{0}type = "
              "operands.has({1}) ? operands.view({1}).type : "
              "nullptr;\n",
              local(tensor.name), slots[tensor.name]);
        if (!tensor.variadic && !type.empty())
          os << formatv(
              "  [[maybe_unused]] {0}{1} *{2} = operands.data<{1}>({3});\n",
              isOutput ? "" : "const ", type, local(tensor.name),
              slots[tensor.name]);
      }
  }

  void dims(const TensorSignature &tensor, int slot, StringSet<> &bound) {
    bool useful = any_of(tensor.dims, [&](const Dimension &dim) {
      return dim.value->kind == Expr::Kind::Name &&
             !bound.contains(dim.value->text);
    });
    if (!useful)
      return;
    std::string sizes = local(tensor.name) + "sizes";
    ValueEmitter values(model.functions, scope, node.record);
    os << formatv("  ::glow::kernels::Sizes {0}(operands, {1});\n", sizes,
                  slot);
    for (auto [i, dim] : enumerate(tensor.dims)) {
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
      scope.define(name, rest ? Type::Ints : Type::Int, name);
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
    Parser parser(node.formula, node.record);
    ExprPtr formula = parser.expression();
    parser.expectEnd();
    Scope names = scope;
    os << "  const int64_t count = operands.view(0).type->elements();\n"
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

  void indexed(const Statement &statement);
  void dispatch();

  const Model &model;
  const NodeModel &node;
  raw_ostream &os;
  Scope scope;
  std::map<std::string, int> slots;
  std::vector<Statement> statements;
  std::string dispatched, computeType;
  size_t dispatchSlot = 0;
  bool bySize = false;

  // Of the statement being emitted.
  struct Loop {
    std::string name, extent;
    bool list;
  };
  void findLoops(const ExprPtr &expr, std::vector<Loop> &loops);
  void loopOver(const ExprPtr &subscript, const ExprPtr &access,
                const TensorSignature &tensor, size_t index,
                std::vector<Loop> &loops);
  std::string open(const std::vector<Loop> &loops, size_t from, size_t to,
                   Scope &names);
  void emitFixed(size_t depth, Scope &names);
  std::unique_ptr<Hoister> hoister;
  struct Access {
    std::string position, element;
    bool guarded = false, dataDependent = false;
  };
  Access access(const ExprPtr &expr, Scope &names);
  ExprPtr readAll(const ExprPtr &expr, Scope &names, bool inBranch,
                  std::string &guard);
  ExprPtr readIntegers(const ExprPtr &expr, Scope &names, bool &any);
  static StringRef accumulatorOf(StringRef op);
  static bool reads(const ExprPtr &expr, StringRef tensor);
  std::string indent = "  ";
  unsigned counter = 0;
};

} // namespace

static std::string kernelName(const NodeModel &node) {
  return node.mnemonic + "Kernel";
}

static std::string enumeratorOf(StringRef kind) {
  return kind == "bool" ? "Bool" : kind.upper();
}

/// An index is a bare name in a subscript. It runs over the size that the
/// signature gives to the place where it stands first, or over `over`'s.
void KernelEmitter::loopOver(const ExprPtr &subscript, const ExprPtr &access,
                             const TensorSignature &tensor, size_t index,
                             std::vector<Loop> &loops) {
  bool list = subscript->kind == Expr::Kind::Spread;
  const ExprPtr &value = list ? subscript->children[0] : subscript;
  if (value->kind != Expr::Kind::Name || node.findAttribute(value->text) ||
      any_of(loops, [&](const Loop &loop) { return loop.name == value->text; }))
    return;
  ValueEmitter values(model.functions, scope, node.record);
  std::string view = "operands.view(" + std::to_string(slots[tensor.name]) +
                     (tensor.variadic ? ", each)" : ")");
  if (list && access->children.size() == 2) {
    loops.push_back({value->text,
                     "::glow::kernels::Index<-1>(" + view + ".type->shape)",
                     true});
    return;
  }
  if (access->children.size() - 1 != tensor.dims.size())
    values.fail(access, "'" + tensor.name + "' has " +
                            Twine(tensor.dims.size()) +
                            " sizes in its signature, but " +
                            Twine(access->children.size() - 1) + " subscripts");
  const Dimension &dim = tensor.dims[index];
  if (list != (dim.form == Dimension::Form::Rest))
    values.fail(subscript, list ? "'*' stands where the signature has one size"
                                : "the signature has '*' in this place");
  loops.push_back(
      {value->text,
       values.emitAs(dim.value, list ? Type::Ints : Type::Int, "a size"),
       list});
}

void KernelEmitter::findLoops(const ExprPtr &expr, std::vector<Loop> &loops) {
  if (!expr)
    return;
  if (const TensorSignature *tensor = tensorOf(expr))
    for (size_t i = 1; i < expr->children.size(); ++i)
      loopOver(expr->children[i], expr, *tensor, i - 1, loops);
  for (const ExprPtr &child : expr->children)
    findLoops(child, loops);
}

/// Opens the loops; returns what closes them.
std::string KernelEmitter::open(const std::vector<Loop> &loops, size_t from,
                                size_t to, Scope &names) {
  std::string close;
  if (from == 0)
    emitFixed(0, names);
  for (size_t i = from; i < to; ++i) {
    const Loop &loop = loops[i];
    if (loop.list)
      os << indent
         << formatv("for (::glow::kernels::Odometer at_{0}({1}); "
                    "at_{0}.more(); at_{0}.next()) {{\n",
                    loop.name, loop.extent)
         << indent << "  const auto &" << loop.name << " = at_" << loop.name
         << ".index;\n";
    else
      os << indent
         << formatv("for (int64_t end_{0} = {1}, {0} = 0; {0} < end_{0}; "
                    "++{0}) {{\n",
                    loop.name, loop.extent);
    close = indent + "}\n" + close;
    indent += "  ";
    emitFixed(i + 1, names);
  }
  return close;
}

/// Parts of subscripts that stay as they are in all loops further in.
void KernelEmitter::emitFixed(size_t depth, Scope &names) {
  for (const Hoister::Part &part : hoister->parts()) {
    if (part.depth != depth)
      continue;
    TypedCode value =
        ValueEmitter(model.functions, names, node.record).emit(part.value);
    os << indent
       << formatv("[[maybe_unused]] const auto {0} = {1};\n", part.name,
                  value.code);
    names.define(part.name, value.type, part.name);
  }
}

/// Tensors that are read inside a subscript, as integers.
ExprPtr KernelEmitter::readIntegers(const ExprPtr &expr, Scope &names,
                                    bool &any) {
  if (const TensorSignature *tensor = tensorOf(expr)) {
    any = true;
    Access inner = access(expr, names);
    std::string name = "$" + std::to_string(counter++);
    names.define(name, Type::Int,
                 formatv("::glow::kernels::loadInteger(operands.view({0}), "
                         "{1}.offset)",
                         slots[tensor->name], inner.position)
                     .str());
    return makeExpr(Expr::Kind::Name, name, {}, expr->at);
  }
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = readIntegers(child, names, any);
  return copy;
}

/// Emits the position of an element. A bare subscript is inside by
/// construction; any other may lead outside.
KernelEmitter::Access KernelEmitter::access(const ExprPtr &expr, Scope &names) {
  const TensorSignature &tensor = *tensorOf(expr);
  Access result;
  result.position = "at" + std::to_string(counter++);
  std::vector<std::string> steps;
  for (size_t i = 1; i < expr->children.size(); ++i) {
    bool list = expr->children[i]->kind == Expr::Kind::Spread;
    ExprPtr value = list ? expr->children[i]->children[0] : expr->children[i];
    result.guarded |= value->kind != Expr::Kind::Name;
    value = hoister->replacement(value);
    value = readIntegers(value, names, result.dataDependent);
    ValueEmitter values(model.functions, names, node.record);
    steps.push_back(
        result.position + (list ? ".steps(" : ".step(") +
        values.emitAs(value, list ? Type::Ints : Type::Int, "a subscript") +
        ");\n");
  }
  std::string view = "operands.view(" + std::to_string(slots[tensor.name]) +
                     (tensor.variadic ? ", each)" : ")");
  os << indent
     << formatv("::glow::kernels::Position {0}(*{1});\n", result.position,
                tensor.variadic ? view + ".type" : local(tensor.name) + "type");
  for (const std::string &step : steps)
    os << indent << step;
  if (result.dataDependent)
    os << indent
       << formatv("if (!{0}.inside)\n{1}  return "
                  "::glow::kernels::outOfRange({2}, {0});\n",
                  result.position, indent, quoted(tensor.name));
  std::string type = typeOf(tensor);
  std::string data = tensor.variadic ? formatv("operands.data<{0}>({1}, each)",
                                               type, slots[tensor.name])
                                           .str()
                                     : local(tensor.name);
  result.element = data + "[" + result.position + ".offset]";
  if (type.empty())
    result.element = formatv("::glow::kernels::loadInteger({0}, {1}.offset)",
                             view, result.position);
  return result;
}

/// Emits all reads of a value. A term of a sum with an element outside its
/// tensor does not count (`guard`); in a branch of `if`, it is 0.
ExprPtr KernelEmitter::readAll(const ExprPtr &expr, Scope &names, bool inBranch,
                               std::string &guard) {
  if (tensorOf(expr)) {
    Access read = access(expr, names);
    bool guarded = read.guarded && !read.dataDependent;
    std::string load = bySize
                           ? read.element
                           : "C(::glow::kernels::load(" + read.element + "))";
    if (guarded && inBranch)
      load = "(" + read.position + ".inside ? " + load + " : C(0))";
    else if (guarded)
      guard += (guard.empty() ? "" : " && ") + read.position + ".inside";
    std::string name = "$" + std::to_string(counter++);
    names.define(name, Type::Real, load);
    return makeExpr(Expr::Kind::Name, name, {}, expr->at);
  }
  auto copy = std::make_shared<Expr>(*expr);
  bool branches = expr->kind == Expr::Kind::Call && expr->text == "if";
  for (auto [i, child] : enumerate(copy->children))
    child = readAll(child, names, inBranch || (branches && i > 0), guard);
  return copy;
}

bool KernelEmitter::reads(const ExprPtr &expr, StringRef tensor) {
  return expr->isName(tensor) || any_of(expr->children, [&](const ExprPtr &e) {
           return reads(e, tensor);
         });
}

void KernelEmitter::indexed(const Statement &statement) {
  const ExprPtr &target = statement.targets[0];
  const TensorSignature *result = tensorOf(target);
  ValueEmitter plain(model.functions, scope, node.record);
  if (!result || !node.findOutput(result->name))
    plain.fail(target, "index notation assigns to elements of a result");
  // A variadic tensor: the statement holds for each one, `before` being the sum
  // of the sizes along `axis` of those before it.
  const TensorSignature *variadic = result->variadic ? result : nullptr;
  if (!variadic)
    for (const TensorSignature &input : node.inputs)
      if (input.variadic)
        variadic = &input;
  std::string closeEach;
  Scope names = scope;
  // What reads an absent operand does nothing.
  for (const TensorSignature &input : node.inputs)
    if (input.optional && reads(statement.value, input.name)) {
      os << formatv("  if (operands.has({0})) {{\n", slots[input.name]);
      closeEach = "  }\n";
    }
  if (variadic) {
    int slot = slots[variadic->name];
    os << formatv("  int64_t before = 0;\n  for (int64_t each = 0; each < "
                  "operands.count({0}); ++each) {{\n",
                  slot);
    indent = "    ";
    names.define("before", Type::Int, "before");
    names.define("each", Type::Int, "each");
    closeEach = formatv("    before += ::glow::expr::at(operands.view({0}, "
                        "each).type->shape, {1});\n  }\n",
                        slot, node.findAttribute("axis") ? "axis" : "0")
                    .str() +
                closeEach;
  }
  std::vector<Loop> loops;
  for (const IndexRange &range : statement.ranges)
    loops.push_back(
        {range.name,
         plain.emitAs(range.extent, range.spread ? Type::Ints : Type::Int,
                      "a range"),
         range.spread});
  size_t given = loops.size();
  findLoops(target, loops);
  size_t outer = loops.size();
  findLoops(statement.value, loops);
  // Order: where the result is indexed, then the sums.
  std::rotate(loops.begin(), loops.begin() + given, loops.begin() + outer);
  outer -= given;
  for (const Loop &loop : loops)
    names.define(loop.name, loop.list ? Type::Ints : Type::Int, loop.name);
  bool bare = true;
  for (size_t i = 1; i < target->children.size(); ++i) {
    const ExprPtr &sub = target->children[i];
    bare &= (sub->kind == Expr::Kind::Spread ? sub->children[0] : sub)->kind ==
            Expr::Kind::Name;
  }
  auto isTensor = [&](const ExprPtr &expr) { return bool(tensorOf(expr)); };
  std::vector<std::string> order;
  for (const Loop &loop : loops)
    order.push_back(loop.name);
  hoister = std::make_unique<Hoister>(order, isTensor);
  hoister->visit(target);
  hoister->visit(statement.value);
  bool sums = statement.op != "=";
  static const StringMap<StringRef> starts = {
      {"+=", "C(0)"},
      {"*=", "C(1)"},
      {"mean=", "C(0)"},
      {"max=", "::glow::kernels::lowest<C>()"},
      {"min=", "::glow::kernels::highest<C>()"},
      {"or=", "C(0)"},
      {"and=", "C(1)"}};
  std::string type = typeOf(*result);
  if (sums && !bare)
    os << indent
       << formatv("std::fill_n({0}, operands.view({1}).type->elements(), "
                  "::glow::kernels::store<{2}>({3}));\n",
                  local(result->name), slots[result->name], type,
                  starts.lookup(statement.op));
  std::string close = open(loops, 0, bare ? outer : loops.size(), names);
  if (sums && bare)
    os << indent << "C sum = " << starts.lookup(statement.op) << ";\n"
       << (statement.op == "mean=" ? indent + "int64_t terms = 0;\n" : "");
  std::string inner = bare ? open(loops, outer, loops.size(), names) : "";
  std::string guard;
  ExprPtr value = readAll(statement.value, names, false, guard);
  ScalarEmitter scalars(model.functions, names, node.record);
  std::string code =
      bySize ? names.find(value->text)->spelling : scalars.emit(value);
  if (!sums) {
    Access write = access(target, names);
    std::string otherwise =
        statement.otherwise ? scalars.emit(statement.otherwise) : "C(0)";
    if (!guard.empty())
      code = "(" + guard + ") ? " + code + " : " + otherwise;
    os << indent
       << (write.guarded ? "if (" + write.position + ".inside)\n  " + indent
                         : "");
    if (bySize)
      os << write.element << " = " << code << ";\n";
    else
      os << formatv("{0} = ::glow::kernels::store<{1}>({2});\n", write.element,
                    type, code);
    os << close << closeEach;
    indent = "  ";
    return;
  }
  std::string sum = bare ? "sum" : "";
  if (!bare) {
    Access write = access(target, names);
    guard += (guard.empty() ? "" : " && ") + write.position + ".inside";
    os << indent << "if (" << guard << ")\n"
       << indent << "  " << write.element
       << formatv(
              " = ::glow::kernels::store<{0}>(::glow::kernels::accumulate{1}"
              "(C(::glow::kernels::load({2})), C({3})));\n",
              type, accumulatorOf(statement.op), write.element, code)
       << close << closeEach;
    indent = "  ";
    return;
  }
  if (!guard.empty())
    os << indent << "if (!(" << guard << "))\n" << indent << "  continue;\n";
  os << indent
     << formatv("sum = ::glow::kernels::accumulate{0}(sum, C({1}));\n",
                accumulatorOf(statement.op), code);
  if (statement.op == "mean=")
    os << indent << "++terms;\n";
  os << inner;
  indent = indent.substr(0, indent.size() - 2 * (loops.size() - outer));
  Access write = access(target, names);
  os << indent
     << formatv("{0} = ::glow::kernels::store<{1}>({2});\n", write.element,
                type,
                statement.op == "mean="
                    ? "terms ? ::glow::scalar::divide(sum, C(terms)) : C(0)"
                    : "sum");
  os << close << closeEach;
  indent = "  ";
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

/// The function of the table: chooses the template's instance.
void KernelEmitter::dispatch() {
  os << formatv("::glow::Status {0}(const ::glow::KernelCall &call) {{\n",
                kernelName(node));
  auto ranks = rankParameters();
  std::string call = node.mnemonic + "Of";
  std::string arguments;
  if (!dispatched.empty())
    arguments = "T";
  for (const auto &[list, range] : ranks)
    arguments += (arguments.empty() ? "Rank_" : ", Rank_") + list;
  std::string invoke = "return " + call +
                       (arguments.empty() ? "" : "<" + arguments + ">") +
                       "(call);";
  std::string closing;
  if (!ranks.empty()) {
    os << "  ::glow::kernels::Operands operands(call);\n";
    for (const auto &[list, range] : ranks)
      for (auto [i, input] : enumerate(node.inputs))
        for (const Dimension &dim : input.dims)
          if (dim.ranks && dim.value->isName(list)) {
            os << formatv("  return ::glow::kernels::visitRank<{0}, "
                          "{1}>(int64_t(operands.view({2})"
                          ".type->shape.size()) - {3}, [&](auto rank_{4}) {{\n"
                          "  constexpr int Rank_{4} = rank_{4};\n",
                          range.first, range.second, node.outputs.size() + i,
                          input.dims.size() - 1, list);
            closing += "  });\n";
          }
  }
  if (dispatched.empty()) {
    os << "  " << invoke << "\n";
  } else if (bySize) {
    os << formatv(
        "  return ::glow::kernels::visitSize(call.buffers[0].type->kind, "
        "[&](auto type) {{\n    using T = typename decltype(type)::type;\n"
        "    {0}\n  });\n",
        invoke);
  } else {
    os << formatv("  ::glow::ElementKind kind = ::glow::kernels::Operands(call)"
                  ".view({0}).type->kind;\n  switch (kind) {{\n",
                  dispatchSlot);
    for (const std::string &kind : dispatchKinds())
      os << formatv("  case ::glow::ElementKind::{0}: {{\n    using T = {1};\n "
                    "   {2}\n  }\n",
                    enumeratorOf(kind), elementType(kind), invoke);
    os << formatv("  default:\n    return ::glow::kernels::wrongKind({0}, "
                  "kind);\n  }\n",
                  quoted(node.mnemonic));
  }
  os << closing << "}\n\n";
}

static bool emitKernels(const Model &model, raw_ostream &os) {
  std::string table;
  os << "namespace {\n\n";
  for (const NodeModel *node : model.ownNodes()) {
    if (!node->hasKernel() ||
        (!onlyFamily.empty() && node->family != onlyFamily))
      continue;
    if (node->hand.empty())
      KernelEmitter(model, *node, os).emit();
    table += formatv("    {{{0}, {1}},\n", quoted(node->mnemonic),
                     node->hand.empty() ? kernelName(*node)
                                        : "::glow::kernels::" + node->hand);
  }
  os << "const ::std::vector<::glow::KernelEntry> kernelTable = {\n"
     << table
     << "};\n\nconst ::glow::RegisterKernels registration(kernelTable);\n\n} "
        "// namespace\n";
  return false;
}

/// Kernels by hand, so that a missing one is an error at compile time.
static bool emitHandDeclarations(const Model &model, raw_ostream &os) {
  for (const NodeModel *node : model.ownNodes())
    if (!node->hand.empty())
      os << formatv("/// {0}: {1}\nStatus {2}(const KernelCall &call);\n",
                    placeOf(node->record),
                    node->record.getValueAsString("summary"), node->hand);
  return false;
}

static Emitter kernels("gen-kernels", "emit the interpreter's kernels",
                       emitKernels);
static Emitter handDeclarations("gen-hand-decls",
                                "declare the kernels written by hand",
                                emitHandDeclarations);
