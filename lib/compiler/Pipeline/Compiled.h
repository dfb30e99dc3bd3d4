//===- Compiled.h - programs that were compiled before ----------*- C++ -*-===//

#ifndef GLOW_LIB_PIPELINE_COMPILED_H
#define GLOW_LIB_PIPELINE_COMPILED_H

#include "glow/Pipeline/Session.h"

namespace glow {

/// The program of a compiled file if it is what is asked for: what it was made
/// for cannot be changed.
Result<Program> checkRequest(const Program &program,
                             const CompileRequest &request);

/// Where the program is that runs what this compiler kept (Front.h).
std::string compilerFront();

} // namespace glow

#endif // GLOW_LIB_PIPELINE_COMPILED_H
