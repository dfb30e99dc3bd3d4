//===- ElementKind.cpp - what one element of a tensor is ------------------===//

#include "glow/Base/ElementKind.h"
#include "glow/Base/Small.h"

using namespace glow;

namespace {

enum class Family { Float, Signed, Unsigned, Bool };

struct KindRow {
  std::string_view name;
  size_t bytes;
  Family family;
  unsigned bitsInFile;
  int64_t onnx;
};

} // namespace

// In the order of the enumeration.
static constexpr KindRow rows[] = {
#define GLOW_ELEMENT_KIND(enumerator, name, type, family, bits, onnx)          \
  {name, sizeof(type), Family::family, bits, onnx},
#include "glow/Base/ElementKinds.def"
};

static const KindRow &row(ElementKind kind) {
  return rows[static_cast<size_t>(kind)];
}

size_t glow::byteSize(ElementKind kind) { return row(kind).bytes; }

uint64_t glow::bytesInFile(ElementKind kind, uint64_t elements) {
  unsigned bits = row(kind).bitsInFile;
  return bits < 8 ? elements / 2 + elements % 2 : elements * (bits / 8);
}

std::string_view glow::name(ElementKind kind) { return row(kind).name; }

std::optional<ElementKind> glow::elementKindNamed(std::string_view name) {
  for (ElementKind kind : allElementKinds)
    if (row(kind).name == name)
      return kind;
  return std::nullopt;
}

std::optional<ElementKind> glow::elementKindOfOnnx(int64_t dataType) {
  for (ElementKind kind : allElementKinds)
    if (row(kind).onnx == dataType)
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
