//===- Value.cpp - the values of glow.h -----------------------------------===//
// SPDX-License-Identifier: MIT
//
// A handle holds a value, whose elements all handles share: an element of a
// sequence costs no copy, and lives without the sequence.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include <algorithm>

using namespace glow;
using namespace glow::capi;

void glow_value_free(glow_value *value) { delete value; }

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static Status make(Result<HostValue> made, glow_value **value) {
  if (made)
    *value = new glow_value{made.take()};
  return made.status();
}

static Result<HostValue> tensorOf(const glow_tensor &tensor) {
  Result<TensorType> type = typeOf(tensor);
  Result<Tensor> copy =
      type ? copyOf(*type, tensor.data) : Result<Tensor>(type.status());
  return copy ? Result<HostValue>(copy.take()) : copy.status();
}

glow_status glow_value_new_tensor(const glow_tensor *tensor,
                                  glow_value **value) {
  return guarded([&] {
    Status status = checkPointers({tensor, value});
    return status.ok() ? make(tensorOf(*tensor), value) : status;
  });
}

static Result<HostValue> stringsOf(Ints shape, const char *const *texts,
                                   const size_t *lengths) {
  // A tensor of bytes has the same limits.
  const TensorType type{ElementKind::U8, std::move(shape)};
  if (!type.isStatic())
    return failure(Code::InvalidArgument, "strings are ", shapeText(type.shape),
                   ", which is no size");
  const size_t count = size_t(type.elements());
  if (count)
    if (Status status = checkPointers({texts}); !status.ok())
      return status;
  Strings strings{type.shape, {}};
  for (size_t i = 0; i < count; ++i) {
    if (Status status = checkPointers({texts[i]}); !status.ok())
      return status;
    strings.elements.push_back(lengths ? std::string(texts[i], lengths[i])
                                       : std::string(texts[i]));
  }
  return HostValue(std::move(strings));
}

glow_status glow_value_new_strings(size_t rank, const int64_t *shape,
                                   const char *const *texts,
                                   const size_t *lengths, glow_value **value) {
  return guarded([&] {
    Status status = checkPointers({value});
    if (status.ok() && rank)
      status = checkPointers({shape});
    if (!status.ok())
      return status;
    return make(stringsOf(Ints(shape, shape + rank), texts, lengths), value);
  });
}

static Result<HostValue> sequenceOf(const glow_value *const *elements,
                                    size_t count) {
  HostValue::Sequence sequence;
  for (size_t i = 0; i < count; ++i) {
    if (Status status = checkPointers({elements[i]}); !status.ok())
      return status;
    const HostValue &element = elements[i]->value;
    if (i && !isOfKind(element, sequence.front()))
      return failure(Code::InvalidArgument, "element ", i, " of a sequence is ",
                     element.text(), ", the first one is ",
                     sequence.front().text());
    sequence.push_back(element);
  }
  return HostValue(std::move(sequence));
}

glow_status glow_value_new_sequence(const glow_value *const *elements,
                                    size_t count, glow_value **value) {
  return guarded([&] {
    Status status = checkPointers({value});
    if (status.ok() && count)
      status = checkPointers({elements});
    return status.ok() ? make(sequenceOf(elements, count), value) : status;
  });
}

static Result<HostValue> mapOf(const HostValue &keys, const HostValue &values) {
  for (const HostValue *list : {&keys, &values})
    if (shapeOf(*list).size() != 1)
      return failure(Code::InvalidArgument, "keys ", keys.text(),
                     " and values ", values.text(),
                     " make no map; both should have rank 1");
  Result<Map> map = Map::of(keys, values);
  return map ? Result<HostValue>(map.take()) : map.status();
}

glow_status glow_value_new_map(const glow_value *keys, const glow_value *values,
                               glow_value **value) {
  return guarded([&] {
    Status status = checkPointers({keys, values, value});
    return status.ok() ? make(mapOf(keys->value, values->value), value)
                       : status;
  });
}

glow_status glow_value_new_nothing(glow_value **value) {
  return guarded([&] {
    Status status = checkPointers({value});
    return status.ok() ? make(HostValue(), value) : status;
  });
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

const Ints &capi::shapeOf(const HostValue &value) {
  static const Ints none;
  if (const Tensor *tensor = value.tensor())
    return tensor->type().shape;
  return value.strings() ? value.strings()->shape : none;
}

static glow_kind kindOf(const HostValue &value) {
  if (const Tensor *tensor = value.tensor())
    return glow_kind(tensor->type().kind);
  return value.strings()    ? GLOW_STRING
         : value.sequence() ? GLOW_SEQUENCE
         : value.map()      ? GLOW_MAP
                            : GLOW_OPTIONAL;
}

glow_status glow_value_info(const glow_value *value, glow_tensor_info *info,
                            const void **data) {
  return guarded([&] {
    Status status = checkPointers({value, info});
    if (!status.ok())
      return status;
    const Ints &shape = shapeOf(value->value);
    const Tensor *tensor = value->value.tensor();
    *info = {"",           kindOf(value->value),
             shape.size(), shape.data(),
             nullptr,      tensor ? size_t(tensor->type().bytes()) : 0};
    if (data)
      *data = tensor ? tensor->data() : nullptr;
    return status;
  });
}

size_t glow_value_count(const glow_value *value) {
  if (!value)
    return 0;
  if (const HostValue::Sequence *sequence = value->value.sequence())
    return sequence->size();
  if (const Map *map = value->value.map())
    return size_t(map->size());
  return size_t(std::max<int64_t>(0, countOf(value->value)));
}

static Status isNone(const HostValue &value, const char *wanted) {
  return failure(Code::InvalidArgument, "a value is ", value.text(),
                 ", it should be ", wanted);
}

static Status hasNot(const HostValue &value, size_t index) {
  return failure(Code::NotFound, value.text(), " has no element ", index);
}

static Status textAt(const HostValue &value, size_t index, const char **text,
                     size_t *length) {
  const Strings *strings = value.strings();
  if (!strings)
    return isNone(value, "strings");
  if (index >= strings->elements.size())
    return hasNot(value, index);
  *text = strings->elements[index].c_str();
  if (length)
    *length = strings->elements[index].size();
  return Status();
}

glow_status glow_value_text(const glow_value *value, size_t index,
                            const char **text, size_t *length) {
  return guarded([&] {
    Status status = checkPointers({value, text});
    return status.ok() ? textAt(value->value, index, text, length) : status;
  });
}

static Result<HostValue> elementAt(const HostValue &value, size_t index) {
  const HostValue::Sequence *sequence = value.sequence();
  if (!sequence)
    return isNone(value, "a sequence");
  return index < sequence->size() ? Result<HostValue>((*sequence)[index])
                                  : hasNot(value, index);
}

glow_status glow_value_element(const glow_value *value, size_t index,
                               glow_value **element) {
  return guarded([&] {
    Status status = checkPointers({value, element});
    return status.ok() ? make(elementAt(value->value, index), element) : status;
  });
}

static glow_status partOf(const glow_value *map, HostValue Map::*part,
                          glow_value **value) {
  return guarded([&] {
    if (Status status = checkPointers({map, value}); !status.ok())
      return status;
    const Map *pairs = map->value.map();
    return pairs ? make(pairs->*part, value) : isNone(map->value, "a map");
  });
}

glow_status glow_value_keys(const glow_value *map, glow_value **keys) {
  return partOf(map, &Map::keys, keys);
}
glow_status glow_value_values(const glow_value *map, glow_value **values) {
  return partOf(map, &Map::values, values);
}
