//===- HalfSamples.cpp - nodes on f16 and bf16 round once -----------------===//
// SPDX-License-Identifier: MIT
//
// A node on f16 or bf16 gives what the same node gives on f32 for the same
// numbers, rounded once: within one unit in the last place, however many nodes
// its lowering makes. Operands have the numbers of the sample, and numbers of
// 60 to 300, whose squares and sums f16 does not hold.
//
//===----------------------------------------------------------------------===//

#include "CaseMaker.h"
#include "glow/Base/Half.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace glow;

namespace {

/// The number's place among all of its kind, in order of size.
template <typename T> int rankAmongAll(T number) {
  int magnitude = number.bits & 0x7fff;
  return number.bits & 0x8000 ? -magnitude : magnitude;
}

/// The numbers of the kind from one to another. NaN equals NaN.
template <typename T> int unitsBetween(T a, T b) {
  if (std::isnan(float(a)) || std::isnan(float(b)))
    return std::isnan(float(a)) == std::isnan(float(b)) ? 0 : 1 << 16;
  return std::abs(rankAmongAll(a) - rankAmongAll(b));
}

/// How a result of halves differs from that of f32, or "".
template <typename T>
std::string differenceOf(std::span<const T> actual,
                         std::span<const float> wide) {
  for (auto [a, e] : llvm::zip_equal(actual, wide))
    if (int units = unitsBetween(a, T(e)); units > 1)
      return "gives " + std::to_string(float(a)) + ", not " +
             std::to_string(e) + " rounded once";
  return "";
}

class HalfTest {
public:
  HalfTest(MLIRContext &context, const SampleInfo &sample, const char *variable,
           ElementKind kind)
      : context(context), sample(sample), variable(variable), kind(kind) {}

  std::string run() {
    for (bool large : {false, true})
      if (std::string why = runOn(large); !why.empty())
        return (large ? "for numbers of 60 to 300 " : "") + why;
    return "";
  }

private:
  SampleModule build(ElementKind choice, bool large) {
    SmallVector<OperandText> operands;
    SmallVector<ElementKind> through;
    for (const SampleOperand &operand : sample.operands) {
      const bool follows = StringRef(operand.variable) == variable;
      operands.push_back(
          readOperand(&context, operand.text,
                      follows ? StringRef(name(choice)) : StringRef()));
      through.push_back(
          follows ? kind : *kindOf(operands.back().type.getElementType()));
      if (follows && large && !StringRef(operand.text).contains(" in ")) {
        operands.back().low = 60;
        operands.back().high = 300;
      }
    }
    return buildModule(context, operands, through,
                       [&](OpBuilder &builder, ValueRange values,
                           SmallVectorImpl<Value> &results) {
                         Operation *node = sample.build(
                             builder, builder.getUnknownLoc(), values,
                             [&](const char *name, const char *written) {
                               return kindNamed(&context,
                                                StringRef(name) == variable
                                                    ? glow::name(choice)
                                                    : written);
                             });
                         if (node)
                           llvm::append_range(results, node->getResults());
                         return bool(node);
                       });
  }

  std::string runOn(bool large) {
    std::vector<glow::Tensor> results, wide;
    for (auto [choice, to] :
         {std::pair(kind, &results), std::pair(ElementKind::F32, &wide)}) {
      SampleModule module = build(choice, large);
      std::string why = module.built ? execute(module, true, *to)
                                     : "is refused: " + module.said;
      if (!why.empty())
        return why;
    }
    for (auto [result, expected] : llvm::zip_equal(results, wide))
      if (std::string why = compareOne(result, expected); !why.empty())
        return why;
    return "";
  }

  static std::string compareOne(const glow::Tensor &result,
                                const glow::Tensor &wide) {
    if (result.type().shape != wide.type().shape)
      return "has another shape";
    const bool isF16 = result.type().kind == ElementKind::F16;
    if (wide.type().kind == ElementKind::F32 && isF16)
      return differenceOf(result.elements<Half>(), wide.elements<float>());
    if (wide.type().kind == ElementKind::F32 &&
        result.type().kind == ElementKind::BF16)
      return differenceOf(result.elements<BFloat16>(), wide.elements<float>());
    return result.type() == wide.type() &&
                   std::memcmp(result.data(), wide.data(),
                               size_t(result.type().bytes()))
               ? "differs where the result is of another kind"
               : "";
  }

  MLIRContext &context;
  const SampleInfo &sample;
  const StringRef variable;
  const ElementKind kind;
};

bool hasOperand(const SampleInfo &sample, StringRef variable) {
  return llvm::any_of(sample.operands, [&](const SampleOperand &operand) {
    return variable == operand.variable;
  });
}

} // namespace

void glow::addHalfCases(CaseMaker &maker) {
  for (const SampleInfo &sample : allSamples()) {
    if (*sample.refuses || !maker.isChosen(sample.node) ||
        isOfBackend(sample.node))
      continue;
    for (const KindVariable &variable : sample.variables)
      for (ElementKind kind : {ElementKind::F16, ElementKind::BF16})
        if (llvm::is_contained(variable.kinds, StringRef("f32")) &&
            llvm::is_contained(variable.kinds, StringRef(name(kind))) &&
            hasOperand(sample, variable.name))
          maker.add(CaseKind::Half, sample.node,
                    " sample '" + Twine(sample.label) + "' as " + name(kind) +
                        ", rounded once",
                    placeOf(sample.node),
                    [&sample, name = variable.name, kind](MLIRContext &in) {
                      return CaseOutcome{
                          HalfTest(in, sample, name, kind).run()};
                    });
  }
}
