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

/// Makes the passes of a plug-in of MLIR known, for as long as the process
/// runs. Fails with Code::NotFound where it cannot be loaded.
Status loadPasses(const std::string &file);

/// Has every model pass through these at the end of room optimize, named as
/// text has them: "merge-constants,cse". Fails with Code::InvalidArgument where
/// that is no list of passes. Before the first session.
Status choosePasses(const std::string &pipeline);

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

/// A drawing of the model after a room, for Graphviz (Draw). Boxes are coloured
/// by `times` of nodes, by their names, or by families where there are none.
/// Fails as Session::print.
Result<std::string> drawModel(Session &session, const CompileRequest &request,
                              const std::string &room,
                              const std::map<std::string, double> &times);

/// What was chosen for each step of a program; empty if its backend does not
/// choose.
std::vector<StepReport> reportOf(const Program &program);

/// What each of these steps reads and writes, in the order of the reports;
/// empty if it is not known.
struct StepTypes {
  std::vector<TensorType> operands, results;
};
std::vector<StepTypes> typesOf(const Program &program);

/// Operations on elements by the names of a model's nodes (Explain), as the
/// reference computes it; empty where it cannot. `session` is one of
/// `toolchain()`.
std::map<std::string, double> arithmeticOf(Session &session,
                                           const CompileRequest &request);

/// Records for the operators of an ONNX file that none imports, to be filled
/// in.
Result<std::string> operatorStubs(const std::string &path);

} // namespace glow

#endif // GLOW_TOOLCHAIN_TOOLCHAIN_H
