//===- LibraryTest.cpp - the library's kernels against the interpreter's --===//
// SPDX-License-Identifier: MIT

#include "LibraryHelpers.h"
#include "glow/Base/Functions.h"
#include "glow/Generated/GlowChoices.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace glow;

LIBRARY_KERNEL(softmax_f32)
LIBRARY_KERNEL(log_softmax_f32)
LIBRARY_KERNEL(layer_norm_f32)
LIBRARY_KERNEL(rms_norm_f32)
LIBRARY_KERNEL(reduce_sum_f32)
LIBRARY_KERNEL(reduce_mean_f32)
LIBRARY_KERNEL(reduce_max_f32)
LIBRARY_KERNEL(reduce_min_f32)
LIBRARY_KERNEL(conv_f32)
LIBRARY_KERNEL(conv_i32)
LIBRARY_KERNEL(matmul_i32)
LIBRARY_KERNEL(max_pool_f32)
LIBRARY_KERNEL(avg_pool_f32)
LIBRARY_KERNEL(arg_max_f32)
LIBRARY_KERNEL(arg_max_i32)
LIBRARY_KERNEL(arg_max_i64)
LIBRARY_KERNEL(arg_min_f32)
LIBRARY_KERNEL(arg_min_i32)
LIBRARY_KERNEL(arg_min_i64)
LIBRARY_KERNEL(resize_f32)
LIBRARY_KERNEL(cpu_pack_f32)
LIBRARY_KERNEL(cpu_unpack_f32)

namespace {

TensorType f32(Ints shape) { return {ElementKind::F32, std::move(shape)}; }

const std::vector<Ints> shapes = {
    {1},        {16},         {3, 5},        {4, 16},    {7, 33},
    {2, 3, 4},  {5, 1, 17},   {2, 64, 9},    {3, 70, 2}, {2, 3, 5, 7},
    {300, 100}, {2, 129, 67}, {1, 40, 6, 16}};

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

/// Softmax as its definition has it, in double.
template <bool logarithm> Status softmax(const KernelCall &call) {
  const Ints &shape = call.buffers[1].type->shape;
  int64_t axis = std::get<int64_t>(call.attributes[0]), inner = 1;
  for (size_t i = size_t(axis) + 1; i < shape.size(); ++i)
    inner *= shape[i];
  int64_t count = shape[size_t(axis)];
  auto *in = static_cast<const float *>(call.buffers[1].data);
  auto *out = static_cast<float *>(call.buffers[0].data);
  for (int64_t i = 0; i < call.buffers[0].type->elements(); ++i) {
    int64_t first = i / (inner * count) * (inner * count) + i % inner;
    double sum = 0;
    for (int64_t k = 0; k < count; ++k)
      sum += std::exp(double(in[first + k * inner]));
    out[i] = float(logarithm ? in[i] - std::log(sum) : std::exp(in[i]) / sum);
  }
  return Status();
}

TEST(Library, softmax) {
  for (const Ints &shape : shapes)
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      Step step = {{f32(shape), f32(shape)}, {1, 1}, {int64_t(axis)}};
      compare(LIBRARY(softmax_f32), softmax<false>, step);
      compare(LIBRARY(log_softmax_f32), softmax<true>, step);
    }
}

/// Layer or root mean square normalisation as defined, in double.
template <bool centred> Status normalize(const KernelCall &call) {
  const Ints &shape = call.buffers[1].type->shape;
  int64_t axis = std::get<int64_t>(call.attributes[0]), count = 1;
  for (size_t i = size_t(axis); i < shape.size(); ++i)
    count *= shape[i];
  auto *in = static_cast<const float *>(call.buffers[1].data);
  auto *out = static_cast<float *>(call.buffers[0].data);
  auto *next = call.buffers.data() + 2;
  auto *scale =
      static_cast<const float *>(call.segments[2] ? (next++)->data : nullptr);
  auto *bias = static_cast<const float *>(
      centred && call.segments[3] ? next->data : nullptr);
  double epsilon = std::get<double>(call.attributes[1]), mean = 0, factor = 0;
  for (int64_t i = 0; i < call.buffers[0].type->elements(); ++i) {
    if (i % count == 0) {
      double square = 0;
      mean = 0;
      for (int64_t k = 0; centred && k < count; ++k)
        mean += in[i + k] / double(count);
      for (int64_t k = 0; k < count; ++k)
        square += (in[i + k] - mean) * (in[i + k] - mean) / double(count);
      factor = 1 / std::sqrt(square + epsilon);
    }
    double y = (in[i] - mean) * factor;
    out[i] = float((scale ? y * scale[i % count] : y) +
                   (bias ? bias[i % count] : 0));
  }
  return Status();
}

TEST(Library, normalization) {
  for (const Ints &shape : shapes)
    for (size_t axis = 0; axis < shape.size(); ++axis)
      for (int operands = 0; operands < 4; ++operands) {
        TensorType rest = f32(expr::drop(shape, int64_t(axis)));
        bool scale = operands & 1, bias = operands & 2;
        Step step = {{f32(shape), f32(shape)},
                     {1, 1, scale, bias},
                     {int64_t(axis), 1e-5}};
        step.types.insert(step.types.end(), size_t(scale + bias), rest);
        compare(LIBRARY(layer_norm_f32), normalize<true>, step);
        if (bias)
          continue;
        step.segments.pop_back();
        compare(LIBRARY(rms_norm_f32), normalize<false>, step);
      }
}

/// The sizes that are not those of axes.
Ints without(const Ints &shape, const Ints &axes) {
  return expr::pick(shape,
                    expr::excluding(expr::range(0, expr::size(shape)), axes));
}

/// Shapes whose last axis has one to many vectors, and a part of one.
const std::vector<Ints> columns = {
    {9, 70, 16}, {2, 35, 20}, {3, 130, 35}, {2, 66, 49}, {9, 7, 1100}};

TEST(Library, reductions) {
  std::vector<Ints> all = shapes;
  all.insert(all.end(), columns.begin(), columns.end());
  for (const Ints &shape : all)
    for (int64_t set = 1; set < 1 << shape.size(); ++set) {
      Ints axes;
      for (int64_t i = 0; i < expr::size(shape); ++i)
        if (set >> i & 1)
          axes.push_back(i);
      Step step = {
          {f32(without(shape, axes)), f32(shape)}, {1, 1}, {axes, false}};
      step.tolerance = 1e-5;
      compare(LIBRARY(reduce_sum_f32), "reduce_sum", step);
      compare(LIBRARY(reduce_mean_f32), "reduce_mean", step);
      for (bool odd : {false, true}) {
        step.odd = odd;
        compare(LIBRARY(reduce_max_f32), "reduce_max", step);
        compare(LIBRARY(reduce_min_f32), "reduce_min", step);
      }
    }
}

/// Whether `a` counts more than `b`, of which NaN is the most.
template <bool largest, typename T> bool isBetter(T a, T b) {
  return a != a ? b == b : largest ? a > b : a < b;
}

/// The place of the largest or smallest element as its definition has it.
template <bool largest, typename T> Status place(const KernelCall &call) {
  const Ints &shape = call.buffers[1].type->shape;
  int64_t axis = std::get<int64_t>(call.attributes[0]), inner = 1;
  bool last = std::get<bool>(call.attributes[2]);
  for (size_t i = size_t(axis) + 1; i < shape.size(); ++i)
    inner *= shape[i];
  int64_t count = shape[size_t(axis)];
  auto *in = static_cast<const T *>(call.buffers[1].data);
  auto *out = static_cast<int64_t *>(call.buffers[0].data);
  for (int64_t i = 0; i < call.buffers[0].type->elements(); ++i) {
    const T *row = in + i / inner * (inner * count) + i % inner;
    out[i] = 0;
    for (int64_t k = 1; k < count; ++k) {
      T next = row[k * inner], best = row[out[i] * inner];
      if (isBetter<largest>(next, best) || (last && next == best))
        out[i] = k;
    }
  }
  return Status();
}

TEST(Library, places) {
  for (const Ints &shape : shapes)
    for (int64_t axis = 0; axis < expr::size(shape); ++axis)
      for (bool last : {false, true}) {
        TensorType out = {ElementKind::I64, without(shape, {axis})};
        Step step = {{out, f32(shape)}, {1, 1}, {axis, false, last}};
        for (bool odd : {false, true}) {
          step.odd = odd;
          compare(LIBRARY(arg_max_f32), place<true, float>, step);
          compare(LIBRARY(arg_min_f32), place<false, float>, step);
        }
        step.types[1] = {ElementKind::I32, shape};
        compare(LIBRARY(arg_max_i32), place<true, int32_t>, step);
        compare(LIBRARY(arg_min_i32), place<false, int32_t>, step);
        step.types[1] = {ElementKind::I64, shape};
        compare(LIBRARY(arg_max_i64), place<true, int64_t>, step);
        compare(LIBRARY(arg_min_i64), place<false, int64_t>, step);
      }
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

struct Pooling {
  Ints image, window, strides, pads, dilations;
};
const std::vector<Pooling> poolings = {
    {{9}, {3}, {1}, {1, 1}, {1}},
    {{70}, {2}, {2}, {0, 0}, {1}},
    {{65}, {3}, {2}, {1, 1}, {1}},
    {{40}, {3}, {3}, {2, 0}, {2}},
    {{5, 6}, {3, 3}, {2, 2}, {1, 1, 1, 1}, {1, 1}},
    {{20, 50}, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}},
    {{13, 71}, {3, 2}, {2, 2}, {1, 0, 1, 0}, {1, 1}},
    {{7, 7}, {7, 7}, {1, 1}, {0, 0, 0, 0}, {1, 1}},
    {{4, 4}, {2, 3}, {1, 2}, {3, 3, 3, 3}, {2, 1}},
    {{3, 4, 5}, {2, 2, 2}, {1, 2, 1}, {0, 1, 1, 1, 0, 1}, {1, 1, 2}},
    // Blocked images, and some whose last dimension only looks like that.
    {{9, 16}, {3, 1}, {2, 1}, {1, 0, 1, 0}, {1, 1}},
    {{9, 8, 16}, {3, 3, 1}, {2, 1, 1}, {1, 1, 0, 1, 1, 0}, {1, 1, 1}},
    {{8, 9, 16}, {2, 2, 1}, {2, 2, 1}, {0, 0, 0, 0, 0, 0}, {1, 1, 1}},
    {{7, 9, 32}, {1, 1, 1}, {2, 2, 1}, {0, 0, 0, 0, 0, 0}, {1, 1, 1}},
    {{5, 6, 3}, {3, 2, 1}, {1, 2, 1}, {1, 0, 0, 1, 0, 0}, {1, 1, 1}},
    {{5, 6, 35}, {2, 2, 1}, {2, 2, 1}, {0, 0, 0, 0, 0, 0}, {1, 1, 1}},
    {{6, 5, 17}, {2, 2, 1}, {1, 1, 2}, {0, 0, 0, 0, 0, 0}, {1, 1, 1}}};

TEST(Library, pooling) {
  for (const Pooling &pool : poolings) {
    int64_t rank = expr::size(pool.image);
    Ints in = {2, 3}, out = {2, 3};
    for (int64_t i = 0; i < rank; ++i) {
      size_t n = size_t(i);
      int64_t reach = pool.dilations[n] * (pool.window[n] - 1) + 1;
      in.push_back(pool.image[n]);
      out.push_back(
          (pool.image[n] + pool.pads[n] + pool.pads[size_t(rank + i)] - reach) /
              pool.strides[n] +
          1);
    }
    Step step = {{f32(out), f32(in)},
                 {1, 1},
                 {pool.window, pool.strides, pool.pads, pool.dilations}};
    for (bool odd : {false, true}) {
      step.odd = odd;
      compare(LIBRARY(max_pool_f32), "max_pool", step);
      compare(LIBRARY(avg_pool_f32), "avg_pool", step);
    }
  }
}

/// Channels of a group in and out, and groups.
struct Groups {
  int64_t in, out, count;
};

TEST(Library, convolution) {
  for (const Pooling &pool : poolings)
    for (Groups groups : {Groups{3, 5, 1}, {4, 4, 2}, {1, 2, 3}})
      for (bool bias : {false, true}) {
        int64_t rank = expr::size(pool.image);
        Ints in = {2, groups.in * groups.count},
             out = {2, groups.out * groups.count},
             filter = {groups.out * groups.count, groups.in};
        for (int64_t i = 0; i < rank; ++i) {
          size_t n = size_t(i);
          int64_t reach = pool.dilations[n] * (pool.window[n] - 1) + 1;
          in.push_back(pool.image[n]);
          filter.push_back(pool.window[n]);
          out.push_back((pool.image[n] + pool.pads[n] +
                         pool.pads[size_t(rank + i)] - reach) /
                            pool.strides[n] +
                        1);
        }
        Step step = {{f32(out), f32(in), f32(filter)},
                     {1, 1, 1, bias},
                     {pool.strides, pool.pads, pool.dilations, groups.count}};
        if (bias)
          step.types.push_back(f32({filter[0]}));
        compare(LIBRARY(conv_f32), "conv", step);
        for (TensorType &type : step.types)
          type.kind = ElementKind::I32;
        compare(LIBRARY(conv_i32), "conv", step);
      }
}

TEST(Library, products) {
  for (Ints sizes :
       std::vector<Ints>{{1, 1, 1}, {3, 5, 16}, {7, 40, 70}, {2, 9, 131}})
    for (const Ints &batch : std::vector<Ints>{{}, {3}, {2, 2}}) {
      auto matrix = [&](int64_t rows, int64_t columns) -> TensorType {
        Ints shape = batch;
        shape.insert(shape.end(), {rows, columns});
        return {ElementKind::I32, shape};
      };
      Step step = {{matrix(sizes[0], sizes[2]), matrix(sizes[0], sizes[1]),
                    matrix(sizes[1], sizes[2])},
                   {1, 1, 1},
                   {}};
      compare(LIBRARY(matmul_i32), "matmul", step);
    }
}

//===----------------------------------------------------------------------===//
// Blocked images
//===----------------------------------------------------------------------===//

TEST(Library, blocks) {
  for (const Ints &plain : std::vector<Ints>{
           {1, 16, 16}, {2, 3, 5, 7}, {1, 35, 6, 6}, {3, 48, 33}}) {
    Ints blocked = plain;
    blocked[0] = (plain[1] + 15) / 16, blocked[1] = plain[0];
    blocked.push_back(16);
    Step pack = {{f32(blocked), f32(plain)}, {1, 1}, {}};
    compare(LIBRARY(cpu_pack_f32), "cpu_pack", pack);
    Step unpack = {{f32(plain), f32(blocked)}, {1, 1}, {plain[1]}};
    compare(LIBRARY(cpu_unpack_f32), "cpu_unpack", unpack);
  }
}

} // namespace
