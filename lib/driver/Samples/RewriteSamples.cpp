//===- RewriteSamples.cpp - both sides of every rewrite and pattern -------===//
// SPDX-License-Identifier: MIT
//
// The left side of a rewrite is built from its sample and run. The rewrite must
// then apply, and its result must have the same values: bit by bit, unless its
// record has `rounds`. Kinds other than that of the sample are tried where the
// nodes of the left side allow them. Both sides also run on zeros of both
// signs, infinities, NaN, the largest and the smallest numbers: with `rounds`,
// no infinity and no NaN may come or go. Where a record names the limits of a
// range, operands reach them and beyond.
//
//===----------------------------------------------------------------------===//

#include "CaseMaker.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "glow/Optimizer/Rewrites.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace glow;

/// Fills inputs of floats with extreme numbers, beginning at number `first`.
/// Inputs whose range excludes 0, such as scales, are left out. Numbers of two
/// inputs are combined at several indices.
static void setExtremes(const RewriteSample &sample,
                        ArrayRef<OperandText> operands, size_t first,
                        SampleModule &module) {
  for (auto [offset, input, operand, record] :
       llvm::enumerate(module.inputs, operands, sample.operands)) {
    // A range that excludes 0 is that of scales.
    if (operand.constant || operand.low > 0 || operand.high < 0)
      continue;
    visitKind(input.type().kind, [&](auto identity) {
      using T = typename decltype(identity)::type;
      using Limits = std::numeric_limits<T>;
      if constexpr (!Limits::is_integer) {
        const double largest(Limits::max());
        const bool isBounded = record.limit;
        const double most = isBounded ? record.limit(largest) : largest,
                     end = isBounded ? most / 2
                                     : std::numeric_limits<double>::infinity();
        const T extremes[] = {T(-0.0),  T(-end),
                              T(most),  Limits::quiet_NaN(),
                              T(0.0),   Limits::denorm_min(),
                              T(-most), T(end),
                              T(-0.5)};
        size_t at = first + 4 * offset;
        for (T &element : input.template elements<T>())
          element = extremes[at++ % std::size(extremes)];
      }
    });
  }
}

/// Where elements of two results are not both finite, the same infinity, or
/// NaN; "" where all are.
static std::string differsInEnds(const std::vector<glow::Tensor> &actual,
                                 const std::vector<glow::Tensor> &expected) {
  std::string why;
  for (auto [a, e] : llvm::zip_equal(actual, expected))
    visitKind(a.type().kind, [&](auto identity) {
      using T = typename decltype(identity)::type;
      if constexpr (!std::numeric_limits<T>::is_integer)
        for (auto [x, y] : llvm::zip_equal(a.template elements<T>(),
                                           e.template elements<T>())) {
          const double one(x), other(y);
          if (std::fpclassify(one) != std::fpclassify(other) &&
              !(std::isfinite(one) && std::isfinite(other)))
            why = "gives " + std::to_string(one) + ", not " +
                  std::to_string(other);
          else if (std::isinf(one) && one != other)
            why = "gives an infinity of another sign";
        }
    });
  return why;
}

namespace {

/// The reason why a rewrite does not match: a condition that does not hold, or
/// else the mismatch of its left side.
struct MatchFailures : RewriterBase::Listener {
  void
  notifyMatchFailure(Location,
                     function_ref<void(Diagnostic &)> reasonCallback) override {
    Diagnostic reason(UnknownLoc::get(context), DiagnosticSeverity::Remark);
    reasonCallback(reason);
    std::string text = reason.str();
    if (why.empty() || StringRef(text).starts_with("not so"))
      why = text;
  }
  explicit MatchFailures(MLIRContext *context) : context(context) {}

  MLIRContext *context;
  std::string why;
};

class RewriteTest {
public:
  RewriteTest(MLIRContext &context, const RewriteSample &sample)
      : context(context), sample(sample) {}

  /// Empty when the test passes, or when a kind other than the sample's own
  /// does not build or match.
  std::string run(StringRef kind) {
    SampleModule left = build(kind);
    if (!left.built)
      return kind.empty() ? "does not build: " + left.said : "";
    SampleModule right = build(kind);
    if (!apply(right))
      return kind.empty() ? "does not apply" + right.said : "";
    std::string why = compareSides(left, right, sample.rounds ? 4 : 0);
    if (!why.empty() && !sample.rounds && compareSides(left, right, 4).empty())
      why += "; a rewrite whose sides differ in their last bits has rounds = 1";
    if (!why.empty())
      return why;
    // Tensors may be smaller than the list of extreme numbers.
    for (size_t first : {0, 3, 6}) {
      setExtremes(sample, operands, first, left);
      setExtremes(sample, operands, first, right);
      why = sample.rounds ? compareEnds(left, right)
                          : compareSides(left, right, 0);
      if (!why.empty())
        return "for extreme numbers " + why;
    }
    return "";
  }

  bool hasEnds() const {
    return llvm::any_of(sample.operands, [](const SampleOperand &operand) {
      return operand.exponent != 0;
    });
  }

  /// Tests operands that reach both limits of a kind. Products of two operands
  /// that grow by one power per step leave the range at half of the exponents.
  std::string runEnds(StringRef kind) {
    auto real = cast<FloatType>(kindNamed(&context, kind));
    int half = APFloat::semanticsMaxExponent(real.getFloatSemantics()) / 2;
    bool applied = false, refused = false;
    for (int beyond = -3; beyond <= 3; ++beyond)
      for (int end : {-1, 1}) {
        power = end * (half + beyond);
        SampleModule left = build(kind), right = build(kind);
        if (!left.built || !right.built || !apply(right)) {
          refused = true;
          continue;
        }
        applied = true;
        if (std::string why = compareSides(left, right, 8); !why.empty())
          return "at 2^" + std::to_string(power) + " " + why;
      }
    if (!applied)
      return "applies nowhere at the ends of the kind";
    return refused ? "" : "applies where the kind holds no such constants";
  }

private:
  using Results = std::vector<glow::Tensor>;

  static std::string runSides(SampleModule &left, SampleModule &right,
                              Results &expected, Results &actual) {
    if (mlir::failed(verify(*right.module)))
      return "gives what does not verify";
    std::string why = execute(left, false, expected);
    return why.empty() ? execute(right, false, actual) : why;
  }

  static std::string compareSides(SampleModule &left, SampleModule &right,
                                  int roundings) {
    Results expected, actual;
    std::string why = runSides(left, right, expected, actual);
    return why.empty() ? compare("", actual, expected, roundings) : why;
  }

  static std::string compareEnds(SampleModule &left, SampleModule &right) {
    Results expected, actual;
    std::string why = runSides(left, right, expected, actual);
    return why.empty() ? differsInEnds(actual, expected) : why;
  }

  /// Operands of the first one's kind change it together.
  SampleModule build(StringRef kind) {
    operands.clear();
    SmallVector<ElementKind> through;
    StringRef first;
    for (const SampleOperand &operand : sample.operands) {
      StringRef written = StringRef(operand.text).split('[').first.trim();
      if (first.empty())
        first = written;
      operands.push_back(
          readOperand(&context, operand.text, written == first ? kind : ""));
      through.push_back(*kindOf(operands.back().type.getElementType()));
      if (!power)
        continue;
      operands.back().constant = true;
      operands.back().low =
          std::ldexp(operands.back().low, operand.exponent * power);
      operands.back().high =
          std::ldexp(operands.back().high, operand.exponent * power);
    }
    root = nullptr;
    return buildModule(
        context, operands, through,
        [&](OpBuilder &builder, ValueRange values,
            SmallVectorImpl<Value> &results) {
          if (mlir::failed(sample.build(builder, builder.getUnknownLoc(),
                                        values, results)))
            return false;
          root = results.front().getDefiningOp();
          return true;
        });
  }

  /// Applies the rewrite of this name at its first match.
  bool apply(SampleModule &right) {
    RewritePatternSet patterns(&context);
    RewriteChoice choice{backendOfRewrite(sample.rewrite)};
    choice.raising = true;
    const std::vector<std::string> needed = nodesNeeded();
    choice.runs = needed;
    addRewrites(patterns, choice);
    addPatterns(patterns, choice);
    FrozenRewritePatternSet frozen(std::move(patterns));
    PatternApplicator applicator(frozen);
    applicator.applyCostModel([&](const Pattern &pattern) {
      return pattern.getDebugName().rsplit("::").second == sample.rewrite ||
                     pattern.getDebugName() == sample.rewrite
                 ? pattern.getBenefit()
                 : PatternBenefit::impossibleToMatch();
    });
    PatternRewriter rewriter(&context);
    rewriter.setInsertionPoint(root);
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      right.said += diagnostic.str();
      return success();
    });
    MatchFailures failures(&context);
    rewriter.setListener(&failures);
    if (succeeded(applicator.matchAndRewrite(root, rewriter)))
      return right.said.empty();
    right.said = failures.why.empty() ? "" : ": " + failures.why;
    return false;
  }

  MLIRContext &context;
  const RewriteSample &sample;
  SmallVector<OperandText> operands; ///< operands of the last build
  Operation *root = nullptr;
  int power = 0; ///< that operands are scaled by; 0 as the sample has them
};

} // namespace

static std::string testRewrite(MLIRContext &context,
                               const RewriteSample &sample) {
  for (StringRef kind :
       {"", "f64", "f16", "bf16", "i8", "i32", "i64", "u8", "bool"})
    if (std::string why = RewriteTest(context, sample).run(kind); !why.empty())
      return "as " + (kind.empty() ? "written" : kind.str()) + " " + why;
  if (RewriteTest(context, sample).hasEnds())
    for (StringRef kind : {"f16", "bf16", "f32"})
      if (std::string why = RewriteTest(context, sample).runEnds(kind);
          !why.empty())
        return "as " + kind.str() + " " + why;
  return "";
}

void glow::addRewriteCases(CaseMaker &maker) {
  for (const RewriteSample &sample : allRewriteSamples())
    if (!maker.choice.known.rewrites.contains(sample.rewrite))
      maker.add(CaseKind::Rewrite, sample.rewrite, "", sample.place,
                [&sample](MLIRContext &context) {
                  return CaseOutcome{testRewrite(context, sample)};
                });
}
