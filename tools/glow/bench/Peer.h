//===- Peer.h - another runtime on the same model ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_BENCH_PEER_H
#define GLOW_TOOLS_GLOW_BENCH_PEER_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace glow::tool {

/// A model in a library with ONNX Runtime's C interface.
class Peer {
public:
  /// Opens the library and the model: all optimizations, so many threads, the
  /// arena and the spinning threads that are the library's default. The inputs
  /// outlive the peer. Fails with Code::NotFound if the library cannot be
  /// opened, with Code::Unsupported if it has no such interface or an input is
  /// of a kind that the interface has no name for, and with
  /// Code::InvalidArgument, in the library's words, if it refuses the model.
  static Result<std::unique_ptr<Peer>>
  open(const std::string &library, const std::string &model, unsigned threads,
       std::span<const NamedTensor> inputs);
  virtual ~Peer() = default;

  /// The version that the library gives itself.
  virtual std::string version() const = 0;

  /// Runs on the inputs. From the second run on, outputs are written where they
  /// were. Fails in the library's words.
  virtual Status run() = 0;

  /// Copies of the outputs of the last run, by name. Fails for an output that
  /// is no tensor of numbers.
  virtual Result<std::vector<NamedTensor>> outputs() const = 0;
};

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_BENCH_PEER_H
