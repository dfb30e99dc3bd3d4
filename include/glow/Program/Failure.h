//===- Failure.h - failures in rare code ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_FAILURE_H
#define GLOW_PROGRAM_FAILURE_H

#include "glow/Base/Status.h"
#include <initializer_list>

namespace glow {

/// A failure whose message is `parts`, one after the other. All callers share
/// one function, whereas `failure` has one for each list of types.
Status failureOf(Code code, std::initializer_list<std::string_view> parts);

} // namespace glow

#endif // GLOW_PROGRAM_FAILURE_H
