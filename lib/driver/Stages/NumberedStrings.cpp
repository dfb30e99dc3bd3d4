//===- NumberedStrings.cpp - numbers that stand for strings ---------------===//
// SPDX-License-Identifier: MIT
//
// An operator with `movesElements` in its record runs, in a program or on the
// host, on numbers that stand for strings. The numbers in its results determine
// the positions of the strings. So no kernel handles strings, and an operator
// that only moves elements needs just this word in its record.
//
// The numbers are i32, which no such operator creates by itself: an i64 result,
// as that of `Shape`, is an actual number. Their order is that of the strings,
// so that `Unique` can sort. The empty string is 0, which `Pad` and `Trilu` use
// to fill gaps.
//
//===----------------------------------------------------------------------===//

#include "NumberedStrings.h"
#include "glow/Values/Texts.h"
#include <algorithm>
#include <limits>

using namespace glow;

bool glow::hasStrings(const HostValue &value) {
  return value.strings() ||
         (value.sequence() &&
          std::ranges::any_of(*value.sequence(), hasStrings));
}

/// The same sequence with each element replaced.
template <typename Change>
static Result<HostValue> changed(const HostValue::Sequence &sequence,
                                 Change change) {
  HostValue::Sequence result;
  for (const HostValue &element : sequence) {
    Result<HostValue> other = change(element);
    if (!other)
      return other.status();
    result.push_back(other.take());
  }
  return HostValue::counted(std::move(result));
}

static void collect(const HostValue &value,
                    std::vector<std::string_view> &texts) {
  if (const HostValue::Sequence *sequence = value.sequence())
    for (const HostValue &element : *sequence)
      collect(element, texts);
  if (const Strings *strings = value.strings())
    for (const std::string &text : strings->elements)
      if (!text.empty())
        texts.push_back(text);
}

Result<NumberedStrings>
NumberedStrings::of(const std::vector<const HostValue *> &values) {
  NumberedStrings numbered;
  std::vector<std::string_view> &texts = numbered.texts;
  for (const HostValue *value : values)
    collect(*value, texts);
  std::ranges::sort(texts);
  texts.erase(std::ranges::unique(texts).begin(), texts.end());
  constexpr auto most = size_t(std::numeric_limits<int32_t>::max() - base);
  if (texts.size() > most)
    return failure(Code::Unsupported, "more than ", most,
                   " strings are not supported");
  return numbered;
}

Result<HostValue> NumberedStrings::numbersOf(const HostValue &value) const {
  if (const HostValue::Sequence *sequence = value.sequence())
    return changed(*sequence,
                   [&](const HostValue &each) { return numbersOf(each); });
  const Strings *strings = value.strings();
  if (!strings)
    return value;
  Result<Tensor> numbers = Tensor::zeros({kind, strings->shape});
  if (!numbers)
    return numbers.status();
  auto elements = numbers->elements<int32_t>();
  for (size_t i = 0; i < elements.size(); ++i)
    if (std::string_view text = strings->elements[i]; !text.empty())
      elements[i] =
          base + int32_t(std::ranges::lower_bound(texts, text) - texts.begin());
  return HostValue(numbers.take());
}

Result<HostValue> NumberedStrings::stringsOf(const HostValue &value) const {
  if (const HostValue::Sequence *sequence = value.sequence())
    return changed(*sequence,
                   [&](const HostValue &each) { return stringsOf(each); });
  const Tensor *numbers = value.tensor();
  if (!numbers || numbers->type().kind != kind)
    return value;
  TextList list;
  for (int32_t number : numbers->elements<int32_t>()) {
    const int64_t place = int64_t(number) - base;
    if (number != 0 && (place < 0 || place >= int64_t(texts.size())))
      return failure(Code::Unsupported,
                     "it computes with its elements, which strings cannot");
    Status status =
        list.add(number ? std::string(texts[size_t(place)]) : std::string());
    if (!status.ok())
      return status;
  }
  return HostValue::counted(Strings{numbers->type().shape, list.take()});
}
