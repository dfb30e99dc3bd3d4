//===- UsedFeatures.h - extensions that machine code uses ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_USEDFEATURES_H
#define GLOW_BACKENDS_CPU_COMPILE_USEDFEATURES_H

#include "common/Target.h"
#include <string>
#include <vector>

namespace glow::cpu {

/// The extensions of the target's processor (device/Features.h) that some
/// instruction of the object file needs, in the order of messages.
std::vector<std::string> usedFeatures(const Target &target,
                                      llvm::StringRef object);

/// The extensions that code for the target may use, in the same order. The code
/// generator never chooses tiles: their extensions count only if `usesTiles`.
std::vector<std::string> possibleFeatures(const Target &target, bool usesTiles);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_USEDFEATURES_H
