//===- Toolchain.h - sessions that compile ----------------------*- C++ -*-===//
//
// Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLCHAIN_TOOLCHAIN_H
#define GLOW_TOOLCHAIN_TOOLCHAIN_H

#include "glow/Program/Emit.h"
#include "glow/Session/Session.h"
#include <span>

namespace glow {

/// Opens sessions that compile. Lives as long as the process; any thread may
/// use it.
SessionFactory &toolchain();

/// A model that becomes a function of a file.
struct EmitEntry {
  Session *session; ///< which `toolchain()` opened
  CompileRequest compile;
  std::string name; ///< of the function: a C identifier
};

/// Compiles models into files of their backend, which is the same for all.
/// Fails as Backend::emit and Session::compile do.
Result<std::vector<EmittedFile>> emitModels(std::span<const EmitEntry> entries,
                                            const EmitRequest &request);

/// What was chosen for each step of a program; empty if its backend does not
/// choose.
std::vector<StepReport> reportOf(const Program &program);

/// Records for the operators of an ONNX file that none imports, to be filled
/// in.
Result<std::string> operatorStubs(const std::string &path);

} // namespace glow

#endif // GLOW_TOOLCHAIN_TOOLCHAIN_H
