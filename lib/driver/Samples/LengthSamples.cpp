//===- LengthSamples.cpp - every sample with open sizes -------------------===//
// SPDX-License-Identifier: MIT
//
// Sizes of a sample are open: one alone, and together with the sizes that the
// signature may tie to it. The greatest sizes are beyond a vector where the
// node's record accepts them. A run of smaller sizes must equal the run of a
// program of these sizes on the reference, or both must refuse it. Before, a
// run of the greatest sizes has left NaN in the memory of the program, and
// tensors end where a run's elements end. Operands are variable at first; then
// all but the first are constant, as weights are.
//
// A program may refuse sizes that the record accepts, by a condition of the
// run. The case is skipped then, and reports the condition.
//
//===----------------------------------------------------------------------===//

#include "CaseMaker.h"
#include "SizePlaces.h"
#include "glow/Backend/Backend.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Shape.h"
#include "glow/Program/Size.h"
#include "mlir/IR/Verifier.h"
#include <cmath>

using namespace mlir;
using namespace glow;

namespace {

class LengthTest {
public:
  LengthTest(MLIRContext &context, const SampleInfo &sample, SizePlaces open,
             bool hasWeights)
      : context(context), sample(sample), open(std::move(open)),
        operands(operandsOf(context, sample)) {
    for (size_t i = 1; hasWeights && i < operands.size(); ++i)
      operands[i].constant = true;
    least = sizeAt(*this->open.begin());
    for (SizePlace place : this->open)
      least = std::min(least, sizeAt(place));
    greatest = std::max(isAccepted(beyondVector) ? beyondVector : 0, least);
  }

  /// The sizes of runs; empty if the node has no size below the greatest.
  std::vector<int64_t> sizes() const {
    if (greatest > least)
      return {least, greatest - 4};
    return least > 1 ? std::vector<int64_t>{least - 1} : std::vector<int64_t>();
  }

  CaseOutcome run(const std::string &backend) {
    SampleModule module = build(typesOf(Length(variable())));
    if (!module.built)
      return {"is refused with open sizes: " + module.said,
              /*skipped=*/!module.said.empty()};
    if (failed(verify(*module.module)))
      return {"does not verify with open sizes"};
    Executable executable;
    std::string why = executable.compile(*module.module, true, backend);
    if (!why.empty())
      return {why, /*skipped=*/isReason(why)};
    fillMemory(executable);
    CaseOutcome outcome;
    for (int64_t size : sizes())
      if (std::string why = runOnce(executable, size, outcome); !why.empty())
        return {"of size " + std::to_string(size) + " " + why};
    return outcome;
  }

  /// The shapes of the operands, for a message.
  std::string describe() const {
    std::string text;
    for (const OperandText &operand : typesOf(Length(variable())))
      text += (text.empty() ? "" : ", ") + valueText(sizesOf(operand.type)) +
              (operand.constant ? " constant" : "");
    return text;
  }

private:
  /// Greater than the vectors of any processor, and no multiple of them.
  static constexpr int64_t beyondVector = 21;
  static constexpr int64_t mostElements = 1 << 16;
  /// Sums have up to 21 times the terms of a sample, and steps of recurrent
  /// nodes amplify the roundings of earlier ones.
  static constexpr int roundings = 4 * beyondVector;

  SizeVariable variable() const { return {"L", sizes().front(), greatest}; }

  int64_t sizeAt(SizePlace place) const {
    return operands[place.first].type.getDimSize(place.second);
  }

  /// The operands with this size at the open places.
  std::vector<OperandText> typesOf(const Length &size) const {
    std::vector<OperandText> result = operands;
    for (auto [i, operand] : llvm::enumerate(result)) {
      Sizes shape = sizesOf(operand.type);
      for (auto [axis, extent] : llvm::enumerate(shape))
        if (open.contains({i, axis}))
          extent = Size(Length(extent.extent() / least) * size);
      operand.type = rankedTensorOf(shape, operand.type.getElementType());
    }
    return result;
  }

  SampleModule build(const std::vector<OperandText> &types) {
    return buildSample(context, sample, types);
  }

  bool isAccepted(int64_t size) {
    std::vector<OperandText> types = typesOf(Length(size));
    int64_t elements = 0;
    for (const OperandText &operand : types)
      elements += operand.type.getNumElements();
    if (elements > mostElements)
      return false;
    SampleModule module = build(types);
    return module.built && succeeded(verify(*module.module));
  }

  /// Leaves NaN of a run of the greatest sizes in the memory of the program. A
  /// run that is refused leaves nothing.
  void fillMemory(Executable &executable) {
    SampleModule module = build(typesOf(Length(greatest)));
    for (glow::Tensor &input : module.inputs)
      visitKind(input.type().kind, [&]<typename T>(std::type_identity<T>) {
        if constexpr (std::is_floating_point_v<T>)
          for (T &element : input.elements<T>())
            element = T(NAN);
      });
    std::vector<glow::Tensor> results;
    (void)executable.run(module.inputs, results);
  }

  std::string runOnce(Executable &executable, int64_t size,
                      CaseOutcome &outcome) {
    SampleModule module = build(typesOf(Length(size)));
    std::vector<glow::Tensor> expected, actual;
    std::string refused =
        module.built ? execute(module, true, expected) : module.said;
    std::string why = executable.run(module.inputs, actual);
    if (why.empty())
      return refused.empty() ? compare(sample.node, actual, expected, roundings)
                             : "runs, but with one size it " + refused;
    if (!isReason(why))
      return why;
    if (refused.empty()) {
      outcome.skipped = true;
      outcome.why = why;
    }
    return "";
  }

  static bool isReason(StringRef why) {
    return !why.trim().ends_with(":") && !why.contains("internal error") &&
           (!why.starts_with("does not walk") || why.contains("cannot run '"));
  }

  MLIRContext &context;
  const SampleInfo &sample;
  const SizePlaces open;
  std::vector<OperandText> operands;
  int64_t least, greatest;
};

} // namespace

void glow::addLengthCases(const std::shared_ptr<CaseMaker> &maker) {
  if (maker->choice.openSizes == CaseChoice::OpenSizes::None)
    return;
  for (const SampleInfo &sample : allSamples()) {
    if (*sample.refuses || isOfBackend(sample.node))
      continue;
    std::vector<std::string> backends;
    if (maker->choice.openSizes == CaseChoice::OpenSizes::All)
      backends = maker->backendsFor(sample.node);
    if (maker->isChosen(sample.node))
      backends.push_back(referenceBackend());
    llvm::erase_if(backends, [](const std::string &backend) {
      return !findBackendInfo(backend)->takesLengths;
    });
    if (backends.empty())
      continue;
    auto operands = operandsOf(maker->context(), sample);
    auto add = [&](const SizePlaces &places, bool hasWeights) {
      LengthTest test(maker->context(), sample, places, hasWeights);
      if (test.sizes().empty())
        return;
      for (const std::string &backend : backends)
        maker->add(
            CaseKind::Length, sample.node,
            " sample '" + Twine(sample.label) + "' of " + test.describe() +
                " on backend '" + backend + "'",
            placeOf(sample.node),
            [&sample, places, hasWeights, backend](MLIRContext &context) {
              return LengthTest(context, sample, places, hasWeights)
                  .run(backend);
            });
    };
    for (const SizePlaces &places : tiedPlaces(operands))
      add(places, /*hasWeights=*/false);
    for (size_t i = 1; i < operands.size(); ++i)
      operands[i].constant = true;
    if (operands.size() > 1)
      for (const SizePlaces &places : tiedPlaces(operands))
        add(places, /*hasWeights=*/true);
  }
}
