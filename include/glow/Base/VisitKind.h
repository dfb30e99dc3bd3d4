//===- VisitKind.h - from an element kind to a C++ type ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_VISITKIND_H
#define GLOW_BASE_VISITKIND_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Small.h"
#include <type_traits>

namespace glow {

/// Calls `visit(std::type_identity<T>())` with the C++ type `T` that stores
/// `kind`, and returns its result. The result type must be the same for all
/// kinds.
///
///   visitKind(kind, [&]<typename T>(std::type_identity<T>) { ... });
template <typename Visitor>
decltype(auto) visitKind(ElementKind kind, Visitor &&visit) {
  switch (kind) {
#define GLOW_ELEMENT_KIND(enumerator, name, type, family, bits, onnx)          \
  case ElementKind::enumerator:                                                \
    return visit(std::type_identity<type>());
#include "glow/Base/ElementKinds.def"
  }
  return visit(std::type_identity<float>()); // the enumeration has no other
                                             // value
}

} // namespace glow

#endif // GLOW_BASE_VISITKIND_H
