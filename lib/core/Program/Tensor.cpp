//===- Tensor.cpp - the type of a tensor ----------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/Tensor.h"
#include <algorithm>

using namespace glow;

/// Whether loops over a tensor without elements end soon. Loops over the sizes
/// outside of a size of 0 run all the same.
static bool fewPlaces(const Ints &shape) {
  constexpr int64_t most = int64_t(1) << 28;
  int64_t places = 1;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(places, std::max<int64_t>(size, 1), &places))
      return false;
  return places <= most;
}

/// The bytes of a dense tensor, when the size is known and fits.
static std::optional<int64_t> denseBytes(const TensorType &type) {
  std::optional<int64_t> count = checkedProduct(type.shape);
  int64_t bytes;
  if (!count ||
      __builtin_mul_overflow(*count, int64_t(byteSize(type.kind)), &bytes))
    return std::nullopt;
  if (bytes == 0 && !fewPlaces(type.shape))
    return std::nullopt;
  return bytes;
}

bool TensorType::isStatic() const { return denseBytes(*this).has_value(); }

int64_t TensorType::elements() const {
  return checkedProduct(shape).value_or(0);
}

uint64_t TensorType::bytes() const {
  return uint64_t(denseBytes(*this).value_or(0));
}

std::string TensorType::text() const {
  std::string sizes;
  for (int64_t size : shape) {
    if (!sizes.empty())
      sizes += ',';
    sizes += size < 0 ? "?" : std::to_string(size);
  }
  return std::string(name(kind)) + '[' + sizes + ']';
}
