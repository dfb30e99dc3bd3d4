//===- NonFinite.cpp - the first number that is not finite ----------------===//
// SPDX-License-Identifier: MIT

#include "NonFinite.h"
#include "glow/Base/VisitKind.h"
#include <cmath>

using namespace glow;

NonFinite NonFinite::in(TensorView tensor) {
  NonFinite found;
  visitKind(tensor.type->kind, [&]<typename T>(std::type_identity<T>) {
    if constexpr (!std::is_integral_v<T>) {
      const auto *elements = static_cast<const T *>(tensor.data);
      for (int64_t i = 0; i < tensor.type->elements(); ++i) {
        const auto value = static_cast<double>(elements[i]);
        found.hasNan |= std::isnan(value);
        found.hasInfinite |= std::isinf(value);
      }
    }
  });
  return found;
}

void FirstNonFinite::stepDone(const StepEvent &event) {
  if (!nan.empty())
    return;
  for (const TensorView &result : event.results) {
    const NonFinite found = NonFinite::in(result);
    if (found.hasInfinite && infinite.empty())
      infinite = event.node;
    if (found.hasNan && nan.empty())
      nan = event.node;
  }
}

std::string FirstNonFinite::text() const {
  if (nan.empty() && infinite.empty())
    return "";
  if (nan.empty() || infinite.empty())
    return "node '" + nan + infinite + "' makes the first " +
           (nan.empty() ? "infinite number" : "NaN");
  return "node '" + infinite + "' makes the first infinite number, node '" +
         nan + "' the first NaN";
}
