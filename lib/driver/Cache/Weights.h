//===- Weights.h - constants that programs of the cache share ---*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A large constant is a file of the cache, whose name is the hash of its bytes.
// So the programs of a model for several sizes have one copy of its weights, on
// disk and in memory.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_CACHE_WEIGHTS_H
#define GLOW_LIB_CACHE_WEIGHTS_H

#include "glow/Program/Serial.h"

namespace glow {

/// Writes the large constants of a program to files that are not there yet.
/// Returns their names, each with a line end.
std::string storeWeights(const std::string &folder, const Program &program);

/// The constants of the names, as pages of their files. A process maps each
/// once. Nothing if a file is absent or damaged. Threads may call it at once.
std::optional<std::vector<StoredConstant>>
loadWeights(const std::string &folder, std::string_view names);

/// The bytes of the files of the names.
uint64_t bytesOfWeights(const std::string &folder, std::string_view names);

} // namespace glow

#endif // GLOW_LIB_CACHE_WEIGHTS_H
