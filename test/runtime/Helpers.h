//===- Helpers.h - builders for tests ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TEST_RUNTIME_HELPERS_H
#define GLOW_TEST_RUNTIME_HELPERS_H

#include "glow/Values/Tensor.h"
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

/// A tensor of these elements, in one dimension if no shape is given.
template <typename T>
glow::Tensor tensorOf(const std::vector<T> &elements, glow::Ints shape) {
  glow::Tensor tensor =
      glow::Tensor::zeros({glow::kindOf<T>(), std::move(shape)}).take();
  std::copy(elements.begin(), elements.end(),
            tensor.template elements<T>().begin());
  return tensor;
}

template <typename T> glow::Tensor tensorOf(const std::vector<T> &elements) {
  return tensorOf(elements, {int64_t(elements.size())});
}

/// The elements of a tensor, for comparing.
template <typename T> std::vector<T> listOf(const glow::Tensor &tensor) {
  std::span<const T> elements = tensor.elements<T>();
  return {elements.begin(), elements.end()};
}

/// Every proper beginning of `bytes` must be refused by `parse`, and so must
/// nothing be read past its end: run this under the address sanitiser.
template <typename Parse>
size_t refusedBeginnings(const std::string &bytes, Parse parse) {
  size_t refused = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    std::vector<char> exact(bytes.begin(), bytes.begin() + ptrdiff_t(size));
    refused += !parse(std::string_view(exact.data(), size));
  }
  return refused;
}

/// Calls `parse` with every byte of `bytes` changed in turn: whatever it says,
/// it must come back.
template <typename Parse>
void survivesDamage(const std::string &bytes, Parse parse) {
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int change : {1, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = char(damaged[i] ^ change);
      (void)bool(parse(damaged));
    }
}

#endif // GLOW_TEST_RUNTIME_HELPERS_H
