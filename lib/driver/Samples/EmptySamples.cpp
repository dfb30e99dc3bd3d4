//===- EmptySamples.cpp - every sample with each size 0 -------------------===//
// SPDX-License-Identifier: MIT
//
// Sizes of a sample are set to 0: one alone, and together with the sizes that
// the signature may tie to it. All operands are variable at first. Then each
// operand alone is constant, and finally all except the first, as weights are.
// If the node's record accepts the sizes, all backends must agree: the node
// runs, or the run refuses it. If the record does not, the node is refused with
// a message.
//
//===----------------------------------------------------------------------===//

#include "CaseMaker.h"
#include "SizePlaces.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Shape.h"
#include "glow/Graph/Storage.h"
#include "mlir/IR/Verifier.h"
#include <set>

using namespace mlir;
using namespace glow;

namespace {

class EmptyTest {
public:
  EmptyTest(MLIRContext &context, const CaseMaker &maker,
            const SampleInfo &sample)
      : context(context), maker(maker), sample(sample),
        operands(operandsOf(context, sample)) {}

  /// Empty when the test passes.
  std::string run(const SizePlaces &places) {
    refusedOnVariables.clear();
    for (const Numbers &chosen : constantOnes()) {
      constants = chosen;
      if (std::string why = runOnce(places); !why.empty())
        return why + (constants.empty() ? "" : " (with constants)");
    }
    return "";
  }

  /// The shapes of the operands, for a message.
  std::string describe(const SizePlaces &places) const {
    std::string text;
    for (const OperandText &operand : emptied(places))
      text +=
          (text.empty() ? "" : ", ") + valueText(Ints(operand.type.getShape()));
    return text;
  }

private:
  /// Operands, by their numbers.
  using Numbers = std::set<size_t>;

  /// The sets of operands that are constant; the empty set comes first.
  std::vector<Numbers> constantOnes() const {
    std::vector<Numbers> choices = {{}};
    Numbers weights;
    for (size_t i = 0; i < operands.size(); ++i) {
      choices.push_back({i});
      if (i > 0)
        weights.insert(i);
    }
    if (weights.size() > 1)
      choices.push_back(weights);
    return choices;
  }

  std::string runOnce(const SizePlaces &places) {
    SampleModule direct = build(places);
    if (!direct.built)
      return direct.said.empty() ? "is refused without a message" : "";
    if (mlir::failed(verify(*direct.module)))
      return "does not verify";
    std::vector<glow::Tensor> expected;
    std::string refused = execute(direct, true, expected);
    for (const std::string &backend : maker.backendsFor(sample.node)) {
      if (isOfBackend(sample.node) && !isOfBackend(sample.node, backend))
        continue;
      SampleModule compiled = build(places);
      if (!maker.notTaken(*compiled.module, backend).empty())
        continue;
      std::vector<glow::Tensor> actual;
      std::string why = execute(compiled, true, actual, backend);
      if (why.empty() != refused.empty())
        return "on backend '" + backend + "' " + outcome(why) +
               ", on the interpreter " + outcome(refused);
      if (why.empty() && !isOfBackend(sample.node))
        why = compare(sample.node, actual, expected);
      if (refused.empty() && !why.empty())
        return "on backend '" + backend + "' " + why;
    }
    if (!isRefusal(refused))
      return refused;
    if (constants.empty())
      refusedOnVariables = refused;
    return "";
  }

  std::vector<OperandText> emptied(const SizePlaces &places) const {
    std::vector<OperandText> result = operands;
    for (size_t i : constants)
      result[i].constant = true;
    for (auto [i, axis] : places) {
      Ints shape(result[i].type.getShape());
      shape[axis] = 0;
      result[i].type =
          RankedTensorType::get(shape, result[i].type.getElementType());
    }
    return result;
  }

  SampleModule build(const SizePlaces &places) {
    return buildSample(context, sample, emptied(places));
  }

  static std::string outcome(const std::string &why) {
    return why.empty() ? "it runs" : "it " + why;
  }
  /// Whether a run refuses a value, such as an index, as out of range. For
  /// constants the compiler may refuse it, with the run's words.
  bool isRefusal(StringRef why) const {
    if (why.empty())
      return true;
    if (why.starts_with("does not run: "))
      return !why.contains("internal error");
    StringRef words = StringRef(refusedOnVariables).rsplit(": ").second;
    return !constants.empty() && !words.empty() && why.trim().ends_with(words);
  }

  MLIRContext &context;
  const CaseMaker &maker;
  const SampleInfo &sample;
  std::vector<OperandText> operands;
  Numbers constants;              ///< operands that are constant in this run
  std::string refusedOnVariables; ///< the refusal of the run, if any
};

} // namespace

void glow::addEmptyCases(const std::shared_ptr<CaseMaker> &maker) {
  for (const SampleInfo &sample : allSamples()) {
    if (!maker->isChosen(sample.node) || *sample.refuses)
      continue;
    EmptyTest test(maker->context(), *maker, sample);
    for (const SizePlaces &places :
         tiedPlaces(operandsOf(maker->context(), sample)))
      maker->add(
          CaseKind::Empty, sample.node,
          " sample '" + Twine(sample.label) + "' on " + test.describe(places),
          placeOf(sample.node), [maker, &sample, places](MLIRContext &context) {
            return CaseOutcome{EmptyTest(context, *maker, sample).run(places)};
          });
  }
}
