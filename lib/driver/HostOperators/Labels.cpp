//===- Labels.cpp - a value for each key ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// Keys of any kind are compared as texts, so that one table serves numbers and
// texts. A number becomes the shortest text that reads back as the same number.
// Two numbers have the same text only if they are equal.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/VisitKind.h"
#include "glow/HostOperators/Functions.h"
#include "glow/Values/Texts.h"
#include <charconv>
#include <cmath>

using namespace glow;

using Texts = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// The key of a number: equal numbers share one key, and so do all NaN.
static std::string keyOf(double number) {
  char text[64];
  // Adding 0 turns -0 into 0: equal numbers have the same text.
  auto [end, error] = std::to_chars(text, text + sizeof text, number + 0.0);
  return std::isnan(number) ? "nan" : std::string(text, end);
}

static Result<Texts> keysOf(const HostValue &value) {
  if (value.strings())
    return value.strings()->elements;
  if (!value.tensor())
    return failure(Code::InvalidArgument, "there are keys of no known kind");
  TextList keys;
  Status status;
  auto add = [&](std::string key) {
    if (status.ok())
      status = keys.add(std::move(key));
  };
  visitKind(value.tensor()->type().kind,
            [&]<typename T>(std::type_identity<T>) {
              for (const T &element : value.tensor()->elements<T>())
                if constexpr (std::is_same_v<T, int64_t>)
                  add(std::to_string(element));
                else
                  add(keyOf(static_cast<double>(element)));
            });
  return status.ok() ? Result<Texts>(keys.take()) : status;
}

/// The index of the key that each text equals, or -1 for the default.
static Ints placesOf(const Texts &keys, const Texts &wanted) {
  std::map<std::string_view, int64_t> places;
  for (size_t i = 0; i < keys.size(); ++i)
    // Among equal keys, the first counts.
    places.emplace(keys[i], int64_t(i));
  Ints result;
  for (const std::string &key : wanted) {
    auto found = places.find(key);
    result.push_back(found == places.end() ? -1 : found->second);
  }
  return result;
}

static Ints shapeOf(const HostValue &value) {
  return value.tensor() ? value.tensor()->type().shape : value.strings()->shape;
}

//===----------------------------------------------------------------------===//
// LabelEncoder
//===----------------------------------------------------------------------===//

template <typename T, typename From>
static HostValue tensorValue(const std::vector<From> &list) {
  Result<Tensor> tensor = tensorOf<T>({int64_t(list.size())},
                                      std::vector<T>(list.begin(), list.end()));
  return tensor ? HostValue(tensor.take()) : HostValue();
}

/// The list in the attribute of this name and one of three kinds.
static HostValue listOf(const HostCall &call, const std::string &prefix) {
  if (call.hasAttribute(prefix + "tensor"))
    return call.attribute<HostValue>(prefix + "tensor", HostValue());
  if (call.hasAttribute(prefix + "strings")) {
    Texts texts = call.attribute<Texts>(prefix + "strings", {});
    return HostValue(Strings{{int64_t(texts.size())}, texts});
  }
  if (call.hasAttribute(prefix + "int64s"))
    return tensorValue<int64_t>(call.attribute<Ints>(prefix + "int64s", {}));
  return tensorValue<float>(call.attribute<Reals>(prefix + "floats", {}));
}

/// The default for an unknown key, if no default_tensor is given.
static Result<HostValue> usualDefaultOf(const HostCall &call,
                                        ElementKind kind) {
  Result<Tensor> one = Tensor::zeros({kind, {1}});
  if (!one)
    return one.status();
  visitKind(kind, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_integral_v<T>)
      one->elements<T>()[0] = T(call.attribute<int64_t>("default_int64", -1));
    else
      one->elements<T>()[0] =
          T(float(call.attribute<double>("default_float", -0.0)));
  });
  return HostValue(one.take());
}

/// The default for an unknown key: an element of the kind of the values.
static Result<HostValue> defaultOf(const HostCall &call,
                                   const HostValue &values) {
  if (!call.hasAttribute("default_tensor")) {
    if (!values.strings())
      return usualDefaultOf(call, values.tensor()->type().kind);
    return HostValue(Strings{
        {1}, {call.attribute<std::string>("default_string", "_Unused")}});
  }
  HostValue given = call.attribute<HostValue>("default_tensor", {});
  if (isOfKind(given, values) && countOf(given) == 1)
    return given;
  return failure(Code::InvalidArgument, "default_tensor is ", given.text(),
                 ", it should be one element of the values, ", values.text());
}

Status glow::host::labelEncoder(HostCall &call) {
  const HostValue keys = listOf(call, "keys_"),
                  values = listOf(call, "values_"), &in = *call.input(0);
  if (bool(keys.strings()) != bool(in.strings()) || countOf(in) < 0)
    return failure(Code::InvalidArgument, "input 0 is ", in.text(),
                   ", but its keys are ", keys.text());
  if (countOf(keys) != countOf(values) || countOf(keys) < 0)
    return failure(Code::InvalidArgument, "its keys are ", keys.text(),
                   ", but its values are ", values.text());
  Result<Texts> known = keysOf(keys), wanted = keysOf(in);
  Result<HostValue> missing = defaultOf(call, values);
  if (!known || !wanted || !missing)
    return !known    ? known.status()
           : !wanted ? wanted.status()
                     : missing.status();
  return call.setOutput(
      0, elementsOr(values, placesOf(*known, *wanted), shapeOf(in), *missing));
}

/// Maps texts to numbers, or numbers to texts. In the first LabelEncoder the
/// numbers are indices of its list.
Status glow::host::categoryMapper(HostCall &call) {
  const bool places = call.hasAttribute("classes_strings");
  Texts texts =
      call.attribute<Texts>(places ? "classes_strings" : "cats_strings", {});
  Ints numbers = call.attribute<Ints>("cats_int64s", {});
  for (size_t i = 0; places && i < texts.size(); ++i)
    numbers.push_back(int64_t(i));
  if (numbers.size() != texts.size())
    return failure(Code::InvalidArgument, "it has ", texts.size(),
                   " texts, but ", numbers.size(), " numbers");
  if (const Strings *in = call.input(0)->strings()) {
    Ints result;
    for (int64_t place : placesOf(texts, in->elements))
      result.push_back(place < 0 ? call.attribute<int64_t>("default_int64", -1)
                                 : numbers[size_t(place)]);
    return call.setOutput(0, tensorOf<int64_t>(in->shape, result));
  }
  Result<Ints> in = call.ints(0);
  if (!in)
    return in.status();
  std::map<int64_t, std::string> named;
  for (size_t i = 0; i < texts.size(); ++i)
    named.emplace(numbers[i], texts[i]);
  TextList result;
  for (int64_t number : *in) {
    auto found = named.find(number);
    Status status = result.add(
        found == named.end()
            ? call.attribute<std::string>("default_string", "_Unused")
            : found->second);
    if (!status.ok())
      return status;
  }
  return call.setOutput(0, Strings{shapeOf(*call.input(0)), result.take()});
}

//===----------------------------------------------------------------------===//
// OneHotEncoder
//===----------------------------------------------------------------------===//

/// The elements of an input as categories; real numbers are rounded towards
/// zero.
static Result<Texts> categoriesOf(const HostCall &call) {
  const HostValue &in = *call.input(0);
  if (!in.tensor() || !isFloat(in.tensor()->type().kind))
    return keysOf(in);
  Result<Reals> numbers = call.reals(0);
  if (!numbers)
    return numbers.status();
  TextList words;
  for (double number : *numbers)
    if (Status status = words.add(keyOf(std::trunc(number))); !status.ok())
      return status;
  return words.take();
}

Status glow::host::oneHotEncoder(HostCall &call) {
  const HostValue categories = listOf(call, "cats_"), &in = *call.input(0);
  if (call.hasAttribute("cats_strings") == call.hasAttribute("cats_int64s"))
    return failure(
        Code::InvalidArgument,
        "one of attributes 'cats_int64s' and 'cats_strings' must be given");
  if (bool(categories.strings()) != bool(in.strings()) || countOf(in) < 0)
    return failure(Code::InvalidArgument, "input 0 is ", in.text(),
                   ", but its categories are ", categories.text());
  Result<Texts> known = keysOf(categories), wanted = categoriesOf(call);
  if (!known || !wanted)
    return known ? wanted.status() : known.status();
  Ints shape = shapeOf(in);
  const int64_t width = countOf(categories);
  shape.push_back(width);
  Result<Tensor> result = Tensor::zeros({ElementKind::F32, shape});
  if (!result)
    return result.status();
  const Ints places = placesOf(*known, *wanted);
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i] >= 0)
      result->elements<float>()[i * size_t(width) + size_t(places[i])] = 1;
    else if (!call.attribute<int64_t>("zeros", 1))
      return failure(Code::InvalidArgument, "element ", i, ", '", (*wanted)[i],
                     "', is none of its categories, and zeros is 0");
  return call.setOutput(0, std::move(result));
}
