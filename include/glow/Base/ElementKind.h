//===- ElementKind.h - what one element of a tensor is ----------*- C++ -*-===//
//
// The element kinds that may be stored at run time. A quantised tensor is
// stored as its integer kind; scale and offset are the compiler's business.
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

enum class ElementKind : uint8_t {
  F32,
  F16,
  BF16,
  F64,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  Bool, ///< one byte, 0 or 1
};

/// Every kind, in the order of the enumeration.
inline constexpr std::array allElementKinds = {
    ElementKind::F32, ElementKind::F16, ElementKind::BF16, ElementKind::F64,
    ElementKind::I8,  ElementKind::I16, ElementKind::I32,  ElementKind::I64,
    ElementKind::U8,  ElementKind::U16, ElementKind::U32,  ElementKind::U64,
    ElementKind::Bool};

/// The bytes one element takes: 1, 2, 4 or 8.
size_t byteSize(ElementKind kind);

/// "f32", "f16", "bf16", "f64", "i8" ... "u64", "bool".
std::string_view name(ElementKind kind);

/// The inverse of `name`; nothing for any other word.
std::optional<ElementKind> elementKindNamed(std::string_view name);

/// Whether the kind is one of f32, f16, bf16, f64.
bool isFloat(ElementKind kind);

/// Whether the kind is i8 ... i64 or u8 ... u64; bool is not an integer.
bool isInteger(ElementKind kind);

/// Whether the kind holds negative numbers: floats and i8 ... i64.
bool isSigned(ElementKind kind);

/// The kind that the C++ type `T` stores, for float, Half, BFloat16, double,
/// int8_t ... uint64_t and bool.
template <typename T> constexpr ElementKind kindOf() = delete;
template <> constexpr ElementKind kindOf<float>() { return ElementKind::F32; }
template <> constexpr ElementKind kindOf<Half>() { return ElementKind::F16; }
template <> constexpr ElementKind kindOf<BFloat16>() {
  return ElementKind::BF16;
}
template <> constexpr ElementKind kindOf<double>() { return ElementKind::F64; }
template <> constexpr ElementKind kindOf<int8_t>() { return ElementKind::I8; }
template <> constexpr ElementKind kindOf<int16_t>() { return ElementKind::I16; }
template <> constexpr ElementKind kindOf<int32_t>() { return ElementKind::I32; }
template <> constexpr ElementKind kindOf<int64_t>() { return ElementKind::I64; }
template <> constexpr ElementKind kindOf<uint8_t>() { return ElementKind::U8; }
template <> constexpr ElementKind kindOf<uint16_t>() {
  return ElementKind::U16;
}
template <> constexpr ElementKind kindOf<uint32_t>() {
  return ElementKind::U32;
}
template <> constexpr ElementKind kindOf<uint64_t>() {
  return ElementKind::U64;
}
template <> constexpr ElementKind kindOf<bool>() { return ElementKind::Bool; }

} // namespace glow

#endif // GLOW_BASE_ELEMENTKIND_H
