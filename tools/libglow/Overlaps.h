//===- Overlaps.h - outputs on memory that others use -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_LIBGLOW_OVERLAPS_H
#define GLOW_TOOLS_LIBGLOW_OVERLAPS_H

#include "glow/Runtime/Host.h"
#include <memory>

namespace glow::capi {

/// Tensors of a call whose outputs share bytes with inputs, as recurrent states
/// and caches do. A program writes an output while it may still read every
/// input, so each such output is written to memory of its own, and copied to
/// its place when the run has succeeded.
class Overlaps {
public:
  /// Null where every output lies apart. Fails with Code::InvalidArgument,
  /// naming both, where two outputs share bytes, and as Tensor::zeros does.
  /// `states` are inputs that may share memory with their outputs.
  static Result<std::shared_ptr<Overlaps>>
  find(const Program &program, const Tensors &tensors,
       std::span<const size_t> states = {});

  /// The tensors to run on; valid as long as this.
  const Tensors &apart() const { return tensors; }

  /// Copies outputs to the caller's memory.
  void copyBack() const;

private:
  struct OutputCopy {
    Tensor from;
    void *to;
  };
  Tensors tensors;
  std::vector<OutputCopy> copies;
};

} // namespace glow::capi

#endif // GLOW_TOOLS_LIBGLOW_OVERLAPS_H
