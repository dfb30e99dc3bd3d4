//===- ComputedIn.h - kinds that elements are computed in -------*- C++ -*-===//
//
// By names, as ClassGen has them, which says for which kinds there is code of
// loops, and what makes that code.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_COMPUTEDIN_H
#define GLOW_BASE_COMPUTEDIN_H

#include <string_view>

namespace glow {

/// The kind that elements of a kind are computed in: f64 and u64 in their own,
/// other floats in f32, and other integers, and bool, in i64.
constexpr std::string_view computedIn(std::string_view kind) {
  if (kind == "f64" || kind == "u64")
    return kind;
#define GLOW_ELEMENT_KIND(enumerator, name, type, family, bits, onnx)          \
  if (kind == name && std::string_view(#family) == "Float")                    \
    return "f32";
#include "glow/Base/ElementKinds.def"
  return "i64";
}

} // namespace glow

#endif // GLOW_BASE_COMPUTEDIN_H
