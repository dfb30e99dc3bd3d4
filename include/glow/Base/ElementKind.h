//===- ElementKind.h - element kinds of tensors -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The element kinds that may be stored at run time, from ElementKinds.def. A
// quantised tensor is stored as its integer kind; scale and offset are the
// compiler's business.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_ELEMENTKIND_H
#define GLOW_BASE_ELEMENTKIND_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace glow {

struct Half;
struct BFloat16;
struct Int4;
struct UInt4;
struct Float8E4M3FN;
struct Float8E4M3FNUZ;
struct Float8E5M2;
struct Float8E5M2FNUZ;
struct Float4E2M1FN;
struct Float8E8M0FNU;
struct Float6E2M3FN;
struct Float6E3M2FN;
struct Int2;
struct UInt2;

enum class ElementKind : uint8_t {
#define GLOW_ELEMENT_KIND(enumerator, name, type, family, bits, onnx)          \
  enumerator,
#include "glow/Base/ElementKinds.def"
};

/// Every kind, in the order of the enumeration.
inline constexpr std::array allElementKinds = {
#define GLOW_ELEMENT_KIND(enumerator, name, type, family, bits, onnx)          \
  ElementKind::enumerator,
#include "glow/Base/ElementKinds.def"
};

/// Bytes of one element in memory: 1, 2, 4 or 8.
size_t byteSize(ElementKind kind);

/// Significant bits of an element: 64 ... 8, 6, 4 or 2; 8 for a bool.
unsigned bitWidth(ElementKind kind);

/// Whether the kind is stored and converted, but not computed with: numbers of
/// 6, 4 and 2 bits, and floats of 8.
bool isSmall(ElementKind kind);

/// Whether elements share bytes in an ONNX file: kinds of fewer than 8 bits,
/// packed one behind the other, the first in the lowest bits.
bool sharesBytes(ElementKind kind);

/// Bytes that `elements` elements take in an ONNX file.
uint64_t bytesInFile(ElementKind kind, uint64_t elements);

/// Bits of element `index` among elements that share `bytes` in an ONNX file.
uint8_t bitsInFile(ElementKind kind, const uint8_t *bytes, uint64_t index);

/// Number of elements that one number of a typed field of an ONNX file holds,
/// as a byte would: 2 of 4 bits, 4 of 2, else 1.
unsigned elementsPerNumber(ElementKind kind);

/// Numbers of a typed field of an ONNX file that `elements` elements take.
uint64_t numbersInFile(ElementKind kind, uint64_t elements);

/// "f32", "f16", "bf16", "f64", "i8" ... "u64", "bool", "i4", "f8E5M2" ...
std::string_view name(ElementKind kind);

/// The inverse of `name`; nothing for any other word.
std::optional<ElementKind> elementKindNamed(std::string_view name);

/// The kind of a number of ONNX's TensorProto.DataType; nothing where Glow has
/// no such kind.
std::optional<ElementKind> elementKindOfOnnx(int64_t dataType);

/// The inverse of `elementKindOfOnnx`.
int32_t onnxDataType(ElementKind kind);

/// Whether the kind is f32, f16, bf16, f64, or a float of 8, 6 or 4 bits.
bool isFloat(ElementKind kind);

/// Whether the kind is i2, i4, i8 ... i64 or u2, u4, u8 ... u64; bool is not
/// an integer.
bool isInteger(ElementKind kind);

/// Whether the kind is signed: every float, and i2 ... i64.
bool isSigned(ElementKind kind);

/// The kind that the C++ type `T` of ElementKinds.def stores.
template <typename T> constexpr ElementKind kindOf() = delete;
#define GLOW_ELEMENT_KIND(enumerator, name, type, family, bits, onnx)          \
  template <> constexpr ElementKind kindOf<type>() {                           \
    return ElementKind::enumerator;                                            \
  }
#include "glow/Base/ElementKinds.def"

} // namespace glow

#endif // GLOW_BASE_ELEMENTKIND_H
