//===- MoveTest.cpp - moving elements, against the interpreter ------------===//
// SPDX-License-Identifier: MIT

#include "LibraryHelpers.h"
#include "glow/Base/Functions.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace glow;

#define BY_SIZE(name)                                                          \
  LIBRARY_KERNEL(name##_1)                                                     \
  LIBRARY_KERNEL(name##_2) LIBRARY_KERNEL(name##_4) LIBRARY_KERNEL(name##_8)
BY_SIZE(transpose)
BY_SIZE(tile)
BY_SIZE(slice)
BY_SIZE(reshape)
BY_SIZE(concat)
BY_SIZE(split)
BY_SIZE(pad_edge)
BY_SIZE(pad_wrap)
BY_SIZE(pad_reflect)
LIBRARY_KERNEL(pad_f32)

namespace {

/// The step once for each size of an element, by `name`_1 to `name`_8.
#define COMPARE(name, step)                                                    \
  do {                                                                         \
    compare(LIBRARY(name##_1), #name, withKind(step, ElementKind::U8));        \
    compare(LIBRARY(name##_2), #name, withKind(step, ElementKind::I16));       \
    compare(LIBRARY(name##_4), #name, withKind(step, ElementKind::I32));       \
    compare(LIBRARY(name##_8), #name, withKind(step, ElementKind::I64));       \
  } while (false)

Step withKind(Step step, ElementKind kind) {
  for (TensorType &type : step.types)
    type.kind = kind;
  return step;
}
TensorType tensor(Ints shape) { return {ElementKind::I32, std::move(shape)}; }

const std::vector<Ints> shapes = {
    {5},        {3, 7},      {16, 32},     {37, 19},       {2, 33, 5},
    {3, 1, 18}, {40, 3, 17}, {2, 3, 4, 5}, {1, 20, 17, 4}, {3, 2, 18, 16},
    {20000},    {2, 17000}};

TEST(Moves, transpose) {
  for (const Ints &shape : shapes) {
    Ints permutation = expr::range(0, expr::size(shape));
    do {
      Step step = {{tensor(expr::pick(shape, permutation)), tensor(shape)},
                   {1, 1},
                   {permutation}};
      COMPARE(transpose, step);
    } while (std::next_permutation(permutation.begin(), permutation.end()));
  }
}

TEST(Moves, reshape) {
  for (const Ints &shape : shapes) {
    Ints flat = {expr::prod(shape)};
    Step step = {{tensor(flat), tensor(shape)}, {1, 1}, {flat}};
    COMPARE(reshape, step);
  }
}

TEST(Moves, tile) {
  for (const Ints &shape : shapes)
    for (int64_t axis = 0; axis < expr::size(shape); ++axis) {
      Ints repeats = expr::repeat(int64_t(1), expr::size(shape));
      repeats[size_t(axis)] = 3;
      repeats[0] += 1;
      Step step = {{tensor(expr::multiply(shape, repeats)), tensor(shape)},
                   {1, 1},
                   {repeats}};
      COMPARE(tile, step);
    }
}

TEST(Moves, slice) {
  struct {
    Ints from, starts, steps, sizes;
  } cases[] = {{{90}, {7}, {1}, {80}},
               {{90}, {89}, {-1}, {90}},
               {{40, 50}, {3, 4}, {2, 3}, {17, 15}},
               {{40, 50}, {39, 4}, {-2, 1}, {17, 46}},
               {{4, 3, 70}, {0, 1, 0}, {1, 1, 1}, {4, 1, 70}},
               {{4, 3, 5}, {1, 0, 2}, {1, 2, 1}, {0, 2, 3}}};
  for (const auto &[from, starts, steps, sizes] : cases) {
    Step step = {{tensor(sizes), tensor(from)}, {1, 1}, {starts, steps, sizes}};
    COMPARE(slice, step);
  }
}

TEST(Moves, parts) {
  for (const Ints &shape : shapes)
    for (int64_t axis = 0; axis < expr::size(shape); ++axis) {
      Ints sizes = {shape[size_t(axis)], 1, 0, 20}, whole = shape;
      whole[size_t(axis)] = expr::sum(sizes);
      std::vector<TensorType> parts;
      for (int64_t size : sizes) {
        parts.push_back(tensor(shape));
        parts.back().shape[size_t(axis)] = size;
      }
      Step concat = {{tensor(whole)}, {1, int32_t(parts.size())}, {axis}};
      concat.types.insert(concat.types.end(), parts.begin(), parts.end());
      COMPARE(concat, concat);
      Step split = {parts, {int32_t(parts.size()), 1}, {axis, sizes}};
      split.types.push_back(tensor(whole));
      split.results = int(parts.size());
      COMPARE(split, split);
    }
}

TEST(Moves, pads) {
  for (const Ints &shape : shapes)
    for (int64_t axis = 0; axis < expr::size(shape); ++axis) {
      Ints begins = expr::repeat(int64_t(2), expr::size(shape)), ends = begins;
      begins[size_t(axis)] = 0;
      ends[0] = 5;
      Step step = {
          {tensor(expr::add(expr::add(shape, begins), ends)), tensor(shape)},
          {1, 1},
          {begins, ends}};
      COMPARE(pad_edge, step);
      COMPARE(pad_wrap, step);
      COMPARE(pad_reflect, step);
      step.attributes.push_back(0.5);
      compare(LIBRARY(pad_f32), "pad", withKind(step, ElementKind::F32));
    }
}

} // namespace
