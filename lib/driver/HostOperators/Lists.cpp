//===- Lists.cpp - lists of features that follow each other ---------------===//
// SPDX-License-Identifier: MIT
//
// Operators of Caffe2 on lists whose lengths decide the size of a result. The
// lists follow each other in one tensor; a second one has their lengths.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Boxes.h"
#include "Slices.h"
#include "glow/Base/VisitKind.h"
#include "glow/HostOperators/Functions.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>

using namespace glow;

namespace {

struct Lists {
  Ints lengths;
  int64_t total = 0, longest = 0;
};

/// The lengths in an input. Fails if a length is negative, or if memory is too
/// small for a list of all elements.
Result<Lists> listsOf(const HostCall &call, unsigned index) {
  Result<Ints> lengths = call.ints(index);
  if (!lengths)
    return lengths.status();
  Lists lists{lengths.take()};
  for (int64_t length : lists.lengths) {
    if (length < 0 || __builtin_add_overflow(lists.total, length, &lists.total))
      return failure(Code::InvalidArgument, "input ", index, " has the length ",
                     length, ", which is no length of a list");
    lists.longest = std::max(lists.longest, length);
  }
  if (Status status = checkPlaces(lists.total); !status.ok())
    return status;
  return lists;
}

/// Fails unless the first axis of a tensor has the elements of all lists.
Status checkTotal(const Tensor &tensor, const Lists &lists) {
  const Ints &shape = tensor.type().shape;
  if (!shape.empty() && shape[0] == lists.total)
    return Status();
  return failure(Code::ShapeMismatch, "the lengths are ", lists.total,
                 " together, but the data is ", tensor.type().text());
}

} // namespace

/// Each row, as often as its length.
Status glow::host::lengthsTile(HostCall &call) {
  Result<const Tensor *> rows = call.tensor(0);
  Result<Lists> lists = listsOf(call, 1);
  if (!rows || !lists)
    return rows ? lists.status() : rows.status();
  const Ints &shape = (*rows)->type().shape;
  if (shape.empty() || shape[0] != int64_t(lists->lengths.size()))
    return failure(Code::ShapeMismatch, "there are ", lists->lengths.size(),
                   " lengths, but the data is ", (*rows)->type().text());
  Ints places;
  for (size_t i = 0; i < lists->lengths.size(); ++i)
    places.insert(places.end(), size_t(lists->lengths[i]), int64_t(i));
  return call.setOutput(0, slicesAt((*rows)->view(), 0, places));
}

/// The number of each element in its list.
Status glow::host::lengthsRangeFill(HostCall &call) {
  Result<Lists> lists = listsOf(call, 0);
  if (!lists)
    return lists.status();
  Ints numbers(size_t(lists->total), 0);
  auto at = numbers.begin();
  for (int64_t length : lists->lengths) {
    std::iota(at, at + length, 0);
    at += length;
  }
  return call.setOutput(0, int32Of({lists->total}, numbers));
}

/// The rows of ranges, each a begin and a length, and their number for each
/// example.
Status glow::host::gatherRanges(HostCall &call) {
  Result<const Tensor *> rows = call.tensor(0);
  Result<Ints> ranges = call.ints(1);
  if (!rows || !ranges)
    return rows ? ranges.status() : rows.status();
  const Ints &shape = (*rows)->type().shape;
  const Ints &of = call.input(1)->tensor()->type().shape;
  if (shape.empty() || of.size() != 3 || of[2] != 2)
    return failure(Code::ShapeMismatch, "the data is ", (*rows)->type().text(),
                   " and the ranges have shape ", shapeText(of),
                   ", they should have an axis, and be [examples,ranges,2]");
  Ints places, lengths(size_t(of[0]), 0);
  for (size_t i = 0; i < ranges->size(); i += 2) {
    const int64_t begin = (*ranges)[i], length = (*ranges)[i + 1];
    if (begin < 0 || length < 0 || begin > shape[0] - length)
      return failure(Code::InvalidArgument, "a range of ", length,
                     " rows from ", begin, " leads out of the ", shape[0],
                     " that there are");
    lengths[i / 2 / size_t(of[1])] += length;
    if (Status status = checkPlaces(int64_t(places.size()) + length);
        !status.ok())
      return status;
    for (int64_t k = 0; k < length; ++k)
      places.push_back(begin + k);
  }
  if (Status status = call.setOutput(0, slicesAt((*rows)->view(), 0, places));
      !status.ok())
    return status;
  return call.setOutput(1, int32Of({of[0]}, lengths));
}

/// Each list as a row, filled up to the longest one or to `max_length`; and
/// which elements of the rows are from a list.
Status glow::host::packSegments(HostCall &call) {
  Result<Lists> lists = listsOf(call, 0);
  Result<const Tensor *> data = call.tensor(1);
  if (!lists || !data)
    return lists ? data.status() : lists.status();
  if (Status status = checkTotal(**data, *lists); !status.ok())
    return status;
  Arguments arguments(call);
  const int64_t given = arguments.integer("max_length", -1);
  const bool lowest = arguments.flag("pad_minf", false);
  (void)arguments.flag("return_presence_mask", false);
  if (!arguments.status().ok())
    return arguments.status();
  const int64_t width = given < 0 ? lists->longest : given;
  TensorType type = (*data)->type();
  const uint64_t row = aroundAxis(type, 0).inner;
  const int64_t count = int64_t(lists->lengths.size());
  type.shape[0] = width;
  type.shape.insert(type.shape.begin(), count);
  Result<Tensor> packed = Tensor::zeros(type);
  Result<Tensor> mask = Tensor::zeros({ElementKind::Bool, {count, width}});
  if (!packed || !mask)
    return packed ? mask.status() : packed.status();
  const float least = -std::numeric_limits<float>::infinity();
  if (lowest && isFloat(type.kind))
    visitKind(type.kind, [&]<typename T>(std::type_identity<T>) {
      std::ranges::fill(packed->elements<T>(), T(least));
    });
  auto *from = static_cast<const char *>((*data)->data());
  auto *to = static_cast<char *>(packed->data());
  for (int64_t i = 0; i < count; ++i) {
    const int64_t length = lists->lengths[size_t(i)];
    const int64_t taken = std::min(length, width);
    if (taken && row)
      std::memcpy(to + uint64_t(i * width) * row, from, uint64_t(taken) * row);
    std::fill_n(mask->elements<bool>().begin() + i * width, taken, true);
    from += uint64_t(length) * row;
  }
  if (Status status = call.setOutput(0, std::move(packed)); !status.ok())
    return status;
  return call.setOutput(1, std::move(mask));
}

/// The lists in rows, without the ends of the rows.
Status glow::host::unpackSegments(HostCall &call) {
  Result<Lists> lists = listsOf(call, 0);
  Result<const Tensor *> rows = call.tensor(1);
  if (!lists || !rows)
    return lists ? rows.status() : lists.status();
  Arguments arguments(call);
  const int64_t most = arguments.integer("max_length", -1);
  if (!arguments.status().ok())
    return arguments.status();
  TensorType type = (*rows)->type();
  const int64_t count = int64_t(lists->lengths.size());
  if (type.shape.size() < 2 || type.shape[0] != count)
    return failure(Code::ShapeMismatch, "there are ", count,
                   " lengths, but the data is ", type.text());
  const int64_t width = type.shape[1];
  Ints places;
  for (int64_t i = 0; i < count; ++i) {
    int64_t length = lists->lengths[size_t(i)];
    if (most >= 0)
      length = std::min(length, most);
    if (length > width)
      return failure(Code::InvalidArgument, "list ", i, " has ", length,
                     " elements, but the rows have ", width);
    for (int64_t k = 0; k < length; ++k)
      places.push_back(i * width + k);
  }
  type.shape[1] *= type.shape[0];
  type.shape.erase(type.shape.begin());
  return call.setOutput(0, slicesAt({(*rows)->view().data, &type}, 0, places));
}

/// The rows that a mask keeps, and their numbers.
Status glow::host::booleanMask(HostCall &call) {
  Result<const Tensor *> rows = call.tensor(0);
  Result<Ints> mask = call.ints(1);
  if (!rows || !mask)
    return rows ? mask.status() : rows.status();
  const Ints &shape = (*rows)->type().shape;
  if (shape.empty() || shape[0] != int64_t(mask->size()))
    return failure(Code::ShapeMismatch, "the mask has ", mask->size(),
                   " elements, but the data is ", (*rows)->type().text());
  Ints places;
  for (size_t i = 0; i < mask->size(); ++i)
    if ((*mask)[i])
      places.push_back(int64_t(i));
  if (Status status = call.setOutput(0, slicesAt((*rows)->view(), 0, places));
      !status.ok())
    return status;
  return call.setOutput(1, tensorOf<int64_t>({int64_t(places.size())}, places));
}

/// For each label its values and their examples; then the number of each value
/// among those of its label.
Status glow::host::sparseLabelSplit(HostCall &call) {
  Result<Lists> lists = listsOf(call, 0);
  Result<Ints> labels = call.ints(1);
  Result<const Tensor *> values = call.tensor(2);
  if (!lists || !labels || !values)
    return !lists ? lists.status() : labels ? values.status() : labels.status();
  if (Status status = checkTotal(**values, *lists); !status.ok())
    return status;
  Arguments arguments(call);
  const int64_t count = arguments.integer("num_labels", 0);
  if (!arguments.status().ok())
    return arguments.status();
  if (count < 1 || int64_t(call.outputCount()) < 2 * count ||
      int64_t(call.outputCount()) > 2 * count + 1)
    return failure(Code::InvalidArgument, call.outputCount(),
                   " outputs are not values and examples of ", count,
                   " labels, and a map");
  if (int64_t(labels->size()) != lists->total)
    return failure(Code::ShapeMismatch, "there are ", labels->size(),
                   " labels and ", lists->total, " values");
  const size_t size = size_t(count);
  std::vector<Ints> places(size), examples(size);
  Ints order;
  int64_t place = 0;
  for (size_t example = 0; example < lists->lengths.size(); ++example)
    for (int64_t k = 0; k < lists->lengths[example]; ++k, ++place) {
      const int64_t label = (*labels)[size_t(place)];
      if (label < 0 || label >= count)
        return failure(Code::InvalidArgument, "label ", label,
                       " is none of the ", count, " that there are");
      order.push_back(int64_t(places[size_t(label)].size()));
      places[size_t(label)].push_back(place);
      examples[size_t(label)].push_back(int64_t(example));
    }
  for (unsigned i = 0; i < unsigned(count); ++i) {
    Status status =
        call.setOutput(i, slicesAt((*values)->view(), 0, places[i]));
    if (status.ok())
      status =
          call.setOutput(unsigned(count) + i,
                         int32Of({int64_t(examples[i].size())}, examples[i]));
    if (!status.ok())
      return status;
  }
  return call.setOutput(2 * unsigned(count), int32Of({place}, order));
}

/// Sums of the rows of each index: up to the largest one, or as many as a third
/// input has.
Status glow::host::sparseToDense(HostCall &call) {
  Result<Ints> indices = call.ints(0);
  Result<const Tensor *> values = call.tensor(1);
  if (!indices || !values)
    return indices ? values.status() : indices.status();
  TensorType type = (*values)->type();
  if (type.shape.empty() || type.shape[0] != int64_t(indices->size()))
    return failure(Code::ShapeMismatch, "there are ", indices->size(),
                   " indices, but the values are ", type.text());
  int64_t count = 0;
  for (int64_t index : *indices)
    count = std::max(count, index);
  if (!call.input(2)) {
    if (Status status = checkPlaces(count); !status.ok())
      return status;
    count += !indices->empty();
  } else {
    Result<const Tensor *> like = call.tensor(2);
    if (!like)
      return like.status();
    const Ints &shape = (*like)->type().shape;
    count = shape.empty() ? 0 : shape[0];
  }
  for (int64_t index : *indices)
    if (index < 0 || index >= count)
      return failure(Code::InvalidArgument, "index ", index, " is none of the ",
                     count, " rows");
  const int64_t each = int64_t(aroundAxis(type, 0).inner / byteSize(type.kind));
  type.shape[0] = count;
  Result<Tensor> dense = Tensor::zeros(type);
  if (!dense)
    return dense.status();
  visitKind(type.kind, [&]<typename T>(std::type_identity<T>) {
    const T *from = (*values)->elements<T>().data();
    T *to = dense->elements<T>().data();
    for (size_t i = 0; i < indices->size(); ++i)
      for (int64_t k = 0; k < each; ++k) {
        T &sum = to[(*indices)[i] * each + k];
        sum = T(sum + from[int64_t(i) * each + k]);
      }
  });
  return call.setOutput(0, std::move(dense));
}

/// The coordinates of elements that are not 0, a row each.
Status glow::host::nonZeroRows(HostCall &call) {
  if (Status status = nonZero(call); !status.ok())
    return status;
  const Tensor &columns = *call.results()[0].tensor();
  const int64_t rank = columns.type().shape[0], count = columns.type().shape[1];
  Ints rows(size_t(rank * count), 0);
  for (int64_t axis = 0; axis < rank; ++axis)
    for (int64_t i = 0; i < count; ++i)
      rows[size_t(i * rank + axis)] =
          columns.elements<int64_t>()[size_t(axis * count + i)];
  return call.setOutput(0, tensorOf<int64_t>({count, rank}, rows));
}

/// The distinct elements in ascending order, and the place of each element
/// among them.
Status glow::host::distinctElements(HostCall &call) {
  Result<const Tensor *> in = call.tensor(0);
  Result<Ints> all = call.ints(0);
  if (!in || !all)
    return in ? all.status() : in.status();
  Ints distinct = *all;
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  Ints places, first(distinct.size(), 0);
  for (size_t i = 0; i < all->size(); ++i) {
    places.push_back(std::ranges::lower_bound(distinct, (*all)[i]) -
                     distinct.begin());
    first[size_t(places.back())] = int64_t(i);
  }
  TensorType flat{(*in)->type().kind, {int64_t(all->size())}};
  if (Status status =
          call.setOutput(0, slicesAt({(*in)->view().data, &flat}, 0, first));
      !status.ok())
    return status;
  return call.setOutput(1, int32Of({int64_t(places.size())}, places));
}
