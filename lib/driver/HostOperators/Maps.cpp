//===- Maps.cpp - maps from keys to values --------------------------------===//
// SPDX-License-Identifier: MIT
//
// A map is two lists, the keys in order and a value for each key. Rows of a
// matrix become maps with the same keys, which are sorted once.
//
//===----------------------------------------------------------------------===//

#include "Slices.h"
#include "glow/HostOperators/Functions.h"
#include "glow/Values/Texts.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace glow;

using Texts = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// From tensors and back
//===----------------------------------------------------------------------===//

/// Elements as a list.
static Result<HostValue> listAt(const HostValue &value, const Ints &places) {
  return elementsOr(value, places, {int64_t(places.size())}, HostValue());
}

/// Integers as a value.
static Result<HostValue> valueOf(const Ints &list) {
  Result<Tensor> tensor = tensorOf<int64_t>({int64_t(list.size())}, list);
  if (!tensor)
    return tensor.status();
  return HostValue(tensor.take());
}

/// The keys in one of two attributes; exactly one must be present.
static Result<HostValue> keysOf(const HostCall &call, const char *integers,
                                const char *texts) {
  if (call.hasAttribute(integers) == call.hasAttribute(texts))
    return failure(Code::InvalidArgument, "one of attributes '", integers,
                   "' and '", texts, "' must be given");
  if (call.hasAttribute(texts)) {
    Texts list = call.attribute<Texts>(texts, {});
    return HostValue::counted(Strings{{int64_t(list.size())}, std::move(list)});
  }
  return valueOf(call.attribute<Ints>(integers, {}));
}

/// A map for each row of a matrix; all maps have the same keys.
static Result<HostValue::Sequence> zipped(const HostValue &matrix,
                                          const HostValue &keys, int64_t rows) {
  Ints columns(size_t(countOf(keys)), 0);
  std::iota(columns.begin(), columns.end(), 0);
  Result<HostValue> places = valueOf(columns);
  Result<Map> order = places ? Map::of(keys, *places) : places.status();
  if (!order)
    return order.status();
  HostValue::Sequence maps;
  for (int64_t row = 0; row < rows; ++row) {
    auto sorted = order->values.tensor()->elements<int64_t>();
    for (size_t i = 0; i < columns.size(); ++i)
      columns[i] = row * int64_t(columns.size()) + sorted[i];
    Result<HostValue> values = listAt(matrix, columns);
    if (!values)
      return values.status();
    maps.push_back(HostValue(Map{order->keys, values.take()}));
  }
  return maps;
}

Status glow::host::zipMap(HostCall &call) {
  Result<const Tensor *> in = call.tensor(0);
  Result<HostValue> keys =
      keysOf(call, "classlabels_int64s", "classlabels_strings");
  if (!in || !keys)
    return in ? keys.status() : in.status();
  const Ints &shape = (*in)->type().shape;
  if (shape.empty() || shape.size() > 2 || shape.back() != countOf(*keys))
    return failure(Code::ShapeMismatch, "input 0 is ", call.input(0)->text(),
                   ", it should have a column for each of ", countOf(*keys),
                   " keys");
  const int64_t rows = shape.size() == 2 ? shape.front() : 1;
  if (Status status = checkPlaces(rows); !status.ok())
    return status;
  Result<HostValue::Sequence> maps = zipped(*call.input(0), *keys, rows);
  return maps ? call.setOutput(0, maps.take()) : maps.status();
}

/// Converts a value between texts and numbers as Cast does.
static Result<HostValue> castTo(const HostValue &value, int64_t onnxKind) {
  const HostAttributes attributes{{"to", onnxKind}};
  HostCall call({&value}, attributes, 1, 0, {});
  if (Status status = host::stringCast(call); !status.ok())
    return status;
  return std::move(call.results().front());
}

/// Rounds towards zero and saturates; NaN becomes 0.
static int64_t wholeOf(float number) {
  constexpr float end = 0x1p63f;
  if (std::isnan(number))
    return 0;
  // Out-of-range conversions are undefined in C++, so they saturate here.
  if (std::abs(number) < end)
    return int64_t(number);
  return number < 0 ? std::numeric_limits<int64_t>::min()
                    : std::numeric_limits<int64_t>::max();
}

static Result<HostValue> castValues(const HostValue &values,
                                    const std::string &to) {
  constexpr int64_t isFloat = 1, isInt64 = 7, isString = 8;
  const Tensor *numbers = values.tensor();
  if (numbers && numbers->type().kind != ElementKind::F32)
    return failure(Code::InvalidArgument, "the values are ", values.text(),
                   ", they should be strings or f32");
  if (to == "TO_STRING")
    return castTo(values, isString);
  if (to != "TO_FLOAT" && to != "TO_INT64")
    return failure(Code::InvalidArgument, "cast_to ", to,
                   " must be TO_FLOAT, TO_STRING or TO_INT64");
  if (!numbers)
    return castTo(values, to == "TO_FLOAT" ? isFloat : isInt64);
  if (to == "TO_FLOAT")
    return values;
  Ints whole;
  for (float number : numbers->elements<float>())
    whole.push_back(wholeOf(number));
  return valueOf(whole);
}

/// For a map with indices as keys: for each of `size` indices the position of
/// its value, or -1.
static Result<Ints> sparsePlaces(const Map &map, int64_t size) {
  if (size < 1)
    return failure(Code::InvalidArgument, "max_map ", size,
                   " must be positive");
  if (Status status = checkPlaces(size); !status.ok())
    return status;
  Ints places(size_t(size), -1);
  auto keys = map.keys.tensor()->elements<int64_t>();
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i] < 0 || keys[i] >= size)
      return failure(Code::InvalidArgument, "key ", keys[i],
                     " is not among 0 to ", size - 1);
    else
      places[size_t(keys[i])] = int64_t(i);
  return places;
}

/// The text for a missing key is the one that ONNX Runtime writes.
Status glow::host::castMap(HostCall &call) {
  Result<const Map *> map = call.map(0);
  if (!map)
    return map.status();
  if (!(*map)->keys.tensor())
    return failure(Code::InvalidArgument,
                   "the keys are strings, they should be i64");
  const std::string form = call.attribute<std::string>("map_form", "DENSE");
  if (form != "DENSE" && form != "SPARSE")
    return failure(Code::InvalidArgument, "map_form ", form,
                   " must be DENSE or SPARSE");
  Result<HostValue> values = castValues(
      (*map)->values, call.attribute<std::string>("cast_to", "TO_FLOAT"));
  if (!values)
    return values.status();
  Ints dense(size_t((*map)->size()), 0);
  std::iota(dense.begin(), dense.end(), 0);
  Result<Ints> places =
      form == "DENSE"
          ? Result<Ints>(std::move(dense))
          : sparsePlaces(**map, call.attribute<int64_t>("max_map", 1));
  if (!places)
    return places.status();
  return call.setOutput(
      0, elementsOr(*values, *places, {1, int64_t(places->size())},
                    values->strings() ? HostValue(Strings{{1}, {"0.f"}})
                                      : HostValue()));
}

/// The index of each word among sorted keys, or -1.
template <typename Key>
static Ints placesOf(std::span<const Key> words, std::span<const Key> keys) {
  Ints places;
  for (const Key &word : words) {
    auto found = std::ranges::lower_bound(keys, word);
    places.push_back(
        found != keys.end() && *found == word ? found - keys.begin() : -1);
  }
  return places;
}

Status glow::host::dictVectorizer(HostCall &call) {
  Result<const Map *> map = call.map(0);
  Result<HostValue> words =
      keysOf(call, "int64_vocabulary", "string_vocabulary");
  if (!map || !words)
    return map ? words.status() : map.status();
  const HostValue &keys = (*map)->keys;
  if (bool(keys.tensor()) != bool(words->tensor()))
    return failure(Code::InvalidArgument, "the keys are ", keys.text(),
                   ", but the vocabulary is ", words->text());
  const Ints places = keys.tensor()
                          ? placesOf(words->tensor()->elements<int64_t>(),
                                     keys.tensor()->elements<int64_t>())
                          : placesOf<std::string>(words->strings()->elements,
                                                  keys.strings()->elements);
  return call.setOutput(0,
                        elementsOr((*map)->values, places,
                                   {1, int64_t(places.size())}, HostValue()));
}
