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
  uint64_t known = 0;
  for (const auto &[index, one] : bound)
    known |= uint64_t(1) << index;
  return (term->indices & ~known) == 0;
}

/// Whether the value is computed in the current scope, and used in no other.
bool Values::isPinned(Term term) const {
  if (term->op == Op::Load &&
      (term->outside == Outside::Fails || term->outside == Outside::Skips ||
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
// Types and numbers
//===----------------------------------------------------------------------===//

std::string opencl::suffixOf(ElementKind computes) {
  return std::string(name(computes));
}

/// The type of elements of a kind in memory.
static std::string memoryType(ElementKind kind) {
  switch (kind) {
  case ElementKind::F32:
    return "float";
  case ElementKind::F64:
    return "double";
  case ElementKind::F16:
    return "half";
  case ElementKind::I8:
    return "char";
  case ElementKind::I16:
    return "short";
  case ElementKind::I32:
    return "int";
  case ElementKind::I64:
    return "long";
  case ElementKind::U16:
  case ElementKind::BF16:
    return "ushort";
  case ElementKind::U32:
    return "uint";
  case ElementKind::U64:
    return "ulong";
  default:
    return "uchar";
  }
}

static ElementKind integerOf(ElementKind kind) {
  switch (byteSize(kind)) {
  case 1:
    return ElementKind::U8;
  case 2:
    return ElementKind::U16;
  case 4:
    return ElementKind::U32;
  default:
    return ElementKind::U64;
  }
}

std::string Values::elementType() const {
  return memoryType(moves ? integerOf(moved) : program.computes);
}

std::string Values::typeOf(Term term, bool isFirst) const {
  std::string lanes =
      isVector(term, isFirst) ? std::to_string(plan->width) : "";
  if (term->form == Form::Boolean)
    return "int" + lanes;
  if (term->form == Form::Index)
    return (isLong(term) ? "long" : "int") + lanes;
  return elementType() + lanes;
}

std::string Values::number(int64_t value) {
  if (value >= -1 && value <= 1)
    return value < 0 ? "(-1)" : std::to_string(value);
  const size_t place = kernel.numbers.size();
  kernel.numbers.push_back(value);
  const bool fits = value >= INT32_MIN && value <= INT32_MAX;
  std::string name = "p" + std::to_string(place);
  scopes.front().head += "const " + std::string(fits ? "int " : "long ") +
                         name + (fits ? " = (int)" : " = ") + "n[OFFSETS + " +
                         std::to_string(place) + "];\n";
  return name;
}

static std::string integerText(int64_t value) {
  if (value == INT64_MIN)
    return "(-0x7fffffffffffffffL - 1)";
  return "(" + std::to_string(value) + "L)";
}

std::string Values::literal(double value) const {
  if (moves)
    return "0";
  const ElementKind kind = program.computes;
  if (!isFloat(kind)) {
    if (kind == ElementKind::U64 && value >= 0x1p63)
      return value >= 0x1p64 ? "0xffffffffffffffffUL"
                             : std::to_string(uint64_t(value)) + "UL";
    int64_t whole = std::isnan(value)  ? 0
                    : value >= 0x1p63  ? INT64_MAX
                    : value <= -0x1p63 ? INT64_MIN
                                       : int64_t(value);
    return "((" + elementType() + ")" + integerText(whole) + ")";
  }
  if (std::isnan(value))
    return "((" + elementType() + ")NAN)";
  if (std::isinf(value))
    return std::string(value < 0 ? "(-" : "(") + "(" + elementType() +
           ")INFINITY)";
  char text[64];
  if (kind == ElementKind::F32) {
    const float single = float(value);
    if (std::isinf(single))
      return std::string(value < 0 ? "(-" : "(") + "(float)INFINITY)";
    std::snprintf(text, sizeof text, "%af", double(single));
  } else {
    std::snprintf(text, sizeof text, "%a", value);
  }
  return value < 0 || std::signbit(value) ? "(" + std::string(text) + ")"
                                          : text;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::string Values::pointer(unsigned tensor) {
  auto found = llvm::find(kernel.tensors, tensor);
  if (found == kernel.tensors.end())
    found = kernel.tensors.insert(found, tensor);
  return "t" + std::to_string(found - kernel.tensors.begin());
}

std::string Values::load(unsigned tensor, const std::string &place,
                         bool asIndex) {
  const ElementKind kind = program.tensors[tensor].kind;
  std::string from = pointer(tensor);
  if (moves && !asIndex)
    return "((global const " + elementType() + " *)" + from + ")[" + place +
           "]";
  std::string value =
      kind == ElementKind::F32 || kind == ElementKind::F64 ||
              (!isFloat(kind) && !isSmall(kind))
          ? "((global const " + memoryType(kind) + " *)" + from + ")[" + place +
                "]"
          : "load_" + std::string(name(kind)) + "(" + from + ", " + place + ")";
  return "(" + std::string(asIndex ? "long" : elementType()) + ")" + value;
}

std::string Values::store(unsigned tensor, const std::string &place,
                          const std::string &value) {
  const ElementKind kind = program.tensors[tensor].kind;
  std::string to = pointer(tensor);
  auto plain = [&](const std::string &type, const std::string &stored) {
    return "((global " + type + " *)" + to + ")[" + place + "] = " + stored +
           ";";
  };
  if (moves)
    return plain(elementType(), value);
  const bool isReal = isFloat(program.computes);
  if (kind == ElementKind::Bool)
    return plain("uchar", "(uchar)(" + value + " != 0)");
  if (kind == ElementKind::F32 || kind == ElementKind::F64)
    return plain(memoryType(kind), "(" + memoryType(kind) + ")(" + value + ")");
  if (isFloat(kind)) {
    std::string wide = program.computes == ElementKind::F64
                           ? "odd_f64(" + value + ")"
                           : "(float)(" + value + ")";
    return "store_" + std::string(name(kind)) + "(" + to + ", " + place + ", " +
           wide + ");";
  }
  if (isSmall(kind)) {
    std::string whole = isReal ? "few_bits((float)(" + value + "), " +
                                     std::to_string(bitWidth(kind)) + ", " +
                                     std::to_string(int(isSigned(kind))) + ")"
                               : "(uchar)(" + value + ")";
    return plain("uchar",
                 whole + " & " + std::to_string((1 << bitWidth(kind)) - 1));
  }
  std::string type = memoryType(kind);
  return plain(type, isReal ? "convert_" + type + "_sat(" + value + ")"
                            : "(" + type + ")(" + value + ")");
}

void Values::checkInside(const std::string &holds) {
  mayFail = true;
  line("if (!(" + holds + ")) atomic_cmpxchg(failed, 0, step);");
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

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

std::string Values::loaded(Term term, Copy copy, bool isFirst) {
  const unsigned tensor = unsigned(term->integer);
  const Tensor &its = program.tensors[tensor];
  const bool asIndex = term->form == Form::Index;
  std::string none = asIndex ? "0" : literal(0);
  if (llvm::is_contained(its.shape, 0)) {
    if (term->outside == Outside::Fails)
      checkInside("0");
    return none;
  }
  std::string holds;
  if (term->outside == Outside::Fails || term->outside == Outside::Zero ||
      (term->outside == Outside::Skips && !isGuarded))
    holds = all(conditionsOf(term->operands, its), copy, isFirst);
  Affine offset = affineOf(offsetOf(program, term->operands, its));
  std::string place = get(termOf(program, offset), copy, true);
  if (!holds.empty()) {
    std::string inside = fresh("c");
    const size_t level = isPinned(term) ? depth() : levelOf(term);
    scopes[level].text += "const int " + inside + " = " + holds + ";\n";
    if (term->outside == Outside::Fails)
      checkInside(inside);
    return inside + " ? " + load(tensor, place, asIndex) + " : " + none;
  }
  return load(tensor, place, asIndex);
}

/// Lanes of neighbouring elements.
std::string Values::loadedLanes(Term term, Copy copy) {
  const unsigned tensor = unsigned(term->integer);
  const Tensor &its = program.tensors[tensor];
  const std::string width = std::to_string(plan->width);
  Affine offset = affineOf(offsetOf(program, term->operands, its));
  std::string place = get(termOf(program, offset), copy, true);
  const bool isHalf = its.kind == ElementKind::F16;
  std::string from = "(global const " + std::string(isHalf ? "half" : "float") +
                     " *)" + pointer(tensor) + " + " + place;
  std::string where = term->outside == Outside::Skips ? mask : "";
  if (term->outside == Outside::Zero) {
    Terms conditions = conditionsOf(term->operands, its);
    where = all(conditions, copy);
    // Without lanes the condition holds for all, or for none.
    if (!where.empty() &&
        llvm::none_of(conditions, [&](Term one) { return isVector(one); }))
      where = "(int" + width + ")(-(" + where + "))";
  }
  std::string name = isHalf ? "vload_half" : "vload";
  if (where.empty())
    return name + width + "(0, " + from + ")";
  return "masked_" + name + width + "(" + from + ", " + where + ")";
}
