//===- ModelRun.h - models in memory that are run ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_MODEL_MODELRUN_H
#define GLOW_LIB_QUANTIZER_MODEL_MODELRUN_H

#include "glow/Quantizer/Profiler.h"
#include <optional>

namespace glow {

class StepObserver;

/// A model in memory that can be run.
class ModelRun {
public:
  /// A model of ONNX, or a module. Fails as `bytes` did.
  static Result<std::unique_ptr<ModelRun>> of(const Result<std::string> &bytes,
                                              const QuantizationRun &run);
  ~ModelRun();

  /// Fails as compiling and running do.
  Status run(std::span<const NamedTensor> inputs,
             std::vector<NamedTensor> &outputs);

  /// As Host::observe.
  void observe(std::shared_ptr<StepObserver> observer);

private:
  struct State;
  explicit ModelRun(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// The elements as floats, if the kind is a float of up to 64 bits.
std::optional<std::vector<float>> floatsOf(const Tensor &tensor);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MODEL_MODELRUN_H
