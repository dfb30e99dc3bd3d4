//===- FormulaRunner.h - formulas on whole tensors --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_GRAPH_FORMULARUNNER_H
#define GLOW_BACKENDS_CPU_GRAPH_FORMULARUNNER_H

#include "glow/Base/Status.h"
#include "glow/Graph/Formula.h"
#include "glow/Values/Tensor.h"
#include <memory>
#include <span>
#include <string>

namespace glow::cpu {

/// Computes a formula on tensors, each call by the interpreter's kernel of its
/// instruction. The tensors of a Pointwise call have one kind and shape.
class FormulaRunner {
public:
  FormulaRunner(ElementKind kind, Ints shape) : type{kind, std::move(shape)} {}

  /// Adds operands of any kinds and shapes, which must outlive the run. A
  /// Pointwise call reads them in the formula's kind, broadcast along sizes of
  /// 1; index notation reads them directly.
  void addInputs(std::span<const TensorView> tensors) {
    inputs.insert(inputs.end(), tensors.begin(), tensors.end());
  }

  /// Writes to `out`, which may be an input. Fails with Code::InvalidArgument
  /// when the text is no formula, or its calls take other arguments.
  Status run(const std::string &formula, const TensorView &out);

private:
  Status run(const Formula &formula, const TensorView &out);
  Status runCall(const Formula::Call &call);
  Result<TensorView> make(const TensorType &made);
  Result<TensorView> operandOf(const Formula::Argument &argument,
                               bool isPointwise);
  Result<TensorView> repeated(TensorView tensor);

  TensorType type;
  std::vector<std::unique_ptr<Tensor>> owned;
  std::vector<TensorView> inputs, results;
};

/// Applies `formula` in place: x0 is `out`, the other operands are `extras`.
Status finish(const TensorView &out, const std::string &formula,
              std::span<const TensorView> extras);

/// Runs the steps in order, until one fails.
template <typename... Step> Status inOrder(Step... steps) {
  Status status;
  ((status = steps(), status.ok()) && ...);
  return status;
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_GRAPH_FORMULARUNNER_H
