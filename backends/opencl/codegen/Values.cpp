//===- Values.cpp - trees over indices as OpenCL C ------------------------===//
// SPDX-License-Identifier: MIT

#include "Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace glow;
using namespace glow::opencl;
using namespace glow::loops;

Values::Values(Program &program, KernelText &kernel)
    : program(program), kernel(kernel) {
  scopes.emplace_back();
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

void Values::open(const std::string &head) {
  scopes.emplace_back();
  scopes.back().head = head;
}
void Values::close() {
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  scopes.back().text += scope.head + " {\n" + scope.text + "}\n";
}
void Values::line(const std::string &text) {
  scopes.back().text += text + "\n";
}
std::string Values::take() { return scopes.front().head + scopes.front().text; }

void Values::bind(unsigned index, const std::string &variable, bool isLong) {
  bound[index] = {variable, depth(), isLong};
}
std::string Values::fresh(const char *prefix) {
  return prefix + std::to_string(names++);
}

size_t Values::levelOf(Term term) const {
  size_t level = 0;
  for (const auto &[index, one] : bound)
    if (term->dependsOn(index))
      level = std::max(level, one.level);
  return level;
}

bool Values::isKnown(Term term) const {
  loops::IndexSet known = 0;
  for (const auto &[index, one] : bound)
    known |= loops::IndexSet(1) << index;
  return (term->indices & ~known) == 0;
}

/// Whether the value is computed in the current scope, and used in no other.
bool Values::isPinned(Term term) const {
  if (term->op == Op::Load &&
      (pinsAll || term->outside == Outside::Fails ||
       term->outside == Outside::Skips ||
       changed.contains(unsigned(term->integer)) ||
       (resultOf && unsigned(term->integer) == *resultOf)))
    return true;
  return llvm::any_of(term->operands,
                      [&](Term operand) { return isPinned(operand); });
}

bool Values::isVector(Term term, bool isFirst) const {
  return !isFirst && plan && plan->lanes && term->dependsOn(plan->lanes->index);
}

bool Values::isLong(Term term) const {
  if (term->op == Op::Index)
    if (auto found = bound.find(unsigned(term->integer)); found != bound.end())
      return found->second.isLong;
  return term->op == Op::Load || term->low < INT32_MIN ||
         term->high > INT32_MAX;
}

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

Values::Key Values::keyOf(Term term, Copy copy, bool isFirst) const {
  const bool hasRow = plan && plan->row && term->dependsOn(plan->row->index);
  const bool hasLane =
      plan && plan->lanes && term->dependsOn(plan->lanes->index);
  return {term.get(), hasRow ? copy.row : 0, hasLane ? copy.vector : 0,
          hasLane && isFirst};
}

std::string Values::get(Term term, Copy copy, bool isFirst) {
  if (term->isNumber()) {
    if (term->form == Form::Element)
      return literal(term->real);
    if (term->form == Form::Boolean)
      return term->integer ? "1" : "0";
    if (term->integer >= -1 && term->integer <= 1)
      return number(term->integer);
  }
  if (term->op == Op::Load && resultOf && unsigned(term->integer) == *resultOf)
    return result;
  const bool pinned = isPinned(term);
  const size_t level = pinned ? depth() : levelOf(term);
  const Key key = keyOf(term, copy, isFirst);
  auto &known = scopes[level].values;
  if (auto found = known.find(key); found != known.end())
    return found->second;
  std::string value = make(term, copy, isFirst);
  if (!refused.empty())
    return "0";
  std::string variable = value;
  if (!term->isNumber() && term->op != Op::Index) {
    variable = fresh();
    scopes[level].text += "const " + typeOf(term, isFirst) + " " + variable +
                          " = " + value + ";\n";
  } else if (term->op == Op::Index && value.find(' ') != std::string::npos) {
    variable = fresh();
    scopes[level].text += "const " + typeOf(term, isFirst) + " " + variable +
                          " = " + value + ";\n";
  }
  scopes[level].values[key] = variable;
  return variable;
}

std::string Values::getLong(Term term, Copy copy) {
  std::string value = get(term, copy, /*isFirst=*/true);
  return isLong(term) ? value : "(long)" + value;
}

std::string Values::all(llvm::ArrayRef<Term> conditions, Copy copy,
                        bool isFirst) {
  std::string text;
  bool hasVector = llvm::any_of(
      conditions, [&](Term one) { return isVector(one, isFirst); });
  for (Term condition : conditions) {
    std::string one = get(condition, copy, isFirst);
    if (hasVector && !isVector(condition, isFirst))
      one = "(int" + std::to_string(plan->width) + ")(-(" + one + "))";
    text += (text.empty() ? "" : hasVector ? " & " : " && ") + one;
  }
  return text;
}

std::string Values::make(Term term, Copy copy, bool isFirst) {
  if (term->op == Op::Load)
    return isVector(term, isFirst) ? loadedLanes(term, copy)
                                   : loaded(term, copy, isFirst);
  if (term->form == Form::Boolean)
    return makeBoolean(term, copy, isFirst);
  return term->form == Form::Index ? makeIndex(term, copy, isFirst)
                                   : makeElement(term, copy, isFirst);
}

std::string Values::makeIndex(Term term, Copy copy, bool isFirst) {
  switch (term->op) {
  case Op::Number:
    return number(term->integer);
  case Op::Index: {
    const unsigned index = unsigned(term->integer);
    auto found = bound.find(index);
    if (found == bound.end()) {
      refused = "an index has no loop";
      return "0";
    }
    std::string value = found->second.variable;
    if (plan && plan->row && plan->row->index == index)
      return value + "_" + std::to_string(copy.row);
    if (!plan || !plan->lanes || plan->lanes->index != index)
      return value;
    value += "_" + std::to_string(copy.vector);
    return isFirst ? value : value + " + iota" + std::to_string(plan->width);
  }
  case Op::Size:
    refused = "sizes of a run have no kernels";
    return "0";
  case Op::Select:
    return get(term->operands[0], copy, isFirst) + " ? " +
           get(term->operands[1], copy, isFirst) + " : " +
           get(term->operands[2], copy, isFirst);
  case Op::Negate:
    return "-" + get(term->operands[0], copy, isFirst);
  default:
    break;
  }
  Term a = term->operands[0], b = term->operands[1];
  const bool wide = isLong(term) || isLong(a) || isLong(b);
  std::string x = get(a, copy, isFirst), y = get(b, copy, isFirst);
  if (wide && !isVector(term, isFirst)) {
    x = isLong(a) ? x : "(long)" + x;
    y = isLong(b) ? y : "(long)" + y;
  }
  std::string whole;
  switch (term->op) {
  case Op::Add:
    whole = x + " + " + y;
    break;
  case Op::Subtract:
    whole = x + " - " + y;
    break;
  case Op::Multiply:
    whole = x + " * " + y;
    break;
  case Op::Divide:
  case Op::Modulo:
    if (a->low >= 0 && b->low > 0)
      whole = x + (term->op == Op::Divide ? " / " : " % ") + y;
    else
      whole = std::string(term->op == Op::Divide ? "floor_div" : "floor_mod") +
              "(" + x + ", " + y + ")";
    break;
  default:
    refused = "an operation of indices has no code";
    return "0";
  }
  return wide && !isLong(term) ? "(int)(" + whole + ")" : whole;
}

std::string Values::makeBoolean(Term term, Copy copy, bool isFirst) {
  llvm::SmallVector<std::string> x;
  for (Term operand : term->operands)
    x.push_back(get(operand, copy, isFirst));
  const bool vector = isVector(term, isFirst);
  auto spread = [&](size_t i) {
    return vector && !isVector(term->operands[i], isFirst)
               ? "(int" + std::to_string(plan->width) + ")(-(" + x[i] + "))"
               : x[i];
  };
  switch (term->op) {
  case Op::Less:
    return x[0] + " < " + x[1];
  case Op::LessEqual:
    return x[0] + " <= " + x[1];
  case Op::Equal:
    return x[0] + " == " + x[1];
  case Op::Both:
    return vector ? spread(0) + " & " + spread(1) : x[0] + " && " + x[1];
  case Op::Either:
    return vector ? spread(0) + " | " + spread(1) : x[0] + " || " + x[1];
  case Op::Not:
    return "!" + x[0];
  case Op::Select:
    return x[0] + " ? " + x[1] + " : " + x[2];
  case Op::Convert:
    return x[0] + " != 0";
  default:
    refused = "an operation of booleans has no code";
    return "0";
  }
}

std::string Values::makeElement(Term term, Copy copy, bool isFirst) {
  if (term->op == Op::Call)
    return called(term, copy, isFirst);
  llvm::SmallVector<std::string> x;
  for (Term operand : term->operands)
    x.push_back(get(operand, copy, isFirst));
  const bool isReal = isFloat(program.computes);
  auto wrapped = [&](const char *op) {
    if (isReal)
      return x[0] + op + x[1];
    return "(" + elementType() + ")((ulong)" + x[0] + op + "(ulong)" + x[1] +
           ")";
  };
  const std::string suffix = suffixOf(program.computes);
  switch (term->op) {
  case Op::Add:
    return wrapped(" + ");
  case Op::Subtract:
    return wrapped(" - ");
  case Op::Multiply:
    return wrapped(" * ");
  case Op::Divide:
    return isReal ? x[0] + " / " + x[1]
                  : "divide_" + suffix + "(" + x[0] + ", " + x[1] + ")";
  case Op::Remainder:
    return "glow_fmod_" + suffix + "(" + x[0] + ", " + x[1] + ")";
  case Op::Negate:
    return isReal ? "-" + x[0]
                  : "(" + elementType() + ")(-(ulong)" + x[0] + ")";
  case Op::Select:
    return x[0] + " ? " + x[1] + " : " + x[2];
  case Op::Convert:
    return "(" + elementType() + ")" + x[0];
  default:
    refused = "an operation of elements has no code";
    return "0";
  }
}

std::string Values::called(Term term, Copy copy, bool isFirst) {
  std::string arguments;
  for (Term operand : term->operands)
    arguments += (arguments.empty() ? "" : ", ") + get(operand, copy, isFirst);
  return "glow_" + term->name + "_" + suffixOf(program.computes) + "(" +
         arguments + ")";
}
