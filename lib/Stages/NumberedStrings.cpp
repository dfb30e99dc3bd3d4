//===- NumberedStrings.cpp - numbers in the place of strings --------------===//

#include "NumberedStrings.h"
#include "glow/HostOperators/Texts.h"
#include <algorithm>
#include <limits>
#include <numeric>

using namespace glow;

bool glow::hasStrings(const HostValue &value) {
  return value.strings() ||
         (value.sequence() &&
          std::ranges::any_of(*value.sequence(), hasStrings));
}

/// The same sequence with another value for each element.
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

Result<HostValue> NumberedStrings::numbersOf(const HostValue &value) {
  if (const HostValue::Sequence *sequence = value.sequence())
    return changed(*sequence,
                   [&](const HostValue &each) { return numbersOf(each); });
  const Strings *strings = value.strings();
  if (!strings)
    return value;
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  const auto more = int64_t(strings->elements.size());
  if (more > most - count)
    return failure(Code::Unsupported, "more than ", most,
                   " strings are not supported");
  Result<Tensor> numbers = Tensor::zeros({kind, strings->shape});
  if (!numbers)
    return numbers.status();
  auto elements = numbers->elements<int32_t>();
  std::iota(elements.begin(), elements.end(), int32_t(count));
  values.push_back(value);
  firsts.push_back(count);
  count += more;
  return HostValue(numbers.take());
}

Result<HostValue> NumberedStrings::stringsOf(const HostValue &value) const {
  if (const HostValue::Sequence *sequence = value.sequence())
    return changed(*sequence,
                   [&](const HostValue &each) { return stringsOf(each); });
  const Tensor *numbers = value.tensor();
  if (!numbers || numbers->type().kind != kind)
    return value;
  TextList texts;
  for (int32_t number : numbers->elements<int32_t>()) {
    if (number < 0 || number >= count)
      return failure(Code::Unsupported,
                     "it computes with its elements, which strings cannot");
    auto next = std::ranges::upper_bound(firsts, int64_t(number));
    const auto which = size_t(next - firsts.begin()) - 1;
    const auto place = size_t(number - firsts[which]);
    Status status = texts.add(values[which].strings()->elements[place]);
    if (!status.ok())
      return status;
  }
  return HostValue::counted(Strings{numbers->type().shape, texts.take()});
}
