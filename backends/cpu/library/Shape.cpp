//===- Shape.cpp - the same elements at other indices ---------------------===//
// SPDX-License-Identifier: MIT
//
// Kernels by the size of an element in bytes: the meaning of its bits does not
// matter.
//
//===----------------------------------------------------------------------===//

#include "support/Calls.h"
#include "support/Walk.h"

using namespace glow::cpu;
using namespace glow::cpu::library;

namespace {

/// A walk, with its first offset in the source.
struct Course {
  Walk walk;
  int64_t start = 0;
};

Course courseOf(const TransposeCall &call) {
  const Shape &out = call.out.shape;
  Strides from(call.in.shape), to(out);
  Course course;
  for (int64_t i = 0; i < out.rank; ++i)
    course.walk.add(out.sizes[i], from[call.permutation[i]], to[i]);
  course.walk.finish();
  return course;
}

Course courseOf(const SliceCall &call) {
  const Shape &out = call.out.shape;
  Strides from(call.in.shape), to(out);
  Course course;
  for (int64_t i = 0; i < out.rank; ++i) {
    course.walk.add(out.sizes[i], from[i] * call.steps[i], to[i]);
    course.start += from[i] * call.starts[i];
  }
  course.walk.finish();
  return course;
}

Course straightCourse(const Buffer &out) {
  Course course;
  course.walk.add(elements(out.shape), 1, 1);
  course.walk.finish();
  return course;
}
Course courseOf(const ReshapeCall &call) { return straightCourse(call.out); }
Course courseOf(const BitCastCall &call) { return straightCourse(call.out); }

template <typename T, typename Call>
GLOW_INLINE void runCourse(const Call &call, int64_t begin, int64_t end) {
  Course course = courseOf(call);
  T *out = call.out.template as<T>();
  auto *in = call.in.template as<const T>();
  if (out == in) // a reshape in place
    return;
  Rows rows = course.walk.rows();
  course.walk.run(out, in + course.start, rows.first(begin), rows.last(end));
}

/// Part `index` of a whole, which has `part.sizes[axis]` of its axis: rows of
/// neighbours, `distance` apart in the whole.
Walk partWalk(const Shape &part, int64_t axis, int64_t distance, bool split) {
  Around around(part, axis);
  int64_t run = around.count * around.inner;
  Walk walk;
  walk.add(around.outer, split ? distance : run, split ? run : distance);
  walk.add(run, 1, 1);
  walk.finish();
  return walk;
}

/// A whole tensor and its parts: the result and operands of a concatenation, or
/// the operand and results of a split.
struct Parts {
  Buffer whole;
  Buffers parts;
  int64_t axis;
  bool isSplit;
};
Parts partsOf(const ConcatCall &call) {
  return {call.out, call.ins, call.axis, false};
}
Parts partsOf(const SplitCall &call) {
  return {call.in, call.outs, call.axis, true};
}

/// Calls `visit` for each part. The chunks of all parts are numbered
/// consecutively.
template <typename Visit>
GLOW_INLINE void forParts(const Parts &all, Visit visit) {
  Around around(all.whole.shape, all.axis);
  int64_t distance = around.count * around.inner, start = 0;
  for (int64_t i = 0; i < all.parts.count; ++i) {
    Buffer part = all.parts[i];
    Walk walk = partWalk(part.shape, all.axis, distance, all.isSplit);
    visit(part, walk, start);
    start += part.shape.sizes[all.axis] * around.inner;
  }
}

void cutParts(const Parts &all, StepWork *work) {
  int64_t chunks = 0;
  forParts(all, [&](const Buffer &, const Walk &walk, int64_t) {
    StepWork part;
    walk.rows().cut(&part);
    chunks += part.chunks;
  });
  *work = {larger(1, chunks), 0};
}

template <typename T>
GLOW_INLINE void runParts(const Parts &all, int64_t begin, int64_t end) {
  forParts(all, [&](const Buffer &buffer, const Walk &walk, int64_t start) {
    StepWork part;
    Rows rows = walk.rows();
    rows.cut(&part);
    auto *own = buffer.as<T>(), *place = all.whole.as<T>() + start;
    int64_t from = larger(0, begin), to = smaller(end, part.chunks);
    // A part that lies in the whole needs no copy.
    if (from < to && own != place)
      walk.run(all.isSplit ? own : place, all.isSplit ? place : own,
               rows.first(from), rows.last(to));
    begin -= part.chunks;
    end -= part.chunks;
  });
}

} // namespace

#define GLOW_COPY(node, bytes, T)                                              \
  GLOW_WORK(node##_##bytes) { courseOf(call).walk.rows().cut(work); }          \
  GLOW_KERNEL(node##_##bytes) { runCourse<T>(call, begin, end); }
#define GLOW_PARTS(node, bytes, T)                                             \
  GLOW_WORK(node##_##bytes) { cutParts(partsOf(call), work); }                 \
  GLOW_KERNEL(node##_##bytes) { runParts<T>(partsOf(call), begin, end); }
#define GLOW_COPIES(bytes, T)                                                  \
  GLOW_COPY(transpose, bytes, T)                                               \
  GLOW_COPY(slice, bytes, T)                                                   \
  GLOW_COPY(reshape, bytes, T)                                                 \
  GLOW_COPY(bit_cast, bytes, T)                                                \
  GLOW_PARTS(concat, bytes, T)                                                 \
  GLOW_PARTS(split, bytes, T)
GLOW_COPIES(1, uint8_t)
GLOW_COPIES(2, uint16_t)
GLOW_COPIES(4, uint32_t)
GLOW_COPIES(8, uint64_t)
