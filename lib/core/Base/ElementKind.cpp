//===- ElementKind.cpp - element kinds of tensors -------------------------===//
// SPDX-License-Identifier: MIT

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
  int32_t onnx;
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

bool glow::sharesBytes(ElementKind kind) { return bitWidth(kind) < 8; }

uint64_t glow::bytesInFile(ElementKind kind, uint64_t elements) {
  if (!sharesBytes(kind))
    return elements * byteSize(kind);
  const unsigned bits = bitWidth(kind);
  return elements / 8 * bits + (elements % 8 * bits + 7) / 8;
}

uint8_t glow::bitsInFile(ElementKind kind, const uint8_t *bytes,
                         uint64_t index) {
  const unsigned bits = bitWidth(kind);
  bytes += index / 8 * bits + index % 8 * bits / 8;
  const unsigned shift = index % 8 * bits % 8;
  const unsigned next = shift + bits > 8 ? bytes[1] : 0;
  return uint8_t((bytes[0] | next << 8) >> shift) & uint8_t((1u << bits) - 1);
}

unsigned glow::elementsPerNumber(ElementKind kind) {
  return sharesBytes(kind) ? 8 / bitWidth(kind) : 1;
}

uint64_t glow::numbersInFile(ElementKind kind, uint64_t elements) {
  const unsigned each = elementsPerNumber(kind);
  return elements / each + (elements % each != 0);
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

int32_t glow::onnxDataType(ElementKind kind) { return row(kind).onnx; }

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
