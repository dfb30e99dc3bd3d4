//===- Profile.h - statistics of a model's values ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A profile counts the values of a model. The model is run in floats, on any
// backend, with all values as outputs, and the host counts them. Values have
// the model's names, so a profile is valid as long as the file is the same.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_QUANTIZATION_PROFILE_H
#define GLOW_QUANTIZATION_PROFILE_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include "glow/Base/Status.h"
#include "glow/Quantization/Shells.h"
#include <map>
#include <span>
#include <string>
#include <vector>

namespace glow {

/// The range and the sum of the elements of one channel.
struct ChannelRange {
  float low = 0, high = 0;
  double sum = 0;
};

/// Statistics of a value over all runs.
struct ValueProfile {
  ElementKind kind = ElementKind::F32;
  Ints shape;         ///< in the first run
  uint64_t count = 0; ///< elements
  float low = 0, high = 0;
  double sum = 0;
  Histogram histogram;
  Shells shells; ///< counts of the same numbers

  int64_t axis = -1; ///< axis of the channels; negative: no channels
  std::vector<ChannelRange> channels;

  /// Adds the finite floats of a run. Channels are distinguished as long as
  /// their number stays the same.
  void add(std::span<const float> values, const Ints &shape, int64_t axis);
  void add(const ValueProfile &other);
};

/// The results that are counted.
enum class Counted {
  Values, ///< values of the model, by its names
  Steps   ///< steps of the program: the name is the node, a colon and the
          ///< instruction, with "#2" for the second of that name, and "[1]"
          ///< for the second result
};

/// An input in the first run, or a value that only the host computes: a model
/// of ONNX is imported for it.
struct InputProfile {
  ElementKind kind = ElementKind::F32;
  Ints shape;
  std::vector<int64_t> values; ///< integers of a short input
};

struct Profile {
  std::string model; ///< the hash of the model's file, as text
  Counted what = Counted::Values;
  uint64_t runs = 0;
  std::map<std::string, InputProfile> inputs;
  std::map<std::string, ValueProfile> values;

  /// Writes and reads JSON. Reading fails with the mistake in the text.
  std::string text() const;
  static Result<Profile> parse(std::string_view text);

  /// Adds the profile of other runs of the same model. Fails if the model or
  /// the kind of results differs.
  Status merge(const Profile &other);
};

} // namespace glow

#endif // GLOW_QUANTIZATION_PROFILE_H
