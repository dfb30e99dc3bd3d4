//===- FormulaSamples.cpp - accuracy of formulas --------------------------===//
// SPDX-License-Identifier: MIT
//
// Tests the formula of a Pointwise record of f32 and f64, on numbers of every
// sign and exponent, and on many between -16 and 16. Each backend's result must
// be within the record's number of units in the last place of the exact result,
// which is computed in `long double`.
//
//===----------------------------------------------------------------------===//

#include "CaseMaker.h"
#include "FormulaValue.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/Build.h"
#include "glow/IR/InstrInfo.h"
#include "glow/IR/Loops.h"
#include "glow/Program/BackendRecord.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Format.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace glow;

namespace {

/// A power of two a little above the smallest normal number. Smaller results
/// may be 0, such as the reciprocal of an infinite exponential.
template <typename T>
const long double tiny =
    std::ldexp(1.0L, std::numeric_limits<T>::min_exponent + 5);

/// The distance of `got` from `wanted` in units in the last place of the
/// result.
template <typename T> double unitsOff(T got, long double wanted) {
  const double infinity = std::numeric_limits<double>::infinity();
  const T rounded = T(wanted), largest = std::numeric_limits<T>::max();
  if (std::isnan(rounded) || std::isnan(got))
    return std::isnan(rounded) == std::isnan(got) ? 0 : infinity;
  if (got == rounded || std::fabs(got - wanted) < tiny<T>)
    return 0;
  if (std::isinf(got) || std::isinf(rounded)) {
    bool isNext = std::isinf(rounded) ? got == std::copysign(largest, rounded)
                                      : rounded == std::copysign(largest, got);
    return isNext ? 1 : infinity;
  }
  int last = std::ilogb(rounded) + 1 - std::numeric_limits<T>::digits;
  return double(std::fabs(got - wanted) / std::ldexp(1.0L, last));
}

/// Numbers of every sign and exponent, then some of ordinary size; a second
/// operand gets other numbers.
template <typename T> void fill(glow::Tensor &tensor, unsigned operand) {
  using Limits = std::numeric_limits<T>;
  std::mt19937_64 random(operand + 1);
  std::uniform_real_distribution<T> fraction(T(0.5), T(1)), everyday(-16, 16);
  const T special[] = {0,
                       -T(0),
                       1,
                       -1,
                       Limits::infinity(),
                       -Limits::infinity(),
                       0.5,
                       3,
                       -3,
                       6,
                       Limits::quiet_NaN(),
                       Limits::max(),
                       Limits::lowest(),
                       Limits::denorm_min(),
                       T(1e-3),
                       20};
  const int lowest = Limits::min_exponent - 8,
            count = Limits::max_exponent - lowest + 1;
  size_t place = 0;
  for (T &element : tensor.elements<T>()) {
    size_t i = place++, width = tensor.elements<T>().size();
    if (i < std::size(special))
      element = special[(i + operand) % std::size(special)];
    else if (i < width / 2)
      element = std::ldexp(random() % 2 ? fraction(random) : -fraction(random),
                           lowest + int(operand ? random() % unsigned(count)
                                                : i % unsigned(count)));
    else
      element = everyday(random);
  }
}

/// Replaces large numbers, so that divisors of logistic functions stay below
/// 3.3e38.
template <typename T> void keepSmall(glow::Tensor &tensor) {
  for (T &element : tensor.elements<T>())
    if (!(std::fabs(element) <= 87))
      element = 1;
}

class FormulaTest {
public:
  FormulaTest(MLIRContext &context, const SampleInfo &sample, ElementKind kind)
      : context(context), sample(sample), kind(kind),
        info(*ir::findLoops(mnemonic())) {}

  /// Runs on a backend. The reported units are those of the worst result.
  CaseOutcome runOn(const std::string &backend, Math math) {
    return kind == ElementKind::F32 ? runOf<float>(backend, math)
                                    : runOf<double>(backend, math);
  }

private:
  StringRef mnemonic() const {
    return StringRef(sample.node).split('.').second;
  }

  /// The bound of f64. Its exponentials reach eight times as far as those of
  /// f32, and so does the effect of a rounded operand.
  unsigned bound() const {
    return kind == ElementKind::F64 && info.ulps > 4 ? 8 * info.ulps
                                                     : info.ulps;
  }

  SampleModule build() {
    std::vector<OperandText> operands = operandsOf(context, sample);
    for (OperandText &operand : operands)
      operand.type =
          RankedTensorType::get({16384}, kindNamed(&context, name(kind)));
    return buildSample(context, sample, operands,
                       [&](OpBuilder &, Operation *node, auto &results) {
                         roundAttributes(node);
                         llvm::append_range(results, node->getResults());
                       });
  }

  /// Rounds attributes to f32, which holds them for every kind.
  void roundAttributes(Operation *node) {
    numbers.clear();
    for (const ir::AttributeInfo &attribute :
         ir::findInstr(mnemonic())->attributes) {
      Attribute value = node->getAttr(attribute.name);
      if (auto real = dyn_cast<FloatAttr>(value)) {
        numbers.push_back(double(float(real.getValueAsDouble())));
        node->setAttr(attribute.name,
                      FloatAttr::get(real.getType(), numbers.back()));
      } else {
        numbers.push_back(double(cast<IntegerAttr>(value).getInt()));
      }
    }
  }

  template <typename T>
  CaseOutcome runOf(const std::string &backend, Math math) {
    CaseOutcome outcome;
    SampleModule made = build();
    if (!made.built)
      return {"is refused: " + made.said};
    for (auto [i, input] : llvm::enumerate(made.inputs)) {
      fill<T>(input, unsigned(i));
      if (math != Math::Strict)
        keepSmall<T>(input);
    }
    Executable executable;
    CodeOptions options;
    options.math = math;
    std::vector<glow::Tensor> results;
    outcome.why =
        executable.compile(*made.module, /*optimise=*/true, backend, options);
    if (outcome.why.empty())
      outcome.why = executable.run(made.inputs, results);
    if (outcome.why.empty())
      compareWith<T>(made.inputs, results[0].elements<T>(), outcome);
    return outcome;
  }

  template <typename T>
  void compareWith(const std::vector<glow::Tensor> &inputs,
                   std::span<const T> results, CaseOutcome &outcome) {
    loops::Program program(
        std::vector<loops::Tensor>(inputs.size(), {kind, {}}));
    program.computes = kind;
    loops::Terms loads;
    for (size_t i = 0; i < inputs.size(); ++i)
      loads.push_back(program.load(unsigned(i), {}, loops::Outside::Never,
                                   loops::Form::Element));
    loops::Term formula =
        loops::asElement(info.formula(program, loads, numbers));
    for (size_t i = 0; i < results.size(); ++i) {
      SmallVector<long double, 3> x;
      std::string at;
      for (const glow::Tensor &input : inputs) {
        x.push_back(input.elements<T>()[i]);
        at += (at.empty() ? "" : ", ") + textOf(double(x.back()));
      }
      long double wanted = formulaValue(*formula, x);
      double units = unitsOff<T>(results[i], wanted);
      if (units <= outcome.units)
        continue;
      outcome.units = units;
      if (units > bound())
        outcome.why =
            "is " + textOf(units) + " units in the last place off at " + at +
            ", more than " + std::to_string(bound()) + ": it gives " +
            textOf(double(results[i])) + ", not " + textOf(double(wanted));
    }
  }

  static std::string textOf(double number) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.9g", number);
    return text;
  }

  MLIRContext &context;
  const SampleInfo &sample;
  const ElementKind kind;
  const ir::LoopsInfo &info;
  SmallVector<double> numbers;
};

/// Whether a sample's node is a formula on elements of this kind only.
bool hasFormula(const SampleInfo &sample, ElementKind kind) {
  auto kinds = ir::formulaKinds(StringRef(sample.node).split('.').second, kind);
  return kinds && kinds->result == kind &&
         llvm::all_of(kinds->operands,
                      [&](ElementKind other) { return other == kind; }) &&
         ir::findLoops(StringRef(sample.node).split('.').second)->ulps;
}

} // namespace

void glow::addFormulaCases(const std::shared_ptr<CaseMaker> &maker) {
  std::set<StringRef> seen;
  for (const SampleInfo &sample : allSamples()) {
    if (*sample.refuses || !maker->isChosen(sample.node) ||
        !seen.insert(sample.node).second)
      continue;
    std::vector<std::string> backends = maker->backendsFor(sample.node);
    // A backend of a plug-in has bounds of its own.
    llvm::erase_if(backends, [&](const std::string &backend) {
      const std::set<std::string> &known = maker->choice.known.backends;
      return hasKernel(sample.node, backend) ||
             (!known.empty() && !known.contains(backend));
    });
    backends.insert(backends.begin(), referenceBackend());
    for (ElementKind kind : {ElementKind::F32, ElementKind::F64})
      for (const std::string &backend : backends)
        for (Math math : {Math::Strict, Math::Default})
          if (hasFormula(sample, kind) &&
              (math == Math::Strict || backend != referenceBackend()))
            maker->add(CaseKind::Formula, sample.node,
                       " of " + Twine(name(kind)) + " on backend '" + backend +
                           (math == Math::Strict ? "', strict" : "'"),
                       placeOf(sample.node),
                       [&sample, kind, backend, math](MLIRContext &context) {
                         return FormulaTest(context, sample, kind)
                             .runOn(backend, math);
                       });
  }
}
