//===- TextVectors.cpp - numbers for texts --------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/HostOperators/Functions.h"
#include "glow/Values/Texts.h"

using namespace glow;

using Texts = std::vector<std::string>;

/// The elements of a tensor of integers or texts, as texts.
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

/// The sequences of words in the pool, with their outputs and weights.
struct Grams {
  std::map<Texts, size_t> places; ///< index of the sequence's weight
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
  // A sequence longer than the row does not occur, whatever it skips.
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
