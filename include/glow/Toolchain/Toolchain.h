//===- Toolchain.h - sessions that compile ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
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

/// Opens sessions that compile. It lives as long as the process; any thread may
/// use it.
SessionFactory &toolchain();

/// Registers the passes of an MLIR pass plug-in, for the lifetime of the
/// process. Fails with Code::NotFound if it cannot be loaded.
Status loadPasses(const std::string &file);

/// Sets passes that run on every model at the end of phase optimize, as a
/// textual pipeline: "merge-constants,cse". Fails with Code::InvalidArgument if
/// the text is no list of passes. To be called before the first session.
Status choosePasses(const std::string &pipeline);

/// A model that becomes a function in an emitted file.
struct EmitEntry {
  Session *session; ///< a session from `toolchain()`
  CompileRequest compile;
  std::string name; ///< name of the function: a C identifier
};

/// Compiles models into files of their backend, which must be the same for all.
/// Fails as Backend::emit and Session::compile do.
Result<std::vector<EmittedFile>> emitModels(std::span<const EmitEntry> entries,
                                            const EmitRequest &request);

/// One module with a function for each model, as programs over one storage: the
/// text after `phase`, import or graph, or bytecode with all weights. Equal
/// constants, inputs and outputs of one name become one. Fails as
/// Session::print.
Result<std::string> joinModels(std::span<const EmitEntry> entries,
                               std::string_view phase, bool bytecode);

/// A drawing of the model after a phase, for Graphviz (Draw). Boxes are
/// coloured by `times` of nodes, by their names, or by families without times.
/// Fails as Session::print.
Result<std::string> drawModel(Session &session, const CompileRequest &request,
                              const std::string &phase,
                              const std::map<std::string, double> &times);

/// The choice for each step of a program; empty if its backend makes no
/// choices.
std::vector<StepReport> reportOf(const Program &program);

/// The operands and results of each step, in the order of the reports; empty if
/// unknown.
struct StepTypes {
  std::vector<TensorType> operands, results;
};
std::vector<StepTypes> typesOf(const Program &program);

/// Operations on elements for each node of a model (Explain), as the reference
/// computes it; empty if the reference cannot. `session` must be from
/// `toolchain()`.
std::map<std::string, double> arithmeticOf(Session &session,
                                           const CompileRequest &request);

/// Templates of records for the operators of an ONNX file that no record
/// imports.
Result<std::string> operatorStubs(const std::string &path);

} // namespace glow

#endif // GLOW_TOOLCHAIN_TOOLCHAIN_H
