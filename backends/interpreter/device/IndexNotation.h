//===- IndexNotation.h - parts of generated loops ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Plain loops, one element at a time, from the `compute` of the records. This
// file needs a type TensorView, which KernelSupport.h provides before it.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_INTERPRETER_INDEXNOTATION_H
#define GLOW_BACKENDS_INTERPRETER_INDEXNOTATION_H

#include "glow/Base/Functions/Numbers.h"
#include "glow/Base/Rank.h"
#include "glow/Base/Scalar.h"
#include "glow/Base/Small.h"
#include <array>
#include <span>

namespace glow::kernels {

/// An index, or a list of sizes. `Rank` is the number of values. -1 is a rank
/// that is known only at run time, and at most `highestRank`.
template <int Rank> struct Index {
  std::array < int64_t, Rank<0 ? highestRank : Rank> values{};

  Index() = default;
  explicit Index(std::span<const int64_t> list) {
    for (int i = 0; i < Rank; ++i)
      values[i] = list[i];
  }
  static constexpr int size() { return Rank; }
  int64_t &operator[](int i) { return values[i]; }
  int64_t operator[](int i) const { return values[i]; }
  void resize(int) {}
};

template <> struct Index<-1> {
  std::array<int64_t, highestRank> values{};
  int count = 0;

  Index() = default;
  explicit Index(std::span<const int64_t> list) {
    count = std::min<int>(highestRank, int(list.size()));
    for (int i = 0; i < count; ++i)
      values[i] = list[i];
  }
  int size() const { return count; }
  int64_t &operator[](int i) { return values[i]; }
  int64_t operator[](int i) const { return values[i]; }
  void resize(int size) { count = std::min(size, highestRank); }
};

/// Counts an index through all positions below `sizes`, the last fastest.
template <int Rank> class Odometer {
public:
  explicit Odometer(const Index<Rank> &sizes) : sizes(sizes) {
    index.resize(sizes.size());
    for (int i = 0; i < sizes.size(); ++i)
      running &= sizes[i] > 0;
  }
  bool more() const { return running; }
  void next() {
    for (int i = sizes.size() - 1; i >= 0; --i) {
      if (++index[i] < sizes[i])
        return;
      index[i] = 0;
    }
    running = false;
  }
  Index<Rank> index;

private:
  Index<Rank> sizes;
  bool running = true;
};
template <int Rank> Odometer(Index<Rank>) -> Odometer<Rank>;

/// Walks the dimensions of one tensor to an element of it.
struct Position {
  const int64_t *dims;
  int64_t offset = 0;
  bool inside = true;

  explicit Position(const TensorType &type) : dims(type.shape.data()) {}
  void step(int64_t index) {
    int64_t size = *dims++;
    inside &= uint64_t(index) < uint64_t(size);
    offset = inside ? offset * size + index : 0; // 0 avoids an overflow
  }
  template <int Rank> void steps(const Index<Rank> &index) {
    for (int i = 0; i < index.size(); ++i)
      step(index[i]);
  }
};

/// The type that an element is computed in: double for every float, 64 bits
/// for every integer.
template <typename T>
using Compute = std::conditional_t<
    isIntegral<T>,
    std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t, int64_t>, double>;

template <typename T> Compute<T> load(T value) {
  if constexpr (isBits<T>)
    return Compute<T>(float(value));
  else
    return Compute<T>(value);
}
template <typename T, typename C> T store(C value) {
  if constexpr (std::is_same_v<T, bool>)
    return value != 0;
  else
    return T(value);
}

/// An element of a tensor of any kind of whole bytes but floats.
inline int64_t loadInteger(const TensorView &view, int64_t offset) {
  switch (view.type->kind) {
#define GLOW_ELEMENT_KIND(enumerator, name, type, family, bits, onnx)          \
  case ElementKind::enumerator:                                                \
    if constexpr (std::is_integral_v<type>)                                    \
      return int64_t(static_cast<const type *>(view.data)[offset]);            \
    return 0;
#include "glow/Base/ElementKinds.def"
  }
  return 0;
}

/// The type of an operand of a call; null if the operand is absent.
inline const TensorType *typeOf(const TensorView &view) { return view.type; }
inline const TensorType *typeOf(const TensorView *view) {
  return view ? view->type : nullptr;
}

/// The elements of an operand; null if the operand is absent.
template <typename T> T *dataOf(const TensorView &view) {
  return static_cast<T *>(view.data);
}
template <typename T> T *dataOf(const TensorView *view) {
  return view ? dataOf<T>(*view) : nullptr;
}

/// Calls `visit` with a C++ integer type of the element's size.
template <typename Visitor>
Status visitSize(ElementKind kind, Visitor &&visit) {
  switch (bytesOf(kind)) {
  case 1:
    return visit(std::type_identity<uint8_t>());
  case 2:
    return visit(std::type_identity<uint16_t>());
  case 4:
    return visit(std::type_identity<uint32_t>());
  default:
    return visit(std::type_identity<uint64_t>());
  }
}

/// Calls `visit` with a constant for `rank`, which must be Low..High.
template <int Low, int High, typename Visitor>
Status visitRank(int64_t rank, Visitor &&visit) {
  if (rank == Low)
    return visit(std::integral_constant<int, Low>());
  if constexpr (Low < High)
    return visitRank<Low + 1, High>(rank, visit);
  return wrongRank(rank);
}

/// Reads the sizes of an operand from left to right; an absent one has none.
class Sizes {
public:
  explicit Sizes(const TensorType *type)
      : shape(type ? std::span<const int64_t>(type->shape)
                   : std::span<const int64_t>()) {}
  int64_t next() { return shape.empty() ? 0 : take<1>(1)[0]; }
  template <typename List> List take(int64_t count) {
    List result(shape.subspan(0, clamp(count)));
    skip(count);
    return result;
  }
  void skip(int64_t count) { shape = shape.subspan(clamp(count)); }
  /// The number of remaining sizes without the last `after`.
  int64_t left(int64_t after) const { return int64_t(shape.size()) - after; }

private:
  template <int N> Index<N> take(int64_t count) {
    return take<Index<N>>(count);
  }
  size_t clamp(int64_t count) const {
    return size_t(std::clamp<int64_t>(count, 0, int64_t(shape.size())));
  }
  std::span<const int64_t> shape;
};

/// Identity elements of maximum and minimum for elements of type `T` that are
/// computed in `C`: the ends of the range of `T`.
template <typename C, typename T> C lowest() {
  if constexpr (std::is_floating_point_v<C>)
    return -std::numeric_limits<C>::infinity();
  else if constexpr (std::is_integral_v<T>)
    return C(std::numeric_limits<T>::lowest());
  else
    return std::numeric_limits<C>::lowest();
}
template <typename C, typename T> C highest() {
  if constexpr (std::is_floating_point_v<C>)
    return std::numeric_limits<C>::infinity();
  else if constexpr (std::is_integral_v<T>)
    return C(std::numeric_limits<T>::max());
  else
    return std::numeric_limits<C>::max();
}
template <typename C> C accumulateSum(C sum, C term) {
  return scalar::add(sum, term);
}
template <typename C> C accumulateProduct(C sum, C term) {
  return scalar::multiply(sum, term);
}
template <typename C> C accumulateMax(C sum, C term) {
  return scalar::max(term, sum);
}
template <typename C> C accumulateMin(C sum, C term) {
  return scalar::min(term, sum);
}
/// Whether a term replaces the best one so far. Of equal terms the first stays.
template <typename C> bool leadsMax(C term, C best) {
  return best == best && (term != term || term > best);
}
template <typename C> bool leadsMin(C term, C best) {
  return best == best && (term != term || term < best);
}
template <typename C> C accumulateOr(C sum, C term) {
  return C(sum != C(0) || term != C(0));
}
template <typename C> C accumulateAnd(C sum, C term) {
  return C(sum != C(0) && term != C(0));
}

} // namespace glow::kernels

namespace glow::expr {

// The list functions that index notation uses, on an Index.

template <int A> int sizeOf(const kernels::Index<A> &list) {
  return list.size();
}

#define GLOW_INDEX(name)                                                       \
  template <int A, int B>                                                      \
  kernels::Index<(A > B ? A : B)> name(const kernels::Index<A> &a,             \
                                       const kernels::Index<B> &b) {           \
    kernels::Index<(A > B ? A : B)> result;                                    \
    result.resize(std::min<int>(a.size(), b.size()));                          \
    for (int i = 0; i < result.size(); ++i)                                    \
      result[i] = name(a[i], b[i]);                                            \
    return result;                                                             \
  }                                                                            \
  template <int A> kernels::Index<A> name(kernels::Index<A> a, int64_t b) {    \
    for (int i = 0; i < a.size(); ++i)                                         \
      a[i] = name(a[i], b);                                                    \
    return a;                                                                  \
  }                                                                            \
  template <int A> kernels::Index<A> name(int64_t a, kernels::Index<A> b) {    \
    for (int i = 0; i < b.size(); ++i)                                         \
      b[i] = name(a, b[i]);                                                    \
    return b;                                                                  \
  }
GLOW_INDEX(add)
GLOW_INDEX(subtract)
GLOW_INDEX(multiply)
GLOW_INDEX(divide)
GLOW_INDEX(modulo)
#undef GLOW_INDEX

template <int A> int64_t at(const kernels::Index<A> &list, int64_t index) {
  return index >= 0 && index < list.size() ? list[int(index)] : 0;
}
template <int A> int64_t size(const kernels::Index<A> &list) {
  return list.size();
}
template <int A> int64_t prod(const kernels::Index<A> &list) {
  int64_t result = 1;
  for (int i = 0; i < list.size(); ++i)
    result *= list[i];
  return result;
}
template <int A>
kernels::Index<-1> drop(const kernels::Index<A> &list, int64_t count) {
  kernels::Index<-1> result;
  for (int64_t i = std::max<int64_t>(count, 0); i < list.size(); ++i)
    result[result.count++] = list[int(i)];
  return result;
}
template <int A>
kernels::Index<-1> take(const kernels::Index<A> &list, int64_t count) {
  kernels::Index<-1> result;
  for (int64_t i = 0; i < std::min<int64_t>(count, list.size()); ++i)
    result[result.count++] = list[int(i)];
  return result;
}
template <int A, int B>
kernels::Index<-1> pick(const kernels::Index<A> &list,
                        const kernels::Index<B> &indices) {
  kernels::Index<-1> result;
  for (int i = 0; i < indices.size(); ++i)
    result[result.count++] = at(list, indices[i]);
  return result;
}
template <int A>
kernels::Index<A> set(kernels::Index<A> list, int64_t index, int64_t value) {
  if (index >= 0 && index < list.size())
    list[int(index)] = value;
  return list;
}
template <int A>
kernels::Index<A> shift(kernels::Index<A> list, int64_t axis, int64_t amount) {
  return set(list, axis, at(list, axis) + amount);
}
/// Mirrors an index at the first and the last element, which stay single.
template <int A, int B>
kernels::Index<A> reflect(kernels::Index<A> index,
                          const kernels::Index<B> &sizes) {
  for (int i = 0; i < index.size(); ++i) {
    int64_t period = 2 * (sizes[i] - 1);
    int64_t x = period ? modulo(index[i], period) : 0;
    index[i] = x < sizes[i] ? x : period - x;
  }
  return index;
}
template <int A, int B>
kernels::Index<A> clampIndex(kernels::Index<A> index,
                             const kernels::Index<B> &sizes) {
  for (int i = 0; i < index.size(); ++i)
    index[i] =
        std::clamp<int64_t>(index[i], 0, std::max<int64_t>(sizes[i] - 1, 0));
  return index;
}
/// An index of a tensor from `kept`, the index of one without `axes` (or with 1
/// there, if `keep`), and `reduced`, the index along them.
template <int A, int B, int C>
kernels::Index<-1> unreduced(const kernels::Index<A> &kept,
                             const kernels::Index<B> &reduced,
                             const kernels::Index<C> &axes, bool keep) {
  kernels::Index<-1> result;
  result.resize(keep ? kept.size() : kept.size() + axes.size());
  std::array<bool, highestRank> isReduced{};
  for (int i = 0; i < axes.size(); ++i) {
    result[int(axes[i])] = reduced[i];
    isReduced[size_t(axes[i])] = true;
  }
  for (int i = 0, next = 0; i < result.size(); ++i) {
    if (!isReduced[size_t(i)])
      result[i] = kept[keep ? i : next];
    next += !isReduced[size_t(i)];
  }
  return result;
}
template <int A>
kernels::Index<A> inverse(const kernels::Index<A> &permutation) {
  kernels::Index<A> result = permutation;
  for (int i = 0; i < permutation.size(); ++i)
    result = set(result, permutation[i], i);
  return result;
}
/// -1 where it is not whole, which is outside of every tensor.
template <int A, int B>
kernels::Index<(A > B ? A : B)> exactQuotient(const kernels::Index<A> &a,
                                              const kernels::Index<B> &b) {
  kernels::Index<(A > B ? A : B)> result;
  result.resize(std::min<int>(a.size(), b.size()));
  for (int i = 0; i < result.size(); ++i)
    result[i] = modulo(a[i], b[i]) ? -1 : divide(a[i], b[i]);
  return result;
}

} // namespace glow::expr

#endif // GLOW_BACKENDS_INTERPRETER_INDEXNOTATION_H
