//===- Against.h - a model beside another runtime ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_BENCH_AGAINST_H
#define GLOW_TOOLS_GLOW_BENCH_AGAINST_H

#include "BenchStreams.h"

namespace glow::tool {

/// Measures a model in turns with the library `options.against`, and prints
/// both times and their ratio. Fails as Peer::open and the runs do.
Status benchAgainst(const std::shared_ptr<Session> &session,
                    const BenchOptions &options,
                    const std::vector<NamedTensor> &inputs);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_BENCH_AGAINST_H
