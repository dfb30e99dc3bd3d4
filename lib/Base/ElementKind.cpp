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
  unsigned bits;
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

unsigned glow::bitWidth(ElementKind kind) { return row(kind).bits; }

bool glow::isSmall(ElementKind kind) {
  return bitWidth(kind) < 8 || (bitWidth(kind) == 8 && isFloat(kind));
}

unsigned glow::elementsPerByte(ElementKind kind) {
  return bitWidth(kind) < 8 ? 8 / bitWidth(kind) : 1;
}

uint64_t glow::bytesInFile(ElementKind kind, uint64_t elements) {
  uint64_t shared = elementsPerByte(kind);
  return shared > 1 ? elements / shared + (elements % shared != 0)
                    : elements * byteSize(kind);
}

uint8_t glow::bitsInByte(ElementKind kind, uint8_t byte, uint64_t index) {
  unsigned bits = bitWidth(kind);
  return uint8_t(byte >> index % elementsPerByte(kind) * bits) &
         uint8_t((1u << bits) - 1);
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
