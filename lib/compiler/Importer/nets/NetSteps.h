//===- NetSteps.h - nets that run for each step -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// An operator RecurrentNetwork of Caffe2 has a net as an argument. The net runs
// once for each step of a sequence; links give its blobs by step.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_IMPORTER_NETS_NETSTEPS_H
#define GLOW_LIB_IMPORTER_NETS_NETSTEPS_H

#include "glow/Base/Status.h"
#include "glow/Importer/Net.pb.h"
#include <string>
#include <vector>

namespace glow {

/// The net of a RecurrentNetwork, and the blobs around it.
struct StepNet {
  /// A blob of the net that is a slice of a sequence.
  struct Slice {
    std::string blob, sequence;
  };
  /// Values that pass from step to step.
  struct State {
    std::string name;                ///< in the arguments
    std::string first;               ///< the blob with the first value
    std::vector<std::string> before; ///< the blobs of the net with the value
    std::string after;               ///< the blob with the next value
  };
  /// A result: the values of a state from `offset` on.
  struct Output {
    std::string blob;
    size_t state;
    int64_t offset;
  };

  caffe2::Net net;
  std::string timestep; ///< the blob with the number of the step
  std::vector<Slice> slices;
  std::vector<State> states;
  std::vector<Output> outputs;
};

bool isRecurrence(const caffe2::Operator &op);

/// Reads the arguments of a RecurrentNetwork, and takes its net. Fails with
/// words that follow the operator's place.
Result<StepNet> stepNetOf(caffe2::Operator &op);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_NETS_NETSTEPS_H
