//===- Quantize.h - from floats to integers ---------------------*- C++ -*-===//
//
// A model is changed as a file: QuantizeLinear and DequantizeLinear stand
// around the nodes whose import records name integers. All else of it is kept.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_QUANTIZATION_QUANTIZE_H
#define GLOW_QUANTIZATION_QUANTIZE_H

#include "glow/Quantization/Profile.h"
#include <functional>
#include <limits>
#include <optional>

namespace glow {

/// How a range becomes integers. Weights are symmetric in all of them.
enum class Scheme {
  Asymmetric,     ///< unsigned, from the smallest to the largest
  Symmetric,      ///< signed, zero point 0
  SymmetricUint8, ///< unsigned where nothing is negative, else as Symmetric
  PowerOfTwo      ///< as Symmetric, the scale a power of two
};

/// How a range is found in a histogram.
enum class Calibration {
  MinMax,
  Percentile, ///< without a share of the numbers at both ends
  Entropy,    ///< least divergence (Kullback, Leibler) of the two histograms
  MeanSquare  ///< least mean square of what rounding and clipping change
};

/// What is asked of a node that may be integers.
enum class Wish { None, Integers, Floats };

struct QuantizeOptions {
  Scheme scheme = Scheme::Asymmetric;
  Calibration calibration = Calibration::MinMax;
  double percentile = 99.99;
  unsigned activationBits = 8; ///< 8, 16, or 0: they stay floats
  unsigned weightBits = 8;     ///< 4, 8 or 16
  unsigned biasBits = 32;      ///< 8, or 32 with the scale of the product
  bool perChannel = true;      ///< scales of weights
  unsigned block = 0; ///< of weights alone: as many of a column of a product
                      ///< have a scale of their own; 0: all, as `perChannel`
  bool equalize = false, correctBias = false;

  /// What is asked of a node, by name and operator; empty: nothing.
  std::function<Wish(const std::string &, const std::string &)> wish;
};

/// What one value differs by: noise against signal.
struct Noise {
  double signal = 0, noise = 0, product = 0, other = 0; ///< sums of squares
  double largest = 0;

  void add(std::span<const float> expected, std::span<const float> actual);
  double decibels() const; ///< signal against noise; infinite without noise
  double relative() const; ///< root of noise by signal
  double cosine() const;
};

/// The numbers that a layer reads.
struct LayerKind {
  unsigned bits = 0;   ///< of integers, or 16 of bf16; 0: the model's floats
  bool isBF16 = false; ///< of floats, which the layer then gives as well

  bool isInteger() const { return bits && !isBF16; }
  bool operator==(const LayerKind &) const = default;
};

/// A node that may be integers, and what that does.
struct QuantizedLayer {
  std::string name, op;
  LayerKind kind;
  double work = 0;    ///< products, or elements, of a run
  double clipped = 0; ///< the share of what it reads that is out of range: of
                      ///< the profile, or of the runs that were measured
  std::vector<int64_t> outliers; ///< channels that need most of the range
  Noise alone, upTo;             ///< of its result
  double predicted = 0;          ///< relative error of the outputs, of it alone
};

/// Noise of an output of the model.
struct OutputNoise {
  std::string name;
  Noise noise;
};

/// What a bound led to.
struct BoundReport {
  double predicted = 0, reached = 0; ///< relative error of the outputs
  bool isMet = false;
};

/// Calls what it is given with the inputs of one run after the other.
using ForEachRun = std::function<Status(
    const std::function<Status(std::span<const NamedTensor>)> &)>;

/// Seconds that an ONNX model in memory takes for a run, or nothing if that is
/// not known.
using TimeOf = std::function<std::optional<double>(const std::string &onnx)>;

/// One model on its way to integers. For one thread at a time.
class Quantizer {
public:
  /// `profile` may be null where activations stay floats. Fails if it is of
  /// another model, or if nothing can be integers.
  static Result<std::unique_ptr<Quantizer>> open(const std::string &model,
                                                 const Profile *profile,
                                                 const QuantizeOptions &options,
                                                 const QuantizationRun &run);
  virtual ~Quantizer() = default;

  virtual const std::vector<QuantizedLayer> &layers() const = 0;

  /// Remarks on what was odd, a line each.
  virtual const std::vector<std::string> &notes() const = 0;

  /// Chooses the integers of weights in blocks for the results of products on
  /// these runs to change least, before anything is measured. Fails as running
  /// the model does.
  virtual Status fit(const ForEachRun &runs) = 0;

  /// Finds the noise of every layer: by itself, on what floats give it, and
  /// after all that are before it. Counts the elements that layers read out of
  /// range, and the noise of outputs.
  virtual Status measure(const ForEachRun &runs) = 0;

  /// The outputs that are floats, by name, once they were measured.
  virtual const std::vector<OutputNoise> &outputs() const = 0;

  /// Leaves as few layers as it takes in 16 bits, or else in floats, for the
  /// relative error of each output to be at most `bound`; those first that make
  /// most of it for their work. Where `timeOf` knows the times, 16 bits, bf16 or
  /// floats are what makes the fastest model, and a layer is bf16 where that is
  /// faster than any other kind within the bound.
  virtual Result<BoundReport> meet(double bound, const ForEachRun &runs,
                                   const TimeOf &timeOf) = 0;

  /// The bytes of the quantised model.
  virtual Result<std::string> model() = 0;

  /// The nodes of the model for Graphviz, layers in the colours of their noise:
  /// green without, yellow at 30 dB, red from 10 dB on; grey in floats.
  virtual std::string drawing() const = 0;
};

/// Calls `use` with a path by which bytes in memory can be opened. Fails as
/// `use` does, or when there is no memory.
Status withFile(const std::string &bytes,
                const std::function<Status(const std::string &path)> &use);

/// An ONNX model in memory as `Session::print` gives it after its import.
Result<std::string> moduleOf(const std::string &onnx,
                             const QuantizationRun &run, bool bytecode);

} // namespace glow

#endif // GLOW_QUANTIZATION_QUANTIZE_H
