//===- Compare.h - comparison of results ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_COMPARE_H
#define GLOW_RUNTIME_COMPARE_H

#include "glow/Base/Status.h"
#include "glow/Program/Tensor.h"
#include <string>

namespace glow {

/// Permitted distance between a result and the expected value. Integers and
/// bools must be equal; NaN matches only NaN, and an infinity only itself.
struct Tolerance {
  enum Scale {
    LargestExpected, ///< |a-e| <= atol + rtol x largest finite |e| of all
    EachElement,     ///< |a-e| <= atol + rtol x |e|, as in ONNX's own runner
  };
  Scale scale = LargestExpected;
  double atol = 1e-6;
  double rtol = 1e-4;

  /// Replaces `rtol` for f16 and bf16, if it is larger. The minimum is the
  /// epsilon of the kind, the distance between neighbouring numbers.
  double rtolOfHalves = 2e-2;

  /// The tolerance for f32 results from products of bf16 factors.
  Tolerance forFastMath() const {
    Tolerance tolerance = *this;
    tolerance.rtol = rtolOfHalves;
    return tolerance;
  }

  /// rtol 1e-3, atol 1e-7, element by element, for every element kind. ONNX
  /// applies this to the bits of bf16, which allows some 16 units in the last
  /// place; Glow allows one.
  static Tolerance ofOnnx() { return {EachElement, 1e-7, 1e-3, 1e-3}; }
};

/// The result of a comparison.
struct Difference {
  int64_t wrong = 0;    ///< elements beyond the tolerance
  int64_t elements = 0; ///< compared elements
  double largest = 0;   ///< the largest |a-e| of finite pairs
  std::string worst;    ///< the element furthest beyond it, both values and the
                        ///< allowed difference; "" when none is wrong
  bool ok() const { return wrong == 0; }
};

/// Compares `actual` with `expected`. Fails with Code::ShapeMismatch if their
/// types differ.
Result<Difference> compare(TensorView actual, TensorView expected,
                           const Tolerance &tolerance);

/// The status of a comparison of an output, as one message that starts with
/// "output 'name'": Ok, Code::InvalidArgument for elements beyond the
/// tolerance, or Code::ShapeMismatch for different types.
Status verdict(const std::string &name, const Result<Difference> &found);

} // namespace glow

#endif // GLOW_RUNTIME_COMPARE_H
