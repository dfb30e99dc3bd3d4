//===- Perf.h - samples of perf, assigned to steps --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_PERF_H
#define GLOW_BACKENDS_CPU_COMPILE_PERF_H

#include "device/Code.h"
#include "llvm/ADT/StringMap.h"

namespace glow::cpu {

/// Writes the names of the functions of a loaded object for perf: in
/// /tmp/perf-PID.map, which `perf report` reads, and with
/// their code in FOLDER/jit-PID.dump, for `perf inject --jit`. `labels` has the
/// names to show, by symbol. Fails with Code::InvalidArgument if a file cannot
/// be written.
Status reportToPerf(const std::string &object, const SymbolFinder &find,
                    const llvm::StringMap<std::string> &labels,
                    const std::string &folder);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_PERF_H
