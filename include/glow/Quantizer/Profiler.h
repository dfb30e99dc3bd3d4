//===- Profiler.h - runs that count values ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_QUANTIZER_PROFILER_H
#define GLOW_QUANTIZER_PROFILER_H

#include "glow/Quantization/Profile.h"
#include "glow/Session/Session.h"
#include "glow/Values/Tensor.h"
#include <memory>

namespace glow {

/// The way in which a model is run during quantization.
struct QuantizationRun {
  SessionFactory *sessions = nullptr;
  CompileRequest request; ///< the backend, its options and the memory limit
  unsigned threads = 0;

  /// The shapes of inputs for which a net of Caffe2 becomes an ONNX model.
  std::map<std::string, Ints> shapes = {};
};

/// Runs a model and counts its values. One thread at a time may call its
/// methods.
class Profiler {
public:
  /// Fails as SessionFactory::open does, and if the file is neither a module,
  /// nor a net of Caffe2, nor an ONNX model of at most 2 GB.
  static Result<std::unique_ptr<Profiler>>
  open(const std::string &model, Counted what, const QuantizationRun &run);
  virtual ~Profiler() = default;

  /// Performs one run. Fails, naming the value, if an element is NaN. An
  /// infinity counts as the largest float.
  virtual Status add(std::span<const NamedTensor> inputs) = 0;

  virtual const Profile &profile() const = 0;
};

} // namespace glow

#endif // GLOW_QUANTIZER_PROFILER_H
