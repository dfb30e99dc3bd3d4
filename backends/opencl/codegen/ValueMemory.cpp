//===- ValueMemory.cpp - elements in memory, as OpenCL C ------------------===//
// SPDX-License-Identifier: MIT

#include "Values.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace glow;
using namespace glow::opencl;
using namespace glow::loops;

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

std::string Values::elementType() const {
  return memoryType(moves ? plans::integerOf(moved) : program.computes);
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
  return plain(type, isReal ? "NEAREST(" + type + ", " + value + ")"
                            : "(" + type + ")(" + value + ")");
}

void Values::checkInside(const std::string &holds) {
  line("if (!(" + holds + ")) atomic_cmpxchg(failed, 0, step);");
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
                     " *)" + pointer(tensor);
  std::string where = term->outside == Outside::Skips || pinsAll ? mask : "";
  if (term->outside == Outside::Zero) {
    Terms conditions = conditionsOf(term->operands, its);
    where = all(conditions, copy);
    // Without lanes the condition holds for all, or for none.
    if (!where.empty() &&
        llvm::none_of(conditions, [&](Term one) { return isVector(one); }))
      where = "(int" + width + ")(-(" + where + "))";
  }
  const int64_t step = offset.of(plan->lanes->index);
  const std::string kind = isHalf ? "_half" : "";
  if (step != 1) {
    std::string by = number(step);
    return where.empty() ? "gather" + kind + width + "(" + from + " + " +
                               place + ", " + by + ")"
                         : "masked_gather" + kind + width + "(" + from + " + " +
                               place + ", " + by + ", " + where + ")";
  }
  if (where.empty())
    return "vload" + kind + width + "(0, " + from + " + " + place + ")";
  int64_t elements = 1;
  for (int64_t extent : its.shape)
    elements *= extent;
  return "masked_vload" + kind + width + "(" + from + ", " + place + ", " +
         number(elements) + ", " + where + ")";
}
