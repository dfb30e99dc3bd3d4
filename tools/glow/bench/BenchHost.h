//===- BenchHost.h - glow bench of a host with many requests ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_BENCH_BENCHHOST_H
#define GLOW_TOOLS_GLOW_BENCH_BENCHHOST_H

#include "Traffic.h"
#include "data/Inputs.h"
#include "glow/Session/Session.h"

namespace glow::tool {

/// How a host serves the model, and what it is asked.
struct HostBench {
  ModelOptions model;
  InputOptions inputs; ///< of a request
  TrafficOptions traffic;
  std::vector<int64_t> batches; ///< sizes that requests are put together to
  std::optional<SizeVariable> batchRange; ///< in place of `batches`; no name
  bool pads = false; ///< whether a batch may have rows for nothing
  unsigned copies = 1;
  size_t queue = 1024; ///< requests that may wait
  std::string json;
  std::string report; ///< path of a socket for the host's report

  bool isWanted() const { return traffic.clients > 0 || traffic.rate > 0; }
};

/// Adds the flags of the above that `glow bench` has not already.
void addHostFlags(CLI::App &app, HostBench &options);

/// Loads the model, sends the requests, and prints or writes what became of
/// them. Fails with the first failure of a request, too.
Status benchHost(const HostBench &options, Session &session);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_BENCH_BENCHHOST_H
