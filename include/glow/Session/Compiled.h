//===- Compiled.h - programs from compiled files ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_SESSION_COMPILED_H
#define GLOW_SESSION_COMPILED_H

#include "glow/Session/Session.h"

namespace glow {

/// A program with the states that a request declares. Fails as declareStates
/// does.
Result<Program> withStates(Result<Program> program,
                           const CompileRequest &request);

/// The program of a compiled file if it matches the request. The options of a
/// compiled program cannot change.
Result<Program> checkRequest(const Program &program,
                             const CompileRequest &request);

} // namespace glow

#endif // GLOW_SESSION_COMPILED_H
