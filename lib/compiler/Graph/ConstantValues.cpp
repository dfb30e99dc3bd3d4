//===- ConstantValues.cpp - elements of constants, for conditions ---------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/VisitKind.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Storage.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace glow;

/// Calls `use` with each element of a constant tensor, in order; false where
/// the tensor is not constant.
static bool visitElements(Value tensor, llvm::function_ref<void(double)> use) {
  if (!tensor)
    return false;
  auto type = cast<RankedTensorType>(tensor.getType());
  if (double number = numberOf(tensor); number == number) {
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      use(number);
    return true;
  }
  ConstantOp constant = constantOf(tensor);
  auto kind = kindOf(type.getElementType());
  if (!constant || !kind || isSmall(*kind))
    return false;
  TensorBytes bytes = bytesOf(constant.getValue());
  visitKind(*kind, [&](auto identity) {
    using T = typename decltype(identity)::type;
    const T *data = reinterpret_cast<const T *>(bytes.bytes.data());
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      if constexpr (std::is_arithmetic_v<T>)
        use(double(data[i]));
      else
        use(double(float(data[i])));
  });
  return true;
}

Reals glow::realsOf(Value tensor) {
  Reals list;
  return visitElements(tensor, [&](double value) { list.push_back(value); })
             ? list
             : Reals();
}

Reals glow::largestAlong(Value tensor, const Ints &sizes, const Ints &axes) {
  int64_t length = expr::prod(expr::pick(sizes, axes));
  if (!tensor || expr::prod(sizes) != elementsOf(tensor) || length <= 0)
    return {};
  // The distance in the result between neighbours along each dimension.
  Ints steps(sizes.size(), 0);
  int64_t step = 1;
  for (int64_t axis : llvm::reverse(axes)) {
    if (axis < 0 || axis >= expr::size(sizes))
      return {};
    steps[size_t(axis)] = step;
    step *= sizes[size_t(axis)];
  }
  Reals largest(size_t(length), 0.0);
  Ints index(sizes.size(), 0);
  int64_t place = 0;
  bool isKnown = visitElements(tensor, [&](double value) {
    double size = std::isnan(value) ? std::numeric_limits<double>::infinity()
                                    : std::abs(value);
    largest[size_t(place)] = std::max(largest[size_t(place)], size);
    for (size_t axis = sizes.size(); axis-- > 0;) {
      place += steps[axis];
      if (++index[axis] < sizes[axis])
        break;
      place -= steps[axis] * sizes[axis];
      index[axis] = 0;
    }
  });
  return isKnown ? largest : Reals();
}
