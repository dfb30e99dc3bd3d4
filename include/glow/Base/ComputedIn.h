//===- ComputedIn.h - computation kinds of element kinds --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Maps the name of an element kind to the kind that computes it. ClassGen,
// which decides for which kinds a node has loops, and the generator of the
// loops share this function.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_COMPUTEDIN_H
#define GLOW_BASE_COMPUTEDIN_H

#include <string_view>

namespace glow {

/// Kind in which elements of `kind` are computed: f64 and u64 in their own,
/// other floats in f32, other integers and bool in i64.
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
