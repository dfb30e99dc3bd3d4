//===- ProcessorUnits.h - units of a processor's numbers --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMMON_PROCESSORUNITS_H
#define GLOW_BACKENDS_CPU_COMMON_PROCESSORUNITS_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace glow::cpu {

/// The unit of a number in the text of a Processor, and what it is, for people;
/// "" for any other name.
std::string unitOf(llvm::StringRef name);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMMON_PROCESSORUNITS_H
