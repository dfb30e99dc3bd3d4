//===- Language.h - index notation on trees ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Overloads of the language's operators and functions for operands that depend
// on an index. ClassGen generates the same C++ for subscripts of numbers and of
// trees.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LOOPS_LANGUAGE_H
#define GLOW_LOOPS_LANGUAGE_H

#include "glow/Base/Functions.h"
#include "glow/Loops/Program.h"
#include "glow/Program/Size.h"
#include <concepts>
#include <optional>

namespace glow::loops {

template <typename T>
concept IsTerm = std::same_as<T, Term>;
template <typename T>
concept IsTerms = std::same_as<T, Terms>;
/// A list of trees, of numbers or of sizes.
template <typename T>
concept IsList = IsTerms<T> || std::same_as<T, Ints> || std::same_as<T, Sizes>;
/// Selects an overload for trees: at least one operand is a tree or a list of
/// trees.
template <typename... T>
concept OnTrees = ((IsTerm<T> || IsTerms<T>) || ...);
template <typename... T>
concept OnLists = OnTrees<T...> && (IsList<T> || ...);

/// The program of the first tree among the arguments; null if there is none.
inline Program *programOf(const Term &term) { return term->program; }
inline Program *programOf(const Terms &terms) {
  return terms.empty() ? nullptr : terms[0]->program;
}
inline Program *programOf(const auto &) { return nullptr; }
template <typename... T> Program *programOf(const T &...values) {
  Program *result = nullptr;
  ((result = result ? result : programOf(values)), ...);
  return result;
}

inline Term termOf(Program *, Term term) { return term; }
inline Term termOf(Program *program, int64_t value) {
  return program->number(value);
}
inline Term termOf(Program *program, const Size &value) {
  return program->size(value.length());
}
inline Term termOf(Program *program, bool value) {
  return asBoolean(program->number(value));
}
inline Term termOf(Program *program, double value) {
  return program->real(value);
}

/// Element `i` of a list; a scalar stands for a list of equal elements.
template <typename T>
Term elementOf(Program *program, const T &list, size_t i) {
  if constexpr (IsList<T>)
    return termOf(program, list[i]);
  else
    return termOf(program, list);
}
template <typename T> size_t countOf(const T &list) {
  if constexpr (IsList<T>)
    return list.size();
  else
    return ~size_t(0);
}

template <typename... T> auto apply(Op op, const T &...operands) {
  Program *program = programOf(operands...);
  if constexpr (OnLists<T...>) {
    Terms result;
    for (size_t i = 0; i < std::min({countOf(operands)...}); ++i)
      result.push_back(make(op, {elementOf(program, operands, i)...}));
    return result;
  } else {
    return make(op, {termOf(program, operands)...});
  }
}

#define GLOW_TREE_OPERATOR(symbol, op, first, second)                          \
  template <typename A, typename B>                                            \
    requires OnTrees<A, B>                                                     \
  Term operator symbol(const A &a, const B &b) {                               \
    return apply(Op::op, first, second);                                       \
  }
GLOW_TREE_OPERATOR(<, Less, a, b)
GLOW_TREE_OPERATOR(>, Less, b, a)
GLOW_TREE_OPERATOR(<=, LessEqual, a, b)
GLOW_TREE_OPERATOR(>=, LessEqual, b, a)
GLOW_TREE_OPERATOR(&&, Both, a, b)
GLOW_TREE_OPERATOR(||, Either, a, b)
#undef GLOW_TREE_OPERATOR
inline Term operator-(Term a) { return make(Op::Negate, a); }

/// Appends subscripts: an index, or a list of them.
inline void append(Program &program, Terms &list, const auto &value) {
  using T = std::decay_t<decltype(value)>;
  if constexpr (IsList<T>)
    for (size_t i = 0; i < value.size(); ++i)
      list.push_back(termOf(&program, value[i]));
  else
    list.push_back(termOf(&program, value));
}
template <typename... T>
Terms subscripts(Program &program, const T &...values) {
  Terms list;
  (append(program, list, values), ...);
  return list;
}

} // namespace glow::loops

namespace glow::expr {

using loops::Op;
using loops::Program;
using loops::Term;
using loops::Terms;

#define GLOW_TREE_FUNCTION(name, op)                                           \
  template <typename A, typename B>                                            \
    requires loops::OnTrees<A, B>                                              \
  auto name(const A &a, const B &b) {                                          \
    return loops::apply(Op::op, a, b);                                         \
  }
GLOW_TREE_FUNCTION(add, Add)
GLOW_TREE_FUNCTION(subtract, Subtract)
GLOW_TREE_FUNCTION(multiply, Multiply)
GLOW_TREE_FUNCTION(divide, Divide)
GLOW_TREE_FUNCTION(modulo, Modulo)
#undef GLOW_TREE_FUNCTION

template <typename A, typename B> auto equal(const A &a, const B &b) {
  if constexpr (loops::OnTrees<A, B>)
    return loops::apply(Op::Equal, a, b);
  else
    return a == b;
}
inline bool negation(bool a) { return !a; }
inline Term negation(Term a) { return loops::make(Op::Not, a); }
template <typename C, typename A, typename B>
  requires loops::OnTrees<C, A, B>
Term select(const C &condition, const A &yes, const B &no) {
  return loops::apply(Op::Select, condition, yes, no);
}
/// The overload for plain numbers.
template <typename T> T select(bool condition, const T &yes, const T &no) {
  return condition ? yes : no;
}
template <typename A, typename B>
  requires WithSize<A, B>
Size select(bool condition, const A &yes, const B &no) {
  return condition ? Size(yes) : Size(no);
}

template <typename A, typename B>
  requires(loops::OnTrees<A, B> && !loops::OnLists<A, B>)
Term max(const A &a, const B &b) {
  return select(a < b, b, a);
}
template <typename A, typename B>
  requires(loops::OnTrees<A, B> && !loops::OnLists<A, B>)
Term min(const A &a, const B &b) {
  return select(a < b, a, b);
}
inline Term abs(Term a) {
  return select(a < int64_t(0), subtract(int64_t(0), a), a);
}
/// `rank` is a number or a size.
template <typename T> Term wrapAxis(const Term &axis, const T &rank) {
  return select(axis < int64_t(0), add(axis, rank), axis);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

inline int64_t size(const Terms &list) { return int64_t(list.size()); }
Term at(const Terms &list, int64_t index);
Term prod(const Terms &list);
Terms take(const Terms &list, int64_t count);
Terms drop(const Terms &list, int64_t count);
Terms pick(const Terms &list, const Ints &indices);
Terms set(Terms list, int64_t index, Term value);
template <typename T>
Terms shift(const Terms &list, int64_t axis, const T &amount) {
  return axis >= 0 && axis < size(list)
             ? set(list, axis, add(list[size_t(axis)], amount))
             : list;
}
Terms reflect(const Terms &index, const Sizes &sizes);
Terms clampIndex(const Terms &index, const Sizes &sizes);
Terms unreduced(const Terms &kept, const Terms &reduced, const Ints &axes,
                bool keep);
Terms exactQuotient(const Terms &a, const Sizes &b);

} // namespace glow::expr

#endif // GLOW_LOOPS_LANGUAGE_H
