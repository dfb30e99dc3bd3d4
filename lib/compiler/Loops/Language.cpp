//===- Language.cpp - the language's functions on lists of trees ----------===//
// SPDX-License-Identifier: MIT

#include "glow/Loops/Language.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::loops;

/// A zero of the program to which lists belong; some of the lists may be empty.
static Term zeroOf(Program &program) { return program.number(0); }

Term expr::at(const Terms &list, int64_t index) {
  if (index >= 0 && index < size(list))
    return list[size_t(index)];
  return zeroOf(*programOf(list));
}
Term expr::prod(const Terms &list) {
  Term result = list[0];
  for (Term term : llvm::drop_begin(list))
    result = multiply(result, term);
  return result;
}
Terms expr::take(const Terms &list, int64_t count) {
  count = std::clamp<int64_t>(count, 0, size(list));
  return Terms(list.begin(), list.begin() + count);
}
Terms expr::drop(const Terms &list, int64_t count) {
  count = std::clamp<int64_t>(count, 0, size(list));
  return Terms(list.begin() + count, list.end());
}
Terms expr::pick(const Terms &list, const Ints &indices) {
  Terms result;
  for (int64_t index : indices)
    result.push_back(at(list, index));
  return result;
}
Terms expr::set(Terms list, int64_t index, Term value) {
  if (index >= 0 && index < size(list))
    list[size_t(index)] = value;
  return list;
}

Terms expr::reflect(const Terms &index, const Sizes &sizes) {
  Terms result;
  for (auto [x, size] : llvm::zip(index, sizes)) {
    // A remainder by 0 is 0.
    const Size period = multiply(subtract(size, 1), 2);
    Term in = isNumber(period, 0) ? zeroOf(*x->program) : modulo(x, period);
    result.push_back(select(in < size, in, subtract(period, in)));
  }
  return result;
}
Terms expr::clampIndex(const Terms &index, const Sizes &sizes) {
  Terms result;
  for (auto [x, size] : llvm::zip(index, sizes))
    result.push_back(min(max(x, int64_t(0)), max(subtract(size, 1), 0)));
  return result;
}

Terms expr::unreduced(const Terms &kept, const Terms &reduced, const Ints &axes,
                      bool keep) {
  Terms result(keep ? kept.size() : kept.size() + axes.size(), Term());
  for (auto [axis, index] : llvm::zip(axes, reduced))
    result[size_t(axis)] = index;
  size_t next = 0;
  for (auto [i, place] : llvm::enumerate(result))
    if (!place)
      place = kept[keep ? i : next++];
  return result;
}

Terms expr::exactQuotient(const Terms &a, const Sizes &b) {
  Terms result;
  for (auto [x, divisor] : llvm::zip(a, b))
    result.push_back(select(equal(modulo(x, divisor), int64_t(0)),
                            divide(x, divisor), int64_t(-1)));
  return result;
}
