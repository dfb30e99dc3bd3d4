//===- Indexing.cpp - results of data-dependent size ----------------------===//
// SPDX-License-Identifier: MIT
//
// Operators whose result lengths depend on values. Elements are counted first,
// and memory is requested before the list is built: a tensor of ones has as
// many indices as elements.
//
//===----------------------------------------------------------------------===//

#include "Slices.h"
#include "glow/Base/VisitKind.h"
#include "glow/HostOperators/Functions.h"
#include <algorithm>
#include <cstring>
#include <numeric>

using namespace glow;

/// The indices, in row-major order, of elements that are not 0. Fails unless
/// the memory budget allows `copies` lists of them.
static Result<Ints> placesOfNonZero(const Tensor &tensor, size_t copies) {
  return visitKind(
      tensor.type().kind,
      [&]<typename T>(std::type_identity<T>) -> Result<Ints> {
        auto elements = tensor.elements<T>();
        auto counts = [](const T &x) { return static_cast<double>(x) != 0; };
        auto count = uint64_t(std::ranges::count_if(elements, counts));
        Status room = MemoryBudget::check(count * copies * sizeof(int64_t));
        if (!room.ok())
          return room;
        Ints places;
        places.reserve(count);
        for (size_t i = 0; i < elements.size(); ++i)
          if (counts(elements[i]))
            places.push_back(int64_t(i));
        return places;
      });
}

/// Returns the coordinates, with a row for each dimension.
Status glow::host::nonZero(HostCall &call) {
  Result<const Tensor *> in = call.tensor(0);
  if (!in)
    return in.status();
  const Ints &shape = (*in)->type().shape;
  Result<Ints> found = placesOfNonZero(**in, 1 + shape.size());
  if (!found)
    return found.status();
  const int64_t rank = int64_t(shape.size()), count = int64_t(found->size());
  Ints rows(size_t(rank * count));
  for (int64_t i = 0; i < count; ++i)
    for (int64_t axis = rank, rest = (*found)[size_t(i)]; axis-- > 0;) {
      rows[size_t(axis * count + i)] = rest % shape[size_t(axis)];
      rest /= shape[size_t(axis)];
    }
  return call.setOutput(0, tensorOf<int64_t>({rank, count}, rows));
}

/// The tensor as one axis of all its elements.
static Result<Tensor> flattened(const Tensor &tensor) {
  Result<Tensor> flat = Tensor::copyOf(tensor.view());
  if (flat)
    if (Status status = flat->reshape({tensor.type().elements()}); !status.ok())
      return status;
  return flat;
}

/// The input flattened unless there is an axis, and the axis.
static Result<Tensor> alongAxis(const HostCall &call, int64_t &axis) {
  Result<const Tensor *> in = call.tensor(0);
  if (!in)
    return in.status();
  axis = 0;
  if (!call.hasAttribute("axis"))
    return flattened(**in);
  Result<int64_t> resolved = resolveAxis(call.attribute<int64_t>("axis", 0),
                                         int64_t((*in)->type().shape.size()));
  if (!resolved)
    return resolved.status();
  axis = *resolved;
  return Tensor::copyOf((*in)->view());
}

Status glow::host::compress(HostCall &call) {
  Result<const Tensor *> in = call.tensor(0);
  if (!in)
    return in.status();
  // The input is used in place, unlike a flattened copy.
  TensorType type = (*in)->type();
  Result<int64_t> axis = 0;
  if (!call.hasAttribute("axis"))
    type.shape = {type.elements()};
  else
    axis = resolveAxis(call.attribute<int64_t>("axis", 0),
                       int64_t(type.shape.size()));
  if (!axis)
    return axis.status();
  Result<const Tensor *> condition = call.tensor(1);
  if (!condition)
    return condition.status();
  Result<Ints> places = placesOfNonZero(**condition, 1);
  if (!places)
    return places.status();
  const int64_t size = type.shape[size_t(*axis)];
  if (!places->empty() && places->back() >= size)
    return failure(Code::InvalidArgument, "the condition wants slice ",
                   places->back(), ", but there are ", size);
  return call.setOutput(0,
                        slicesAt({(*in)->view().data, &type}, *axis, *places));
}

//===----------------------------------------------------------------------===//
// Unique
//===----------------------------------------------------------------------===//

namespace {

/// Compares slices of a tensor along an axis, element by element. NaN, which is
/// not equal to itself, comes last.
class Slices {
public:
  Slices(const Tensor &tensor, int64_t axis)
      : tensor(tensor), view(aroundAxis(tensor.type(), axis)),
        inner(int64_t(view.inner / byteSize(tensor.type().kind))) {}

  int compare(int64_t a, int64_t b) const {
    return visitKind(tensor.type().kind, [&]<typename T>(
                                             std::type_identity<T>) {
      auto elements = tensor.elements<T>();
      for (int64_t outer = 0; outer < view.outer; ++outer)
        for (int64_t i = 0; i < inner; ++i) {
          const T &x = elements[size_t((outer * view.size + a) * inner + i)];
          const T &y = elements[size_t((outer * view.size + b) * inner + i)];
          if (int order = compareElements(x, y))
            return order;
        }
      return 0;
    });
  }

private:
  template <typename T> static int compareElements(const T &a, const T &b) {
    auto order = [](auto x, auto y) {
      bool xIsNaN = x != x, yIsNaN = y != y;
      if (xIsNaN || yIsNaN)
        return int(xIsNaN) - int(yIsNaN);
      return x < y ? -1 : int(y < x);
    };
    if constexpr (isBits<T>)
      return order(static_cast<float>(a), static_cast<float>(b));
    else
      return order(a, b);
  }

  const Tensor &tensor;
  AxisView view;
  int64_t inner;
};

/// Groups of equal slices: the first slice of each group, the group of each
/// slice, and the size of each group.
struct Groups {
  Ints first, inverse, counts;
};

} // namespace

static Groups groupsOf(const Slices &slices, int64_t size, bool sorted) {
  Ints order(size_t(size), 0);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    int less = slices.compare(a, b);
    return less ? less < 0 : a < b;
  });
  Groups groups;
  groups.inverse.resize(size_t(size));
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || slices.compare(order[i - 1], order[i]) != 0) {
      groups.first.push_back(order[i]);
      groups.counts.push_back(0);
    }
    ++groups.counts.back();
    groups.inverse[size_t(order[i])] = int64_t(groups.first.size()) - 1;
  }
  if (sorted)
    return groups;
  // Groups in the order of their first slices.
  Ints rank(groups.first.size());
  std::iota(rank.begin(), rank.end(), 0);
  std::ranges::sort(rank, {},
                    [&](int64_t g) { return groups.first[size_t(g)]; });
  Groups found = groups;
  Ints place(rank.size());
  for (size_t i = 0; i < rank.size(); ++i) {
    found.first[i] = groups.first[size_t(rank[i])];
    found.counts[i] = groups.counts[size_t(rank[i])];
    place[size_t(rank[i])] = int64_t(i);
  }
  for (int64_t &group : found.inverse)
    group = place[size_t(group)];
  return found;
}

Status glow::host::unique(HostCall &call) {
  int64_t axis = 0;
  Result<Tensor> in = alongAxis(call, axis);
  if (!in)
    return in.status();
  const int64_t size = in->type().shape[size_t(axis)];
  if (Status status = checkPlaces(size); !status.ok())
    return status;
  Groups groups = groupsOf(Slices(*in, axis), size,
                           call.attribute<int64_t>("sorted", 1) != 0);
  Status status = call.setOutput(0, slicesAt(in->view(), axis, groups.first));
  const Ints *lists[] = {&groups.first, &groups.inverse, &groups.counts};
  for (unsigned i = 0; i < 3 && status.ok(); ++i)
    status = call.setOutput(
        i + 1, tensorOf<int64_t>({int64_t(lists[i]->size())}, *lists[i]));
  return status;
}
