//===- VisitKind.h - from an element kind to a C++ type ---------*- C++ -*-===//

#ifndef GLOW_BASE_VISITKIND_H
#define GLOW_BASE_VISITKIND_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Half.h"
#include <type_traits>

namespace glow {

/// Calls `visit(std::type_identity<T>())` with the C++ type `T` that stores
/// `kind`, and returns what it returns; that must be one type for all kinds.
///
///   visitKind(kind, [&]<typename T>(std::type_identity<T>) { ... });
template <typename Visitor>
decltype(auto) visitKind(ElementKind kind, Visitor &&visit) {
  switch (kind) {
  case ElementKind::F32:
    return visit(std::type_identity<float>());
  case ElementKind::F16:
    return visit(std::type_identity<Half>());
  case ElementKind::BF16:
    return visit(std::type_identity<BFloat16>());
  case ElementKind::F64:
    return visit(std::type_identity<double>());
  case ElementKind::I8:
    return visit(std::type_identity<int8_t>());
  case ElementKind::I16:
    return visit(std::type_identity<int16_t>());
  case ElementKind::I32:
    return visit(std::type_identity<int32_t>());
  case ElementKind::I64:
    return visit(std::type_identity<int64_t>());
  case ElementKind::U8:
    return visit(std::type_identity<uint8_t>());
  case ElementKind::U16:
    return visit(std::type_identity<uint16_t>());
  case ElementKind::U32:
    return visit(std::type_identity<uint32_t>());
  case ElementKind::U64:
    return visit(std::type_identity<uint64_t>());
  case ElementKind::Bool:
    break;
  }
  return visit(std::type_identity<bool>());
}

} // namespace glow

#endif // GLOW_BASE_VISITKIND_H
