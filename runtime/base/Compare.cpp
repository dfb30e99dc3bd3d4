//===- Compare.cpp - comparison of results --------------------------------===//
// SPDX-License-Identifier: MIT
//
// By default the tolerance of an element is proportional to the largest element
// of its tensor. Sums of large numbers cancel, so that a small element has the
// errors of its large neighbours. Integers are equal or wrong.
//
//===----------------------------------------------------------------------===//

#include "glow/Runtime/Compare.h"
#include "glow/Base/VisitKind.h"
#include <algorithm>
#include <cmath>
#include <concepts>
#include <sstream>

using namespace glow;

namespace {

/// Collects what the comparison of one tensor finds.
class Comparison {
public:
  Comparison(const TensorType &type, const Tolerance &tolerance)
      : type(type), tolerance(tolerance) {}

  template <typename T>
  Difference run(const void *actual, const void *expected) {
    const T *a = static_cast<const T *>(actual);
    const T *e = static_cast<const T *>(expected);
    if constexpr (!std::integral<T>)
      prepare(e);
    found.elements = type.elements();
    for (int64_t i = 0; i < found.elements; ++i)
      if constexpr (std::same_as<T, bool>)
        compareInteger(i, byte(&a[i]) != 0, byte(&e[i]) != 0);
      else if constexpr (std::integral<T>)
        compareInteger(i, a[i], e[i]);
      else
        compareReal(i, double(a[i]), double(e[i]));
    return std::move(found);
  }

private:
  // A byte that is neither 0 nor 1 must not be read as a bool.
  static uint8_t byte(const bool *value) {
    return *reinterpret_cast<const uint8_t *>(value);
  }

  template <typename T> void prepare(const T *expected) {
    rtol = tolerance.rtol;
    if constexpr (sizeof(T) == 2)
      rtol = std::max({rtol, tolerance.rtolOfHalves,
                       double(std::numeric_limits<T>::epsilon())});
    for (int64_t i = 0; i < type.elements(); ++i)
      if (double size = std::fabs(double(expected[i])); std::isfinite(size))
        largestExpected = std::max(largestExpected, size);
  }

  template <typename T> void compareInteger(int64_t i, T a, T e) {
    if (a == e)
      return;
    double distance = std::fabs(double(a) - double(e));
    // Numbers past 2^53 may differ and yet have the same double.
    report(i, +a, +e, std::max(distance, 1.0), 0);
  }

  void compareReal(int64_t i, double a, double e) {
    // Two NaN count as equal: a model that makes NaN does so on every device.
    if (std::isnan(a) && std::isnan(e))
      return;
    if (!std::isfinite(a) || !std::isfinite(e)) {
      if (a != e)
        report(i, a, e, std::numeric_limits<double>::infinity(), 0);
      return;
    }
    double scale = tolerance.scale == Tolerance::EachElement ? std::fabs(e)
                                                             : largestExpected;
    double allowed = tolerance.atol + rtol * scale;
    double distance = std::fabs(a - e);
    found.largest = std::max(found.largest, distance);
    if (distance > allowed)
      report(i, a, e, distance, allowed);
  }

  template <typename T>
  void report(int64_t i, T a, T e, double distance, double allowed) {
    if (std::isfinite(distance))
      found.largest = std::max(found.largest, distance);
    double excess = distance - allowed;
    // Only the worst element gets a text.
    if (found.wrong++ != 0 && excess <= worstExcess)
      return;
    worstExcess = excess;
    std::ostringstream text;
    text.precision(9);
    text << "element " << position(i) << " is " << a << ", expected " << e;
    if (allowed > 0)
      text << " within " << allowed;
    found.worst = text.str();
  }

  /// "[0,3,1]" of a row-major index.
  std::string position(int64_t index) const {
    std::string text;
    for (size_t d = type.shape.size(); d-- > 0; index /= type.shape[d])
      text = std::to_string(index % type.shape[d]) + (text.empty() ? "" : ",") +
             text;
    return '[' + text + ']';
  }

  const TensorType &type;
  const Tolerance &tolerance;
  Difference found;
  double rtol = 0, largestExpected = 0, worstExcess = 0;
};

} // namespace

Result<Difference> glow::compare(TensorView actual, TensorView expected,
                                 const Tolerance &tolerance) {
  if (*actual.type != *expected.type)
    return failure(Code::ShapeMismatch, "is ", actual.type->text(),
                   ", expected ", expected.type->text());
  return visitKind(actual.type->kind, [&]<typename T>(std::type_identity<T>) {
    return Comparison(*actual.type, tolerance)
        .run<T>(actual.data, expected.data);
  });
}

Status glow::verdict(const std::string &name, const Result<Difference> &found) {
  if (!found)
    return found.status().prefixed("output '" + name + "' ");
  if (found->ok())
    return Status();
  return failure(Code::InvalidArgument, "output '", name, "' has ",
                 found->wrong, " of ", found->elements,
                 " elements too far off, the worst: ", found->worst);
}
