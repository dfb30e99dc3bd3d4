//===- ElementKind.cpp - what one element of a tensor is ------------------===//

#include "glow/Base/ElementKind.h"

using namespace glow;

namespace {

enum class Family { Float, Signed, Unsigned, Bool };

struct KindRow {
  std::string_view name;
  size_t bytes;
  Family family;
};

} // namespace

// In the order of the enumeration.
static constexpr KindRow rows[] = {
    {"f32", 4, Family::Float},    {"f16", 2, Family::Float},
    {"bf16", 2, Family::Float},   {"f64", 8, Family::Float},
    {"i8", 1, Family::Signed},    {"i16", 2, Family::Signed},
    {"i32", 4, Family::Signed},   {"i64", 8, Family::Signed},
    {"u8", 1, Family::Unsigned},  {"u16", 2, Family::Unsigned},
    {"u32", 4, Family::Unsigned}, {"u64", 8, Family::Unsigned},
    {"bool", 1, Family::Bool},
};
static_assert(std::size(rows) == allElementKinds.size());

static const KindRow &row(ElementKind kind) {
  return rows[static_cast<size_t>(kind)];
}

size_t glow::byteSize(ElementKind kind) { return row(kind).bytes; }

std::string_view glow::name(ElementKind kind) { return row(kind).name; }

std::optional<ElementKind> glow::elementKindNamed(std::string_view name) {
  for (ElementKind kind : allElementKinds)
    if (row(kind).name == name)
      return kind;
  return std::nullopt;
}

bool glow::isFloat(ElementKind kind) {
  return row(kind).family == Family::Float;
}

bool glow::isInteger(ElementKind kind) {
  return row(kind).family == Family::Signed ||
         row(kind).family == Family::Unsigned;
}

bool glow::isSigned(ElementKind kind) {
  return row(kind).family == Family::Float ||
         row(kind).family == Family::Signed;
}
