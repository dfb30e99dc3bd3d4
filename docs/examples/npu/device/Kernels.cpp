//===- Kernels.cpp - instructions of the chip -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Only the results: Simulator.cpp has the timing.
//
//===----------------------------------------------------------------------===//

#include "glow/Generated/NpuCalls.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace glow;

/// Calls `visit` with the element at which each row of a box begins in a tensor
/// of these sizes, and with its number in the box.
template <typename Visit>
static void forEachRow(const Ints &shape, const Ints &starts, const Ints &sizes,
                       Visit visit) {
  size_t rank = shape.size();
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < rank; ++i)
    rows *= sizes[i];
  for (int64_t row = 0; row < rows; ++row) {
    int64_t rest = row, element = rank ? starts[rank - 1] : 0,
            step = rank ? shape[rank - 1] : 1;
    for (size_t i = rank; i-- > 1;) {
      element += (starts[i - 1] + rest % sizes[i - 1]) * step;
      rest /= sizes[i - 1];
      step *= shape[i - 1];
    }
    visit(element, row);
  }
}

static int64_t rowLength(const Ints &sizes) {
  return sizes.empty() ? 1 : sizes.back();
}

/// The elements at which the rows of a box begin.
static std::vector<int64_t> rowsOf(const Ints &shape, const Ints &starts,
                                   const Ints &sizes) {
  std::vector<int64_t> rows;
  forEachRow(shape, starts, sizes,
             [&](int64_t element, int64_t) { rows.push_back(element); });
  return rows;
}

Status kernels::npuLoad(const NpuLoadCall &call) {
  size_t element = call.dest.type->bytes() / size_t(call.dest.type->elements());
  size_t row = size_t(rowLength(call.sizes)) * element;
  auto *dest = call.dest.as<char>();
  auto *src = call.src.as<const char>();
  std::vector<int64_t> to =
      rowsOf(call.dest.type->shape, call.places, call.sizes);
  forEachRow(call.src.type->shape, call.starts, call.sizes,
             [&](int64_t from, int64_t number) {
               std::memcpy(dest + size_t(to[size_t(number)]) * element,
                           src + size_t(from) * element, row);
             });
  return Status();
}

Status kernels::npuWait(const NpuWaitCall &) { return Status(); }

/// The nearest byte, of two the even one.
template <typename Byte> static Byte byteOf(float steps, int64_t zero) {
  float sum = std::nearbyint(steps) + float(zero);
  return Byte(std::clamp(sum, float(std::numeric_limits<Byte>::min()),
                         float(std::numeric_limits<Byte>::max())));
}

template <typename Byte> static void store(const kernels::NpuStoreCall &call) {
#pragma STDC FP_CONTRACT OFF
  auto *sums = call.sums.as<const int32_t>();
  auto *scales = call.scales.as<const float>();
  int64_t channels = call.scales.type->shape[1];
  int64_t length = rowLength(call.sizes), inner = 1;
  for (size_t i = size_t(call.axis) + 1; i < call.sizes.size(); ++i)
    inner *= call.sizes[i];
  forEachRow(call.dest.type->shape, call.starts, call.sizes,
             [&](int64_t to, int64_t number) {
               for (int64_t i = 0; i < length; ++i) {
                 int64_t at = number * length + i;
                 int64_t channel = at / inner % channels;
                 float scaled = float(sums[at]) * scales[channel];
                 call.dest.as<Byte>()[to + i] = byteOf<Byte>(
                     scaled + scales[channels + channel], call.zero);
               }
             });
}

Status kernels::npuStore(const NpuStoreCall &call) {
  if (call.dest.type->kind == ElementKind::U8)
    store<uint8_t>(call);
  else
    store<int8_t>(call);
  return Status();
}

static float valueOf(const TensorView &bytes, int64_t at) {
  return bytes.type->kind == ElementKind::U8
             ? float(static_cast<const uint8_t *>(bytes.data)[at])
             : float(static_cast<const int8_t *>(bytes.data)[at]);
}

template <typename Byte>
static void storeSum(const kernels::NpuStoreSumCall &call) {
#pragma STDC FP_CONTRACT OFF
  int64_t length = rowLength(call.sizes);
  forEachRow(call.dest.type->shape, call.starts, call.sizes,
             [&](int64_t to, int64_t number) {
               for (int64_t i = 0; i < length; ++i) {
                 int64_t at = number * length + i;
                 float left = (valueOf(call.lhs, at) - float(call.zeros[0])) *
                              float(call.scales[0]);
                 float right = (valueOf(call.rhs, at) - float(call.zeros[1])) *
                               float(call.scales[1]);
                 call.dest.as<Byte>()[to + i] =
                     call.early
                         ? byteOf<Byte>(left + (right + float(call.zeros[2])),
                                        0)
                         : byteOf<Byte>((left + right) / float(call.scales[2]),
                                        call.zeros[2]);
               }
             });
}

Status kernels::npuStoreSum(const NpuStoreSumCall &call) {
  if (call.dest.type->kind == ElementKind::U8)
    storeSum<uint8_t>(call);
  else
    storeSum<int8_t>(call);
  return Status();
}

template <typename Byte>
static void storeMax(const kernels::NpuStoreMaxCall &call) {
  const Ints &image = call.image.type->shape;
  auto *pixels = call.image.as<const Byte>();
  // A row of the box is a row of one channel.
  forEachRow(call.dest.type->shape, call.starts, call.sizes,
             [&](int64_t to, int64_t number) {
               int64_t top =
                   number % call.sizes[2] * call.strides[0] - call.before[0];
               const Byte *plane =
                   pixels + number / call.sizes[2] * image[2] * image[3];
               for (int64_t i = 0; i < rowLength(call.sizes); ++i) {
                 int64_t left = i * call.strides[1] - call.before[1];
                 Byte largest = std::numeric_limits<Byte>::min();
                 for (int64_t y = std::max<int64_t>(top, 0);
                      y < std::min(top + call.window[0], image[2]); ++y)
                   for (int64_t x = std::max<int64_t>(left, 0);
                        x < std::min(left + call.window[1], image[3]); ++x)
                     largest = std::max(largest, plane[y * image[3] + x]);
                 call.dest.as<Byte>()[to + i] = largest;
               }
             });
}

Status kernels::npuStoreMax(const NpuStoreMaxCall &call) {
  if (call.dest.type->kind == ElementKind::U8)
    storeMax<uint8_t>(call);
  else
    storeMax<int8_t>(call);
  return Status();
}

Status kernels::npuBegin(const NpuBeginCall &call) {
  int64_t channels = call.bias.type->shape[0];
  int64_t all = call.sums.type->elements();
  int64_t inner = all / (call.sums.type->shape[0] * channels);
  for (int64_t i = 0; i < all; ++i)
    call.sums.as<int32_t>()[i] =
        call.bias.as<const int32_t>()[i / inner % channels];
  return Status();
}

/// Sums wrap around, as those of the chip.
static void addTo(int32_t &sum, int32_t product) {
  sum = int32_t(uint32_t(sum) + uint32_t(product));
}

/// Calls `visit` with zeros of the two kinds.
template <typename Visit>
static void withBytes(const TensorView &one, const TensorView &other,
                      Visit visit) {
  auto second = [&](auto first) {
    if (other.type->kind == ElementKind::U8)
      visit(first, uint8_t());
    else
      visit(first, int8_t());
  };
  if (one.type->kind == ElementKind::U8)
    second(uint8_t());
  else
    second(int8_t());
}

/// Adds the products of one weight with the pixels that it meets.
template <typename Byte>
static void addPlane(const kernels::NpuWindowsCall &call, const Byte *plane,
                     int32_t weight, int64_t ky, int64_t kx, int32_t *sums) {
  const Ints &image = call.image.type->shape, &out = call.sums.type->shape;
  for (int64_t y = 0; y < out[2]; ++y) {
    int64_t row = y * call.strides[0] + ky - call.before[0];
    if (row < 0 || row >= image[2])
      continue;
    const Byte *pixels = plane + row * image[3];
    for (int64_t x = 0; x < out[3]; ++x) {
      int64_t column = x * call.strides[1] + kx - call.before[1];
      if (column >= 0 && column < image[3])
        addTo(sums[y * out[3] + x],
              weight * (int32_t(pixels[column]) - int32_t(call.zeros[0])));
    }
  }
}

template <typename Byte, typename Weight>
static void windows(const kernels::NpuWindowsCall &call) {
  const Ints &filter = call.filter.type->shape;
  int64_t pixels = call.image.type->shape[2] * call.image.type->shape[3];
  int64_t results = call.sums.type->shape[2] * call.sums.type->shape[3];
  auto *weight = call.filter.as<const Weight>();
  auto *image = call.image.as<const Byte>();
  auto *sums = call.sums.as<int32_t>();
  for (int64_t m = 0; m < filter[0]; ++m)
    for (int64_t k = 0; k < filter[1]; ++k)
      for (int64_t ky = 0; ky < filter[2]; ++ky)
        for (int64_t kx = 0; kx < filter[3]; ++kx)
          addPlane(call,
                   image + (call.starts[1] + (call.apart ? m : k)) * pixels,
                   int32_t(*weight++) - int32_t(call.zeros[1]), ky, kx,
                   sums + m * results);
}

Status kernels::npuWindows(const NpuWindowsCall &call) {
  withBytes(call.image, call.filter, [&](auto pixel, auto weight) {
    windows<decltype(pixel), decltype(weight)>(call);
  });
  return Status();
}

template <typename Byte, typename Weight>
static void product(const kernels::NpuProductCall &call) {
  int64_t n = call.sums.type->shape[0], m = call.sums.type->shape[1];
  int64_t columns = call.lhs.type->shape[1], inner = call.rhs.type->shape[0];
  auto *sums = call.sums.as<int32_t>();
  auto *lhs = call.lhs.as<const Byte>();
  auto *rhs = call.rhs.as<const Weight>();
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = 0; k < inner; ++k)
      for (int64_t j = 0; j < m; ++j)
        addTo(sums[i * m + j],
              (int32_t(lhs[i * columns + call.starts[1] + k]) -
               int32_t(call.zeros[0])) *
                  (int32_t(rhs[k * m + j]) - int32_t(call.zeros[1])));
}

Status kernels::npuProduct(const NpuProductCall &call) {
  withBytes(call.lhs, call.rhs, [&](auto left, auto right) {
    product<decltype(left), decltype(right)>(call);
  });
  return Status();
}
