//===- Resize.cpp - a tensor sampled in another resolution ----------------===//
//
// Along each axis an element of the result is a weighted sum of one (nearest),
// two (linear) or four (cubic) elements of the operand; over all axes the
// weights multiply.
//
//===----------------------------------------------------------------------===//

#include "KernelSupport.h"
#include "glow/Values/MemoryBudget.h"

using namespace glow;
using namespace glow::kernels;

namespace {

struct Tap {
  int64_t index;
  double weight;
};
using Taps = std::vector<Tap>;

} // namespace

/// Where element `x` of `to` lies among `from` elements.
static double placeOf(int64_t x, int64_t from, int64_t to, double scale,
                      PixelPlace coordinates) {
  if (coordinates == PixelPlace::Asymmetric)
    return double(x) / scale;
  if (coordinates == PixelPlace::AlignCorners)
    // By the size before it was rounded down, as ONNX defines it.
    return x == 0 ? 0
                  : double(x) * double(from - 1) / (double(from) * scale - 1);
  if (coordinates == PixelPlace::TfHalfPixelForNn)
    return (double(x) + 0.5) / scale;
  if (coordinates == PixelPlace::PytorchHalfPixel && to == 1)
    return 0;
  double middle = (double(x) + 0.5) / scale - 0.5;
  if (coordinates != PixelPlace::HalfPixelSymmetric)
    return middle;
  // The sizes are whole, the scale may not be: keep the centres together.
  double adjustment = double(to) / (scale * double(from));
  return double(from) / 2 * (1 - adjustment) + middle;
}

/// The same, where it can be counted: further outside nothing changes, and what
/// a scale near 0 puts nowhere is first.
static double sourceOf(int64_t x, int64_t from, int64_t to, double scale,
                       PixelPlace coordinates) {
  double place = placeOf(x, from, to, scale, coordinates);
  return std::isnan(place) ? 0 : std::clamp(place, -4.0, double(from + 3));
}

static int64_t nearestTo(double x, PixelRounding rounding) {
  if (rounding == PixelRounding::Floor)
    return expr::floor(x);
  if (rounding == PixelRounding::Ceil)
    return expr::ceil(x);
  bool half = x - std::floor(x) == 0.5;
  if (rounding == PixelRounding::RoundPreferFloor && half)
    return expr::floor(x);
  return expr::floor(x + 0.5);
}

/// Keys' function of four points, of `a` at most -0.5; `d` is 0..1.
static std::array<double, 4> cubicWeights(double d, double a) {
  auto near = [&](double t) { return ((a + 2) * t - (a + 3)) * t * t + 1; };
  auto far = [&](double t) {
    return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
  };
  return {far(1 + d), near(d), near(1 - d), far(2 - d)};
}

template <typename Call>
static Taps tapsOf(double x, int64_t size, const Call &call) {
  Taps taps;
  int64_t first = expr::floor(x);
  double rest = x - double(first);
  if (call.mode == Interpolation::Nearest)
    taps = {{nearestTo(x, call.rounding), 1}};
  else if (call.mode == Interpolation::Linear)
    taps = {{first, 1 - rest}, {first + 1, rest}};
  else
    for (int64_t i = 0; i < 4; ++i)
      taps.push_back({first - 1 + i,
                      cubicWeights(rest, call.cubicCoefficient)[size_t(i)]});
  double sum = 0;
  for (Tap &tap : taps) {
    bool outside = tap.index < 0 || tap.index >= size;
    if (outside && call.mode == Interpolation::Cubic && call.excludeOutside)
      tap.weight = 0;
    tap.index = std::clamp<int64_t>(tap.index, 0, size - 1);
    sum += tap.weight;
  }
  // What sums to 0, but for roundings, stays.
  constexpr double least = 1e-6;
  if (call.mode == Interpolation::Cubic && call.excludeOutside &&
      std::fabs(sum) >= least)
    for (Tap &tap : taps)
      tap.weight /= sum;
  return taps;
}

/// For each axis, for each place along it, what it is made of.
template <typename Call>
static std::vector<std::vector<Taps>> allTaps(const Call &call) {
  const Ints &from = call.in.type->shape, &to = call.dims;
  std::vector<std::vector<Taps>> result(from.size());
  for (size_t axis = 0; axis < from.size(); ++axis)
    for (int64_t x = 0; x < to[axis]; ++x) {
      // Nothing is between the elements of an axis that stays as it is.
      bool same = from[axis] == to[axis] && call.scales[axis] == 1;
      result[axis].push_back(
          same ? Taps{{x, 1}}
               : tapsOf(sourceOf(x, from[axis], to[axis], call.scales[axis],
                                 call.coordinates),
                        from[axis], call));
    }
  return result;
}

/// Room for them, with up to four terms each.
static Result<MemoryBudget::Share> takeTaps(const Ints &to) {
  uint64_t places = 0;
  for (int64_t size : to)
    places += uint64_t(size);
  return MemoryBudget::take(places * (sizeof(Taps) + 4 * sizeof(Tap)));
}

namespace {

/// An element of the operand and how much of it goes into one of the result.
struct Term {
  int64_t offset;
  double weight;
};

} // namespace

/// Calls `visit` for each element of the result, in order, with what it is made
/// of. A single term has weight 1.
template <typename Call, typename Visitor>
static void eachElement(const Call &call, const TensorType &to, Visitor visit) {
  const TensorType &from = *call.in.type;
  std::vector<std::vector<Taps>> taps = allTaps(call);
  std::vector<Term> terms;
  for (Odometer at(Index<-1>(to.shape)); at.more(); at.next()) {
    auto choices = [&](int axis) -> const Taps & {
      return taps[size_t(axis)][size_t(at.index[axis])];
    };
    Index<-1> counts = at.index;
    for (int axis = 0; axis < counts.size(); ++axis)
      counts[axis] = int64_t(choices(axis).size());
    terms.clear();
    for (Odometer tap(counts); tap.more(); tap.next()) {
      Position place(from);
      double weight = 1;
      for (int axis = 0; axis < counts.size(); ++axis) {
        const Tap &choice = choices(axis)[size_t(tap.index[axis])];
        weight *= choice.weight;
        place.step(choice.index);
      }
      terms.push_back({place.offset, weight});
    }
    visit(terms);
  }
}

Status kernels::resize(const ResizeCall &call) {
  Result<MemoryBudget::Share> share = takeTaps(call.out.type->shape);
  if (!share)
    return share.status();
  visitKind(call.in.type->kind, [&]<typename T>(std::type_identity<T>) {
    auto *to = dataOf<T>(call.out);
    auto *from = dataOf<const T>(call.in);
    auto weigh = [&](const std::vector<Term> &terms) {
      double sum = 0;
      for (const Term &term : terms)
        sum += term.weight * double(load(from[term.offset]));
      // A single element is copied, so that large integers stay exact.
      *to++ =
          terms.size() == 1 ? from[terms[0].offset] : store<T>(Compute<T>(sum));
    };
    eachElement(call, *call.out.type, weigh);
  });
  return Status();
}

Status kernels::resizeGradient(const ResizeGradientCall &call) {
  const TensorType &type = *call.in.type;
  auto *sums = dataOf<double>(call.sums);
  std::fill_n(sums, type.elements(), 0);
  visitKind(type.kind, [&]<typename T>(std::type_identity<T>) {
    auto *from = dataOf<const T>(call.d_out);
    auto spread = [&](const std::vector<Term> &terms) {
      double gradient = double(load(*from++));
      for (const Term &term : terms)
        sums[term.offset] += term.weight * gradient;
    };
    eachElement(call, *call.d_out.type, spread);
    auto *to = dataOf<T>(call.d_in);
    for (int64_t i = 0; i < type.elements(); ++i)
      to[i] = store<T>(Compute<T>(sums[i]));
  });
  return Status();
}
