//===- Initial.cpp - first elements of weights ----------------------------===//
// SPDX-License-Identifier: MIT
//
// The distributions of the standard library differ between its
// implementations, so that a seed would give other elements with each.
//
//===----------------------------------------------------------------------===//

#include "glow/Values/Initial.h"
#include "glow/Base/VisitKind.h"
#include "glow/Program/Failure.h"
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <sstream>

using namespace glow;

namespace {

using Element = std::function<double(std::mt19937_64 &)>;

/// A number from 0 to 1, 1 excluded.
double fraction(std::mt19937_64 &generator) {
  return double(generator() >> 11) * 0x1p-53;
}

Element uniform(double low, double high) {
  return [=](std::mt19937_64 &generator) {
    return low + (high - low) * fraction(generator);
  };
}

/// Box and Muller's method, of which one of two numbers is taken.
Element normal(double mean, double deviation) {
  return [=](std::mt19937_64 &generator) {
    const double radius = std::sqrt(-2 * std::log(1 - fraction(generator)));
    const double angle = 2 * std::numbers::pi * fraction(generator);
    return mean + deviation * radius * std::cos(angle);
  };
}

/// A word and its numbers.
struct Kind {
  const char *word;
  size_t numbers;
  Element (*make)(const double *numbers, double in, double out);
};

constexpr Kind kinds[] = {
    {"zero", 0,
     [](const double *, double, double) -> Element {
       return [](std::mt19937_64 &) { return 0.0; };
     }},
    {"broadcast", 1,
     [](const double *numbers, double, double) -> Element {
       return [value = numbers[0]](std::mt19937_64 &) { return value; };
     }},
    {"uniform", 2,
     [](const double *numbers, double, double) {
       return uniform(numbers[0], numbers[1]);
     }},
    {"normal", 2,
     [](const double *numbers, double, double) {
       return normal(numbers[0], numbers[1]);
     }},
    {"xavier", 0,
     [](const double *, double in, double out) {
       const double bound = std::sqrt(6 / (in + out));
       return uniform(-bound, bound);
     }},
    {"kaiming", 0,
     [](const double *, double in, double) {
       const double bound = std::sqrt(6 / in);
       return uniform(-bound, bound);
     }},
};

} // namespace

/// The elements that a text describes; null for any other text.
static Element elementOf(const std::string &text, double in, double out) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  for (const Kind &kind : kinds) {
    if (word != kind.word)
      continue;
    double numbers[2] = {};
    for (size_t i = 0; i < kind.numbers; ++i)
      if (!(words >> numbers[i]) || !std::isfinite(numbers[i]))
        return nullptr;
    std::string rest;
    return words >> rest ? nullptr : kind.make(numbers, in, out);
  }
  return nullptr;
}

Result<Tensor> glow::initialTensor(const TensorType &type,
                                   const std::string &text, uint64_t seed,
                                   int64_t fanIn) {
  if (!isFloat(type.kind) || byteSize(type.kind) < 2)
    return failureOf(Code::InvalidArgument,
                     {"an initialisation is for f32, f64, f16 and bf16, not ",
                      name(type.kind)});
  Result<Tensor> tensor = Tensor::zeros(type);
  if (!tensor || type.elements() == 0)
    return tensor;
  const int64_t last = type.shape.empty() ? 1 : type.shape.back();
  const int64_t in = fanIn > 0 ? fanIn : type.elements() / last;
  const Element element =
      elementOf(text, double(in), double(type.elements()) / double(in));
  if (!element)
    return failureOf(Code::InvalidArgument,
                     {"the initialisation is '", text,
                      "', it should be zero, broadcast X, uniform LOW HIGH, "
                      "normal MEAN DEVIATION, xavier or kaiming"});
  std::mt19937_64 generator(seed);
  visitKind(type.kind, [&]<typename T>(std::type_identity<T>) {
    if constexpr (!std::is_integral_v<T>)
      for (T &one : tensor->elements<T>())
        one = T(float(element(generator)));
  });
  return tensor;
}
