//===- IndexNotation.cpp - loops, reads and sums of one statement ---------===//
// SPDX-License-Identifier: MIT
//
// A statement becomes loops: first over the elements of the result, then over
// the summed indices. Where the target is indexed by bare names alone, a sum
// stays in a register until it is complete. Any other target element may occur
// several times, so the result is filled first and added to in memory.
//
// A bare subscript is inside of its tensor by construction, unless `over` gives
// it another range. Any other subscript may lead outside. A term with such an
// element does not count, and in a branch of `if` the element is 0. An element
// whose position depends on data, or that determines another position, ends the
// run.
//
//===----------------------------------------------------------------------===//

#include "Emit/loops/KernelEmitter.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// An index is a bare name in a subscript. It runs over the size that the
/// signature gives to the place where it stands first, or over `over`'s.
void KernelEmitter::loopOver(const ExprPtr &subscript, const ExprPtr &access,
                             const TensorSignature &tensor, size_t index,
                             std::vector<Loop> &loops) {
  bool list = subscript->kind == Expr::Kind::Spread;
  const ExprPtr &value = list ? subscript->children[0] : subscript;
  if (value->kind != Expr::Kind::Name || node.findAttribute(value->text) ||
      (current->scan && value->text == current->scan->index) ||
      rangeOf(*current, value->text) ||
      any_of(loops, [&](const Loop &loop) { return loop.name == value->text; }))
    return;
  ValueEmitter values(model.functions, extents, node.record,
                      ValueForm::Numbers);
  std::string view = viewOf(tensor);
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
       // Kernels know no functions but those of the run-time library.
       values.emitAs(model.functions.written(dim.value, node.record),
                     list ? Type::Ints : Type::Int, "a size"),
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

std::string KernelEmitter::boundCode(const ExprPtr &bound, Scope &names) {
  bool any = false;
  inBounds = true;
  ExprPtr value = readIntegers(bound, names, any);
  inBounds = false;
  return ValueEmitter(model.functions, names, node.record, ValueForm::Numbers)
      .emitAs(value, Type::Int, "a bound");
}

/// Opens a loop with bounds. Bounds that elements give must lie inside of the
/// size, unless the range is empty; other bounds are cut to the size.
void KernelEmitter::openBounded(const Loop &loop, Scope &names) {
  const IndexRange &range = *loop.bounds;
  bool found = false;
  for (const ExprPtr &bound : {range.low, range.high})
    forEachElement(node, bound, [&](const ExprPtr &) { found = true; });
  std::string low = boundCode(range.low, names);
  std::string high = boundCode(range.high, names);
  os << indent
     << formatv(
            "const int64_t low_{0} = {1}, high_{0} = {2}, size_{0} = {3};\n",
            loop.name, low, high, loop.extent);
  if (found)
    os << indent
       << formatv("if (low_{0} < high_{0} && (low_{0} < 0 || high_{0} > "
                  "size_{0}))\n{1}  return ::glow::kernels::outOfRange({2}, "
                  "low_{0}, high_{0}, size_{0});\n",
                  loop.name, indent, quoted(loop.name));
  os << indent
     << formatv("for (int64_t end_{0} = std::min(high_{0}, size_{0}), {0} = "
                "std::max<int64_t>(low_{0}, 0); {0} < end_{0}; ++{0}) {{\n",
                loop.name);
}

/// Opens the loops; returns the closing code.
std::string KernelEmitter::open(const std::vector<Loop> &loops, size_t from,
                                size_t to, Scope &names) {
  std::string close;
  for (size_t i = from; i < to; ++i) {
    const Loop &loop = loops[i];
    if (loop.bounds)
      openBounded(loop, names);
    else if (loop.list)
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

/// Emits the parts of subscripts that do not change in any loop further in.
void KernelEmitter::emitFixed(size_t depth, Scope &names) {
  for (const Hoister::Part &part : hoister->parts()) {
    if (part.depth != depth)
      continue;
    TypedCode value =
        ValueEmitter(model.functions, names, node.record, ValueForm::Numbers)
            .emit(part.value);
    os << indent
       << formatv("[[maybe_unused]] const auto {0} = {1};\n", part.name,
                  value.code);
    names.define(part.name, value.type, part.name);
  }
  for (const Start &start : begun)
    if (start.depth == depth)
      emitStart(start, names);
}

/// Finds the leading subscripts of each element of `expr` that do not change in
/// the innermost loop: their part of the position is computed outside of it.
void KernelEmitter::findStarts(const ExprPtr &expr, size_t loops) {
  if (!expr)
    return;
  if (tensorOf(expr)) {
    Start start{expr, 0, 0, "start" + std::to_string(begun.size())};
    for (const ExprPtr &subscript : drop_begin(expr->children)) {
      size_t depth = hoister->depthOf(subscript);
      // Dimensions stay in order, so that the position can be continued later.
      if (depth >= loops)
        break;
      start.depth = std::max(start.depth, depth);
      ++start.count;
    }
    if (start.count > 0 && !wayTo(expr))
      begun.push_back(start);
  }
  for (const ExprPtr &child : expr->children)
    findStarts(child, loops);
}

/// The part of an element's position that is computed outside of the innermost
/// loop; null if there is none.
const KernelEmitter::Start *KernelEmitter::wayTo(const ExprPtr &element) const {
  auto found = find_if(begun, [&](const Start &start) {
    return textOf(start.element) == textOf(element);
  });
  return found == begun.end() ? nullptr : &*found;
}

void KernelEmitter::emitStart(const Start &start, Scope &names) {
  emitPosition(start.position, *tensorOf(start.element));
  for (size_t i = 1; i <= start.count; ++i)
    emitStep(fixedOf(start.element->children[i]), start.position, names);
}

std::string KernelEmitter::viewOf(const TensorSignature &tensor,
                                  StringRef each) {
  std::string member = "call." + tensor.name;
  if (tensor.variadic)
    return member + "[" + each.str() + "]";
  return tensor.optional ? "(*" + member + ")" : member;
}

std::string KernelEmitter::dataOf(const TensorSignature &tensor) {
  if (!tensor.variadic)
    return local(tensor.name);
  return formatv("::glow::kernels::dataOf<{0}>({1})", typeOf(tensor),
                 viewOf(tensor));
}

void KernelEmitter::emitPosition(const std::string &name,
                                 const TensorSignature &tensor) {
  os << indent
     << formatv("::glow::kernels::Position {0}(*{1});\n", name,
                tensor.variadic ? viewOf(tensor) + ".type"
                                : local(tensor.name) + "type");
}

/// The subscript with names for the parts that outer loops computed.
ExprPtr KernelEmitter::fixedOf(const ExprPtr &subscript) {
  if (subscript->kind != Expr::Kind::Spread)
    return hoister->replacement(subscript);
  return makeExpr(Expr::Kind::Spread, "",
                  {hoister->replacement(subscript->children[0])},
                  subscript->at);
}

void KernelEmitter::emitStep(const ExprPtr &subscript,
                             const std::string &position, Scope &names) {
  bool list = subscript->kind == Expr::Kind::Spread;
  ValueEmitter values(model.functions, names, node.record, ValueForm::Numbers);
  os << indent << position << (list ? ".steps(" : ".step(")
     << values.emitAs(list ? subscript->children[0] : subscript,
                      list ? Type::Ints : Type::Int, "a subscript")
     << ");\n";
}

/// Emits a check that ends the run where the position is outside of the tensor.
void KernelEmitter::emitInside(const TensorSignature &tensor,
                               const std::string &position) {
  os << indent
     << formatv("if (!{0}.inside)\n{1}  return "
                "::glow::kernels::outOfRange({2}, {0});\n",
                position, indent, quoted(tensor.name));
}

/// Tensors that are read inside a subscript, as integers.
ExprPtr KernelEmitter::readIntegers(const ExprPtr &expr, Scope &names,
                                    bool &any) {
  if (const TensorSignature *tensor = tensorOf(expr)) {
    any = true;
    Access inner = access(expr, names);
    if (inner.guarded && !inner.dataDependent)
      emitInside(*tensor, inner.position);
    std::string name = "$" + std::to_string(counter++);
    names.define(name, Type::Int,
                 formatv("::glow::kernels::loadInteger({0}, {1}.offset)",
                         viewOf(*tensor), inner.position)
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
  SmallVector<ExprPtr> rest;
  for (auto [place, subscript] : enumerate(drop_begin(expr->children))) {
    result.guarded |= inBounds || mayLeadOutside(node, *current, expr, place);
    rest.push_back(
        readIntegers(fixedOf(subscript), names, result.dataDependent));
  }
  if (const Start *start = wayTo(expr)) {
    os << indent
       << formatv("::glow::kernels::Position {0} = {1};\n", result.position,
                  start->position);
    rest.erase(rest.begin(), rest.begin() + start->count);
  } else {
    emitPosition(result.position, tensor);
  }
  for (const ExprPtr &subscript : rest)
    emitStep(subscript, result.position, names);
  if (result.dataDependent)
    emitInside(tensor, result.position);
  std::string type = typeOf(tensor);
  result.element = dataOf(tensor) + "[" + result.position + ".offset]";
  if (type.empty())
    result.element = formatv("::glow::kernels::loadInteger({0}, {1}.offset)",
                             viewOf(tensor), result.position);
  return result;
}

/// Emits all reads of a value. A term of a sum with an element outside its
/// tensor does not count (`guard`); in a branch of `if`, it is 0.
ExprPtr KernelEmitter::readAll(const ExprPtr &expr, Scope &names, bool inBranch,
                               std::string &guard) {
  if (tensorOf(expr)) {
    std::string &known = reads[{textOf(expr), inBranch}];
    if (!known.empty())
      return makeExpr(Expr::Kind::Name, known, {}, expr->at);
    Access read = access(expr, names);
    bool guarded = read.guarded && !read.dataDependent;
    std::string load = bySize
                           ? read.element
                           : "C(::glow::kernels::load(" + read.element + "))";
    if (guarded && inBranch)
      load = "(" + read.position + ".inside ? " + load + " : C(0))";
    else if (guarded)
      guard += (guard.empty() ? "" : " && ") + read.position + ".inside";
    known = "$" + std::to_string(counter++);
    names.define(known, Type::Real, load);
    return makeExpr(Expr::Kind::Name, known, {}, expr->at);
  }
  auto copy = std::make_shared<Expr>(*expr);
  bool branches = expr->kind == Expr::Kind::Call && expr->text == "if";
  for (auto [i, child] : enumerate(copy->children))
    child = readAll(child, names, inBranch || (branches && i > 0), guard);
  return copy;
}
