//===- Compare.h - is a result what it should be ----------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_COMPARE_H
#define GLOW_RUNTIME_COMPARE_H

#include "glow/Base/Status.h"
#include "glow/Program/Tensor.h"
#include <string>

namespace glow {

/// How far a result may be from what is expected. Integers and bools must be
/// equal; NaN must meet NaN, and an infinity itself.
struct Tolerance {
  enum Scale {
    LargestExpected, ///< |a-e| <= atol + rtol x largest finite |e| of all
    EachElement,     ///< |a-e| <= atol + rtol x |e|, as ONNX's own runner does
  };
  Scale scale = LargestExpected;
  double atol = 1e-6;
  double rtol = 1e-4;

  /// Used in place of `rtol` for f16 and bf16, if it is larger. Less than their
  /// epsilon is taken for that: neighbours are as far apart.
  double rtolOfHalves = 2e-2;

  /// What is asked of f32 where its products were made of halves.
  Tolerance forFastMath() const {
    Tolerance tolerance = *this;
    tolerance.rtol = rtolOfHalves;
    return tolerance;
  }

  /// rtol 1e-3, atol 1e-7, element by element, for every element kind. ONNX
  /// compares the bits of bf16 so, which allows some 16 units in the last
  /// place; we allow one.
  static Tolerance ofOnnx() { return {EachElement, 1e-7, 1e-3, 1e-3}; }
};

/// What a comparison found.
struct Difference {
  int64_t wrong = 0;    ///< elements beyond the tolerance
  int64_t elements = 0; ///< compared
  double largest = 0;   ///< the largest |a-e| of finite pairs
  std::string worst;    ///< the element furthest beyond it, both values and the
                        ///< allowed difference; "" when none is wrong
  bool ok() const { return wrong == 0; }
};

/// Compares `actual` with `expected`. Fails with Code::ShapeMismatch when their
/// types differ.
Result<Difference> compare(TensorView actual, TensorView expected,
                           const Tolerance &tolerance);

/// What `compare` found about an output, as one message that starts with
/// "output 'name'": Ok, Code::InvalidArgument for elements too far off, or
/// Code::ShapeMismatch for types.
Status verdict(const std::string &name, const Result<Difference> &found);

} // namespace glow

#endif // GLOW_RUNTIME_COMPARE_H
