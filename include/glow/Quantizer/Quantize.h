//===- Quantize.h - from floats to integers ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The pass quantize-graph changes a module, or the nodes of a file of ONNX.
// Everything else of the file stays the same.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_QUANTIZER_QUANTIZE_H
#define GLOW_QUANTIZER_QUANTIZE_H

#include "glow/Quantization/LayerKind.h"
#include "glow/Quantization/Options.h"
#include "glow/Quantizer/Profiler.h"
#include <functional>
#include <limits>
#include <optional>

namespace glow {

/// Difference of a value: noise against signal.
struct Noise {
  double signal = 0, noise = 0, product = 0, other = 0; ///< sums of squares
  double largest = 0;

  void add(std::span<const float> expected, std::span<const float> actual);
  double decibels() const; ///< signal to noise; infinite without noise
  double relative() const; ///< root of the ratio of noise to signal
  double cosine() const;
};

/// A node that may be integers, and the effect of quantizing it.
struct QuantizedLayer {
  std::string name, op;
  LayerKind kind;
  double work = 0;    ///< products, or elements, of a run
  double clipped = 0; ///< share of its inputs that are out of range, in the
                      ///< profile or in the measured runs
  std::vector<int64_t> outliers; ///< channels that need most of the range
  Noise alone, upTo;             ///< noise of its result
  double predicted = 0;          ///< error of the outputs from this layer alone
};

/// Noise of an output of the model.
struct OutputNoise {
  std::string name;
  Noise noise;
};

/// Result of a search within an error bound.
struct BoundReport {
  double predicted = 0, reached = 0; ///< relative error of the outputs
  bool isMet = false;
};

/// Calls its argument with the inputs of each run.
using ForEachRun = std::function<Status(
    const std::function<Status(std::span<const NamedTensor>)> &)>;

/// The seconds of a run of a model in memory; nothing if unknown.
using TimeOf = std::function<std::optional<double>(const std::string &model)>;

/// The form of a file: a model of ONNX, or a module as text or as bytecode.
enum class ModelForm { Onnx, Text, Bytecode };

/// The form of the file at a path, by its name.
ModelForm formOf(const std::string &path);

/// Quantizes one model. One thread at a time may call its methods.
class Quantizer {
public:
  /// `profile` may be null if activations stay floats. Fails if it belongs to
  /// another model, or if nothing can be integers. Operators of a wish are
  /// those of ONNX or, for a module, mnemonics of nodes.
  static Result<std::unique_ptr<Quantizer>> open(const std::string &model,
                                                 const Profile *profile,
                                                 const QuantizeOptions &options,
                                                 const QuantizationRun &run);
  virtual ~Quantizer() = default;

  virtual const std::vector<QuantizedLayer> &layers() const = 0;

  /// Remarks on oddities, one for each line.
  virtual const std::vector<std::string> &notes() const = 0;

  /// Chooses the integers of weights in blocks so that the results of products
  /// change least on these runs. Call it before measuring. Fails as running the
  /// model does.
  virtual Status fit(const ForEachRun &runs) = 0;

  /// Measures the noise of every layer: alone, on inputs from floats, and after
  /// all layers before it. Also counts the inputs of layers that are out of
  /// range, and the noise of outputs.
  virtual Status measure(const ForEachRun &runs) = 0;

  /// The float outputs of the model, by name, after `measure`.
  virtual const std::vector<OutputNoise> &outputs() const = 0;

  /// Returns as few layers as possible to 16 bits, or else to floats, so that
  /// the relative error of each output is at most `bound`. It starts with the
  /// layers that have the largest error for their work. If `timeOf` knows
  /// times, the choice among 16 bits, bf16 and floats gives the fastest model.
  /// A layer is bf16 if that is the fastest format within the bound.
  virtual Result<BoundReport> meet(double bound, const ForEachRun &runs,
                                   const TimeOf &timeOf) = 0;

  /// The bytes of the quantised model; `request` has the shapes of a module.
  /// Fails with Code::Reported if a node has no form in ONNX.
  virtual Result<std::string> model(ModelForm form,
                                    const CompileRequest &request) = 0;

  /// The nodes of the model for Graphviz, with layers coloured by noise: green
  /// without, yellow at 30 dB, red from 10 dB on; grey in floats.
  virtual std::string drawing() const = 0;
};

/// Calls `use` with a path that opens the bytes. Fails as `use` does, or if
/// there is no memory.
Status withFile(const std::string &bytes,
                const std::function<Status(const std::string &path)> &use);

} // namespace glow

#endif // GLOW_QUANTIZER_QUANTIZE_H
