//===- TextVectors.cpp - numbers for texts --------------------------------===//

#include "glow/Base/VisitKind.h"
#include "glow/HostOperators/Functions.h"
#include "glow/HostOperators/Texts.h"
#include <charconv>
#include <cmath>

using namespace glow;

using Texts = std::vector<std::string>;

/// The elements of a tensor of whole numbers or texts, as texts.
static Result<Texts> wordsOf(const HostCall &call, unsigned index) {
  if (const HostValue *value = call.input(index); value && value->strings())
    return value->strings()->elements;
  Result<Ints> numbers = call.ints(index);
  if (!numbers)
    return numbers.status();
  TextList words;
  for (int64_t number : *numbers)
    if (Status status = words.add(std::to_string(number)); !status.ok())
      return status;
  return words.take();
}

//===----------------------------------------------------------------------===//
// Sequences of words, counted
//===----------------------------------------------------------------------===//

namespace {

/// What each sequence of words in the pool counts for.
struct Grams {
  std::map<Texts, size_t> places; ///< which of the weights
  Ints outputs;                   ///< by place: where it is counted
  Reals weights;
  int64_t shortest = 1, longest = 1, mostSkips = 0, width = 0;
  std::string mode;

  Status read(const HostCall &call);
  void count(const Texts &row, std::span<float> result) const;
};

} // namespace

static Result<Texts> poolOf(const HostCall &call) {
  Texts pool = call.attribute<Texts>("pool_strings", {});
  for (int64_t number : call.attribute<Ints>("pool_int64s", {}))
    pool.push_back(std::to_string(number));
  if (call.hasAttribute("pool_strings") && call.hasAttribute("pool_int64s"))
    return failure(Code::InvalidArgument,
                   "it has both pool_strings and pool_int64s");
  return pool;
}

Status Grams::read(const HostCall &call) {
  Result<Texts> pool = poolOf(call);
  if (!pool)
    return pool.status();
  shortest = call.attribute<int64_t>("min_gram_length", 1);
  longest = call.attribute<int64_t>("max_gram_length", 1);
  mostSkips = call.attribute<int64_t>("max_skip_count", 0);
  mode = call.attribute<std::string>("mode", "TF");
  outputs = call.attribute<Ints>("ngram_indexes", {});
  weights = call.attribute<Reals>("weights", {});
  Ints starts = call.attribute<Ints>("ngram_counts", {});
  if (shortest < 1 || longest < shortest || mostSkips < 0)
    return failure(Code::InvalidArgument, "it counts grams of ", shortest,
                   " to ", longest, " words with up to ", mostSkips,
                   " skips, which are none");
  for (size_t length = 1; length <= starts.size(); ++length) {
    auto end = length < starts.size() ? starts[length] : int64_t(pool->size());
    int64_t at = starts[length - 1];
    if (at < 0 || end < at || end > int64_t(pool->size()) ||
        (end - at) % int64_t(length))
      return failure(Code::InvalidArgument, "ngram_counts ", shapeText(starts),
                     " do not divide a pool of ", pool->size());
    for (; at < end; at += int64_t(length))
      places.emplace(
          Texts(pool->begin() + at, pool->begin() + at + int64_t(length)),
          places.size());
  }
  for (int64_t output : outputs) {
    if (output < 0 || output >= int64_t(1) << 31)
      return failure(Code::InvalidArgument, "ngram_indexes has ", output);
    width = std::max(width, output + 1);
  }
  if (places.size() > outputs.size() ||
      (!weights.empty() && weights.size() < outputs.size()))
    return failure(Code::InvalidArgument, "there are ", places.size(),
                   " grams, but ", outputs.size(), " ngram_indexes and ",
                   weights.size(), " weights");
  return Status();
}

void Grams::count(const Texts &row, std::span<float> result) const {
  const int64_t size = int64_t(row.size());
  // What is longer than the row, however few words it skips, is not in it.
  for (int64_t length = shortest; length <= std::min(longest, size); ++length)
    // A single word skips nothing.
    for (int64_t step = 1;
         step <= (length == 1 ? 1 : std::min(mostSkips, size) + 1); ++step)
      for (int64_t start = 0; start + (length - 1) * step < size; ++start) {
        Texts gram;
        for (int64_t i = 0; i < length; ++i)
          gram.push_back(row[size_t(start + i * step)]);
        if (auto found = places.find(gram); found != places.end())
          result[size_t(outputs[found->second])] += 1;
      }
  if (mode == "TF")
    return;
  for (size_t place = 0; place < outputs.size(); ++place) {
    float &value = result[size_t(outputs[place])];
    float weight = weights.empty() ? 1 : float(weights[place]);
    value = mode == "IDF" ? (value > 0 ? weight : 0) : value * weight;
  }
}

Status glow::host::tfIdfVectorizer(HostCall &call) {
  Grams grams;
  if (Status status = grams.read(call); !status.ok())
    return status;
  Result<Texts> words = wordsOf(call, 0);
  if (!words)
    return words.status();
  const HostValue &in = *call.input(0);
  Ints shape = in.tensor() ? in.tensor()->type().shape : in.strings()->shape;
  if (shape.empty() || shape.size() > 2)
    return failure(Code::ShapeMismatch, "input 0 is ", in.text(),
                   ", it should have one or two dimensions");
  const size_t rows = shape.size() == 2 ? size_t(shape[0]) : 1;
  const auto columns = size_t(shape.back());
  shape.back() = grams.width;
  Result<Tensor> result = Tensor::zeros({ElementKind::F32, shape});
  if (!result)
    return result.status();
  for (size_t row = 0; row < rows; ++row) {
    auto begin = words->begin() + long(row * columns);
    grams.count(Texts(begin, begin + long(columns)),
                result->elements<float>().subspan(row * size_t(grams.width),
                                                  size_t(grams.width)));
  }
  return call.setOutput(0, std::move(result));
}

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

/// A number as the key that equal numbers share; all NaN are one.
static std::string keyOf(double number) {
  char text[64];
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

template <typename T, typename From>
static HostValue tensorValue(const std::vector<From> &list) {
  Result<Tensor> tensor = tensorOf<T>({int64_t(list.size())},
                                      std::vector<T>(list.begin(), list.end()));
  return tensor ? HostValue(tensor.take()) : HostValue();
}

/// The list in the attribute of that name and one of three kinds.
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

/// For texts: which value each gets, -1 for the default.
static Ints placesOf(const Texts &keys, const Texts &wanted) {
  std::map<std::string_view, int64_t> places;
  for (size_t i = 0; i < keys.size(); ++i)
    places.emplace(keys[i], int64_t(i));
  Ints result;
  for (const std::string &key : wanted) {
    auto found = places.find(key);
    result.push_back(found == places.end() ? -1 : found->second);
  }
  return result;
}

template <typename T>
static T defaultOf(const HostCall &call, const char *name, T missing) {
  const HostValue value = call.attribute<HostValue>("default_tensor", {});
  if (const Tensor *tensor = value.tensor())
    if (tensor->type().kind == kindOf<T>() && tensor->type().elements() == 1)
      return tensor->elements<T>()[0];
  if constexpr (std::is_integral_v<T>)
    return call.attribute<int64_t>(name, missing);
  else
    return T(call.attribute<double>(name, missing));
}

template <typename T>
static Status setLabels(HostCall &call, const Tensor &values, T missing,
                        const Ints &places, const Ints &shape) {
  Result<Tensor> result = Tensor::zeros({kindOf<T>(), shape});
  if (!result)
    return result.status();
  for (size_t i = 0; i < places.size(); ++i)
    result->elements<T>()[i] =
        places[i] < 0 ? missing : values.elements<T>()[size_t(places[i])];
  return call.setOutput(0, std::move(result));
}

Status glow::host::labelEncoder(HostCall &call) {
  HostValue keys = listOf(call, "keys_"), values = listOf(call, "values_");
  Result<Texts> known = keysOf(keys), wanted = keysOf(*call.input(0));
  Result<Texts> labels = keysOf(values);
  if (!known || !wanted || !labels)
    return failure(Code::InvalidArgument,
                   "its keys, values and input should be strings or numbers");
  if (labels->size() != known->size())
    return failure(Code::InvalidArgument, "it has ", known->size(),
                   " keys, but ", labels->size(), " values");
  const HostValue &in = *call.input(0);
  Ints shape = in.tensor() ? in.tensor()->type().shape : in.strings()->shape;
  Ints places = placesOf(*known, *wanted);
  if (const Strings *texts = values.strings()) {
    TextList result;
    std::string missing =
        call.attribute<std::string>("default_string", "_Unused");
    for (int64_t place : places)
      if (Status status =
              result.add(place < 0 ? missing : texts->elements[size_t(place)]);
          !status.ok())
        return status;
    return call.setOutput(0, Strings{shape, result.take()});
  }
  const Tensor &numbers = *values.tensor();
  if (numbers.type().kind == ElementKind::I64)
    return setLabels<int64_t>(call, numbers,
                              defaultOf<int64_t>(call, "default_int64", -1),
                              places, shape);
  if (numbers.type().kind == ElementKind::F32)
    return setLabels<float>(call, numbers,
                            defaultOf<float>(call, "default_float", -0.0F),
                            places, shape);
  return failure(Code::Unsupported, "its values are ", numbers.type().text(),
                 ", which is not supported");
}

/// In both directions: numbers of texts, or texts of numbers, which in the
/// first LabelEncoder are the places in its list.
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
  Strings result{call.input(0)->tensor()->type().shape, {}};
  for (int64_t number : *in) {
    auto found = named.find(number);
    result.elements.push_back(
        found == named.end()
            ? call.attribute<std::string>("default_string", "_Unused")
            : found->second);
  }
  call.setOutput(0, HostValue(std::move(result)));
  return Status();
}
