//===- Ints.cpp - lists of numbers ----------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Ints.h"

using namespace glow;

std::optional<int64_t> glow::checkedProduct(std::span<const int64_t> sizes) {
  bool empty = false;
  for (int64_t size : sizes) {
    if (size < 0)
      return std::nullopt;
    empty |= size == 0;
  }
  // A size of 0 is found first: 2^40 x 2^40 x 0 is no overflow, in any order of
  // the sizes.
  if (empty)
    return 0;
  int64_t product = 1;
  for (int64_t size : sizes)
    if (__builtin_mul_overflow(product, size, &product))
      return std::nullopt;
  return product;
}

std::string glow::shapeText(std::span<const int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t size : shape) {
    if (!text.empty())
      text += 'x';
    text += size < 0 ? "?" : std::to_string(size);
  }
  return text;
}
