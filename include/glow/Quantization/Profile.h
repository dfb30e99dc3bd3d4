//===- Profile.h - what the values of a model are like ----------*- C++ -*-===//
//
// A model is run in floats with all its values as outputs; on whatever backend,
// what those are is counted on the host. Values have the model's names, so that
// a profile holds for as long as the file is the same.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_QUANTIZATION_PROFILE_H
#define GLOW_QUANTIZATION_PROFILE_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include "glow/Quantization/Shells.h"
#include "glow/Session/Session.h"
#include "glow/Values/Tensor.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace glow {

/// The range and the sum of the elements of one channel.
struct ChannelRange {
  float low = 0, high = 0;
  double sum = 0;
};

/// What a value was over all runs.
struct ValueProfile {
  ElementKind kind = ElementKind::F32;
  Ints shape;         ///< in the first run
  uint64_t count = 0; ///< elements
  float low = 0, high = 0;
  double sum = 0;
  Histogram histogram;
  Shells shells; ///< the same numbers

  int64_t axis = -1; ///< of the channels; negative if they are not told apart
  std::vector<ChannelRange> channels;

  /// The numbers are finite floats. Channels are told apart for as long as
  /// there are as many of them.
  void add(std::span<const float> values, const Ints &shape, int64_t axis);
  void add(const ValueProfile &other);
};

/// Whose results are counted.
enum class Counted {
  Values, ///< of the model, by its names
  Steps   ///< of the program: the node that each comes from, a colon and the
          ///< instruction; "#2" follows the second of that name, and "[1]" the
          ///< second result
};

struct Profile {
  std::string model; ///< the hash of the model's file, as text
  Counted what = Counted::Values;
  uint64_t runs = 0;
  std::map<std::string, ValueProfile> values;

  /// As JSON, and from it. Reading fails with what is wrong with the text.
  std::string text() const;
  static Result<Profile> parse(std::string_view text);

  /// Adds what other runs of the same model gave. Fails if it is another one,
  /// or if other results are counted.
  Status merge(const Profile &other);
};

/// How a model is run on its way to integers.
struct QuantizationRun {
  SessionFactory *sessions = nullptr;
  CompileRequest request; ///< the backend, its options and the memory limit
  unsigned threads = 0;
};

/// Runs a model and counts. Its methods are for one thread at a time.
class Profiler {
public:
  /// Fails as SessionFactory::open does, and if the file is no ONNX model or
  /// has more than 2 GB.
  static Result<std::unique_ptr<Profiler>>
  open(const std::string &model, Counted what, const QuantizationRun &run);
  virtual ~Profiler() = default;

  /// One run. Fails if a value is not a number, naming it. What is infinite
  /// counts as the largest float.
  virtual Status add(std::span<const NamedTensor> inputs) = 0;

  virtual const Profile &profile() const = 0;
};

} // namespace glow

#endif // GLOW_QUANTIZATION_PROFILE_H
