//===- Strings.cpp - tensors of texts -------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/VisitKind.h"
#include "glow/HostOperators/Functions.h"
#include "glow/Values/Texts.h"
#include <algorithm>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cwctype>

using namespace glow;

using Texts = std::vector<std::string>;

Status glow::host::stringConstant(HostCall &call) {
  HostValue value = call.attribute<HostValue>("value", HostValue());
  if (call.hasAttribute("value_string"))
    value = Strings{{}, {call.attribute<std::string>("value_string", "")}};
  if (call.hasAttribute("value_strings")) {
    Texts texts = call.attribute<Texts>("value_strings", {});
    value = Strings{{int64_t(texts.size())}, texts};
  }
  if (value.isNothing())
    return failure(Code::Unsupported,
                   "only a dense tensor is supported as its value");
  call.setOutput(0, std::move(value));
  return Status();
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// The text of a number as ONNX writes it: the shortest text that reads back as
/// the same number.
template <typename T> static std::string textOf(const T &value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "1" : "0";
  else if constexpr (isBits<T>)
    return textOf(static_cast<float>(value));
  else {
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value))
        return std::isnan(value) ? "NaN" : value < 0 ? "-INF" : "INF";
    char text[64];
    auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return std::string(text, end);
  }
}

static Result<HostValue> textsOf(const Tensor &tensor) {
  TextList texts;
  Status status;
  visitKind(tensor.type().kind, [&]<typename T>(std::type_identity<T>) {
    for (const T &element : tensor.elements<T>())
      if (status.ok())
        status = texts.add(textOf(element));
  });
  return status.ok()
             ? HostValue::counted(Strings{tensor.type().shape, texts.take()})
             : status;
}

/// The number that the whole text represents.
static Result<double> numberOf(const std::string &text) {
  std::string lower = text;
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  const char *begin = lower.data(), *end = begin + lower.size();
  begin += begin != end && *begin == '+';
  double value = 0;
  auto [rest, error] = std::from_chars(begin, end, value);
  if (error == std::errc() && rest == end && begin != end)
    return value;
  return failure(Code::InvalidArgument, "'", text, "' is no number");
}

static Result<Tensor> numbersOf(const Strings &strings, ElementKind kind) {
  Result<Tensor> tensor = Tensor::zeros({kind, strings.shape});
  if (!tensor)
    return tensor;
  Status status;
  visitKind(kind, [&]<typename T>(std::type_identity<T>) {
    auto elements = tensor->elements<T>();
    for (size_t i = 0; i < elements.size() && status.ok(); ++i) {
      const std::string &text = strings.elements[i];
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        const char *end = text.data() + text.size();
        auto [rest, error] = std::from_chars(text.data(), end, elements[i]);
        if (error != std::errc() || rest != end)
          status =
              failure(Code::InvalidArgument, "'", text, "' is no ", name(kind));
      } else {
        Result<double> number = numberOf(text);
        status = number.status();
        if (number)
          elements[i] = T(static_cast<float>(*number));
        if constexpr (std::is_same_v<T, double>)
          elements[i] = number ? *number : 0;
      }
    }
  });
  return status.ok() ? std::move(tensor) : Result<Tensor>(status);
}

static Status castTo(HostCall &call, std::optional<ElementKind> kind) {
  const HostValue &in = *call.input(0);
  if (!kind && in.tensor())
    return call.setOutput(0, textsOf(*in.tensor()));
  if (!kind && in.strings())
    return call.setOutput(0, in), Status();
  Result<const Strings *> strings = call.strings(0);
  return strings ? call.setOutput(0, numbersOf(**strings, *kind))
                 : strings.status();
}

Status glow::host::stringCast(HostCall &call) {
  int64_t to = call.attribute<int64_t>("to", 0);
  std::optional<ElementKind> kind = elementKindOfOnnx(to);
  if (kind || to == onnxStrings)
    return castTo(call, kind);
  return failure(Code::Unsupported, "data type ", to, " is not supported");
}

Status glow::host::stringCastLike(HostCall &call) {
  if (const Tensor *like = call.input(1)->tensor())
    return castTo(call, like->type().kind);
  return castTo(call, std::nullopt);
}

//===----------------------------------------------------------------------===//
// Pairs of texts
//===----------------------------------------------------------------------===//

namespace {

/// Two tensors of strings, broadcast along sizes of 1, element by element.
struct TextPairs {
  const Strings *a = nullptr, *b = nullptr;
  Ints shape;
  int64_t count = 0;

  Status read(const HostCall &call);

  /// Until a visit fails.
  template <typename Visit> Status forEach(Visit visit) const {
    Status status;
    for (int64_t i = 0; i < count && status.ok(); ++i)
      status = visit(size_t(i), a->elements[place(*a, i)],
                     b->elements[place(*b, i)]);
    return status;
  }

private:
  size_t place(const Strings &strings, int64_t index) const {
    int64_t place = 0, stride = 1;
    for (size_t d = shape.size(), own = strings.shape.size(); d-- > 0;
         index /= shape[d]) {
      if (own == 0)
        break;
      int64_t size = strings.shape[--own];
      place += (size == 1 ? 0 : index % shape[d]) * stride;
      stride *= size;
    }
    return size_t(place);
  }
};

} // namespace

Status TextPairs::read(const HostCall &call) {
  Result<const Strings *> first = call.strings(0), second = call.strings(1);
  if (!first || !second)
    return first ? second.status() : first.status();
  a = *first;
  b = *second;
  shape.resize(std::max(a->shape.size(), b->shape.size()), 1);
  for (const Strings *strings : {a, b})
    for (size_t i = 0; i < strings->shape.size(); ++i) {
      int64_t size = strings->shape[strings->shape.size() - 1 - i];
      int64_t &all = shape[shape.size() - 1 - i];
      if (all == 1)
        all = size;
      else if (size != 1 && size != all)
        return failure(Code::ShapeMismatch, "the inputs are ",
                       call.input(0)->text(), " and ", call.input(1)->text(),
                       ", which do not go together");
    }
  std::optional<int64_t> product = checkedProduct(shape);
  if (!product)
    return failure(Code::OutOfMemory, "the result would be of shape ",
                   shapeText(shape), ", which does not fit in memory");
  count = *product;
  return Status();
}

Status glow::host::stringEqual(HostCall &call) {
  TextPairs pairs;
  if (Status status = pairs.read(call); !status.ok())
    return status;
  Result<Tensor> result = Tensor::zeros({ElementKind::Bool, pairs.shape});
  if (!result)
    return result.status();
  auto equal = result->elements<bool>();
  Status status =
      pairs.forEach([&](size_t i, const std::string &a, const std::string &b) {
        equal[i] = a == b;
        return Status();
      });
  return status.ok() ? call.setOutput(0, std::move(result)) : status;
}

Status glow::host::stringConcat(HostCall &call) {
  TextPairs pairs;
  if (Status status = pairs.read(call); !status.ok())
    return status;
  TextList texts;
  Status status =
      pairs.forEach([&](size_t, const std::string &a, const std::string &b) {
        Status room = MemoryBudget::check(a.size() + b.size());
        return room.ok() ? texts.add(a + b) : room;
      });
  return status.ok() ? call.setOutput(0, Strings{pairs.shape, texts.take()})
                     : status;
}

//===----------------------------------------------------------------------===//
// Single texts
//===----------------------------------------------------------------------===//

/// Visits the parts between delimiters. For the delimiter "", parts are between
/// runs of blanks. The last part is the rest. Ends when a visit fails.
template <typename Visit>
static Status forParts(const std::string &text, const std::string &delimiter,
                       size_t mostSplits, Visit visit) {
  constexpr const char *blanks = " \t\n\v\f\r";
  const bool byBlanks = delimiter.empty();
  size_t at = byBlanks ? text.find_first_not_of(blanks) : 0;
  if (text.empty() || at == std::string::npos)
    return Status();
  for (size_t count = 0; count < mostSplits; ++count) {
    size_t end =
        byBlanks ? text.find_first_of(blanks, at) : text.find(delimiter, at);
    if (end == std::string::npos)
      break;
    if (Status status = visit(text.substr(at, end - at)); !status.ok())
      return status;
    at =
        byBlanks ? text.find_first_not_of(blanks, end) : end + delimiter.size();
    if (at == std::string::npos)
      return Status();
  }
  return visit(text.substr(at));
}

Status glow::host::stringSplit(HostCall &call) {
  Result<const Strings *> in = call.strings(0);
  if (!in)
    return in.status();
  std::string delimiter = call.attribute<std::string>("delimiter", "");
  auto most = size_t(call.attribute<int64_t>("maxsplit", -1));
  Ints counts;
  int64_t widest = 0;
  for (const std::string &text : (*in)->elements) {
    int64_t &count = counts.emplace_back(0);
    (void)forParts(text, delimiter, most,
                   [&](const std::string &) { return ++count, Status(); });
    widest = std::max(widest, count);
  }
  TextList texts;
  auto add = [&](std::string part) { return texts.add(std::move(part)); };
  for (size_t i = 0; i < counts.size(); ++i) {
    Status status = forParts((*in)->elements[i], delimiter, most, add);
    for (int64_t k = counts[i]; k < widest && status.ok(); ++k)
      status = texts.add("");
    if (!status.ok())
      return status;
  }
  Strings result{(*in)->shape, texts.take()};
  result.shape.push_back(widest);
  if (Status status = call.setOutput(0, std::move(result)); !status.ok())
    return status;
  return call.setOutput(1, tensorOf<int64_t>((*in)->shape, counts));
}

//===----------------------------------------------------------------------===//
// Normal forms
//===----------------------------------------------------------------------===//

/// A text in upper or lower case, independent of the process's locale.
static std::string withCase(const std::string &text, bool upper) {
  static const locale_t unicode =
      newlocale(LC_CTYPE_MASK, "C.UTF-8", locale_t());
  locale_t before = uselocale(unicode ? unicode : LC_GLOBAL_LOCALE);
  std::string result;
  std::mbstate_t in{}, out{};
  char bytes[MB_LEN_MAX];
  for (size_t at = 0; at < text.size();) {
    wchar_t letter;
    size_t length = std::mbrtowc(&letter, &text[at], text.size() - at, &in);
    if (length == 0 || length > text.size()) { // not UTF-8: the byte as it is
      in = {};
      result += text[at++];
      continue;
    }
    letter = wchar_t(upper ? std::towupper(wint_t(letter))
                           : std::towlower(wint_t(letter)));
    result.append(bytes, std::wcrtomb(bytes, letter, &out));
    at += length;
  }
  uselocale(before);
  return result;
}

Status glow::host::stringNormalizer(HostCall &call) {
  Result<const Strings *> in = call.strings(0);
  if (!in)
    return in.status();
  Ints shape = (*in)->shape;
  if (shape.empty() || shape.size() > 2 || (shape.size() == 2 && shape[0] != 1))
    return failure(Code::ShapeMismatch, "input 0 is ", call.input(0)->text(),
                   ", it should be strings[n] or strings[1,n]");
  std::string action =
      call.attribute<std::string>("case_change_action", "NONE");
  bool sensitive = call.attribute<int64_t>("is_case_sensitive", 0) != 0;
  auto key = [&](const std::string &text) {
    return sensitive ? text : withCase(text, false);
  };
  Texts stops = call.attribute<Texts>("stopwords", {});
  std::ranges::transform(stops, stops.begin(), key);
  Texts kept;
  for (const std::string &text : (*in)->elements)
    if (std::ranges::find(stops, key(text)) == stops.end())
      kept.push_back(action == "NONE" ? text
                                      : withCase(text, action == "UPPER"));
  if (kept.empty())
    kept.emplace_back();
  shape.back() = int64_t(kept.size());
  return call.setOutput(0, Strings{shape, std::move(kept)});
}
