//===- Move.cpp - the same elements in other places -----------------------===//
//
// By the size of an element in bytes: what the bits mean does not matter.
//
//===----------------------------------------------------------------------===//

#include "Move.h"

using namespace glow::cpu;

namespace {

/// A walk, and where it begins in the source.
struct Course {
  Walk walk;
  int64_t start = 0;
};

Course transposeCourse(const StepInfo *info) {
  const Shape &out = info->shapes[0];
  Strides from(info->shapes[1]), to(out);
  Course course;
  for (int64_t i = 0; i < out.rank; ++i)
    course.walk.add(out.sizes[i], from[info->attributes[0].ints[i]], to[i]);
  course.walk.finish();
  return course;
}

Course broadcastCourse(const StepInfo *info) {
  const Shape &out = info->shapes[0], &in = info->shapes[1];
  Strides from(in), to(out);
  int64_t axis = info->attributes[1].integer;
  int64_t first = axis < 0 ? out.rank - in.rank : axis;
  Course course;
  for (int64_t i = 0; i < out.rank; ++i) {
    int64_t j = i - first;
    bool repeated = j < 0 || j >= in.rank || in.sizes[j] == 1;
    course.walk.add(out.sizes[i], repeated ? 0 : from[j], to[i]);
  }
  course.walk.finish();
  return course;
}

Course tileCourse(const StepInfo *info) {
  const Shape &out = info->shapes[0], &in = info->shapes[1];
  Strides from(in), to(out);
  Course course;
  for (int64_t i = 0; i < in.rank; ++i) {
    course.walk.add(info->attributes[0].ints[i], 0, to[i] * in.sizes[i]);
    course.walk.add(in.sizes[i], from[i], to[i]);
  }
  course.walk.finish();
  return course;
}

Course sliceCourse(const StepInfo *info) {
  const Shape &out = info->shapes[0];
  const int64_t *starts = info->attributes[0].ints;
  const int64_t *steps = info->attributes[1].ints;
  Strides from(info->shapes[1]), to(out);
  Course course;
  for (int64_t i = 0; i < out.rank; ++i) {
    course.walk.add(out.sizes[i], from[i] * steps[i], to[i]);
    course.start += from[i] * starts[i];
  }
  course.walk.finish();
  return course;
}

Course reshapeCourse(const StepInfo *info) {
  Course course;
  course.walk.add(elements(info->shapes[0]), 1, 1);
  course.walk.finish();
  return course;
}

template <typename T>
GLOW_INLINE void runCourse(const Course &course, char *const *buffers,
                           int64_t begin, int64_t end) {
  if (buffers[0] == buffers[1]) // a reshape in place
    return;
  Rows rows = course.walk.rows();
  course.walk.run(reinterpret_cast<T *>(buffers[0]),
                  reinterpret_cast<const T *>(buffers[1]) + course.start,
                  rows.first(begin), rows.last(end));
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

/// The parts of a concatenation or a split, `first` the first of their buffers;
/// their chunks are numbered through.
template <typename Visit>
GLOW_INLINE void forParts(const StepInfo *info, int64_t whole, int64_t first,
                          int64_t count, Visit visit) {
  int64_t axis = info->attributes[0].integer, start = 0;
  Around around(info->shapes[whole], axis);
  int64_t distance = around.count * around.inner;
  for (int64_t i = first; i < first + count; ++i) {
    Walk walk = partWalk(info->shapes[i], axis, distance, whole != 0);
    visit(i, walk, start);
    start += info->shapes[i].sizes[axis] * around.inner;
  }
}

void cutParts(const StepInfo *info, int64_t whole, int64_t first, int64_t count,
              StepWork *work) {
  int64_t chunks = 0;
  forParts(info, whole, first, count, [&](int64_t, const Walk &walk, int64_t) {
    StepWork part;
    walk.rows().cut(&part);
    chunks += part.chunks;
  });
  *work = {larger(1, chunks), 0};
}

template <typename T>
GLOW_INLINE void runParts(const StepInfo *info, char *const *buffers,
                          int64_t whole, int64_t first, int64_t count,
                          int64_t begin, int64_t end) {
  forParts(info, whole, first, count,
           [&](int64_t i, const Walk &walk, int64_t start) {
             StepWork part;
             Rows rows = walk.rows();
             rows.cut(&part);
             auto *own = reinterpret_cast<T *>(buffers[i]);
             auto *all = reinterpret_cast<T *>(buffers[whole]) + start;
             int64_t from = larger(0, begin), to = smaller(end, part.chunks);
             // A part that lies in the whole is there already.
             if (from < to && own != all)
               walk.run(whole == 0 ? all : own, whole == 0 ? own : all,
                        rows.first(from), rows.last(to));
             begin -= part.chunks;
             end -= part.chunks;
           });
}

} // namespace

#define GLOW_MOVE(node, bytes, T)                                              \
  GLOW_WORK(node##_##bytes) { node##Course(info).walk.rows().cut(work); }      \
  GLOW_KERNEL(node##_##bytes) {                                                \
    runCourse<T>(node##Course(info), buffers, begin, end);                     \
  }
#define GLOW_PARTS(bytes, T)                                                   \
  GLOW_WORK(concat_##bytes) { cutParts(info, 0, 1, info->segments[1], work); } \
  GLOW_KERNEL(concat_##bytes) {                                                \
    runParts<T>(info, buffers, 0, 1, info->segments[1], begin, end);           \
  }                                                                            \
  GLOW_WORK(split_##bytes) {                                                   \
    cutParts(info, info->segments[0], 0, info->segments[0], work);             \
  }                                                                            \
  GLOW_KERNEL(split_##bytes) {                                                 \
    runParts<T>(info, buffers, info->segments[0], 0, info->segments[0], begin, \
                end);                                                          \
  }
#define GLOW_MOVES(bytes, T)                                                   \
  GLOW_MOVE(transpose, bytes, T)                                               \
  GLOW_MOVE(broadcast, bytes, T)                                               \
  GLOW_MOVE(tile, bytes, T)                                                    \
  GLOW_MOVE(slice, bytes, T)                                                   \
  GLOW_MOVE(reshape, bytes, T)                                                 \
  GLOW_PARTS(bytes, T)
GLOW_MOVES(1, uint8_t)
GLOW_MOVES(2, uint16_t)
GLOW_MOVES(4, uint32_t)
GLOW_MOVES(8, uint64_t)
