//===- LoopsText.cpp - the loops of a model as text -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/LoopsText.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/OfDevice.h"
#include "glow/IR/Access.h"
#include "glow/IR/LoopsText.h"
#include "glow/IR/Names.h"

using namespace glow;
using namespace mlir;

namespace {

/// Prints the loops of a function's instructions.
class LoopsPrinter {
public:
  LoopsPrinter(llvm::raw_ostream &os, const Backend &backend,
               const CodeOptions &options, std::vector<StepReport> steps)
      : os(os), backend(backend), options(options), steps(std::move(steps)) {}

  void print(Operation *instr) {
    std::string mnemonic = instr->getName().stripDialect().str();
    std::unique_ptr<loops::Program> program = backend.loopsOf(instr);
    std::string algorithm = algorithmOf(mnemonic);
    if (!program) {
      os << "// " << ir::nameOf(instr) << ": " << mnemonic
         << " is not written as loops\n\n";
      return;
    }
    if (!algorithm.empty())
      os << "// " << mnemonic << " runs by other code: " << algorithm << "\n";
    else if (!backend.planLoops(*program, ir::nameOf(instr), options).ok())
      program = backend.loopsOf(instr);
    loops::print(os, *program, ir::nameOf(instr));
    os << "\n";
  }

private:
  /// The algorithm of a step; empty where the step runs as its loops. Steps are
  /// in the order of instructions.
  std::string algorithmOf(StringRef mnemonic) {
    size_t at = next;
    while (at < steps.size() && steps[at].instruction != mnemonic)
      ++at;
    if (at == steps.size())
      return "";
    next = at + 1;
    return steps[at].algorithm == "loops" ? "" : steps[at].algorithm;
  }

  llvm::raw_ostream &os;
  const Backend &backend;
  const CodeOptions &options;
  std::vector<StepReport> steps;
  size_t next = 0;
};

} // namespace

Result<std::string> glow::loopsText(ModuleOp module, StringRef name,
                                    const CodeOptions &options) {
  CodeOptions own = options;
  own.reportsOnly = true;
  std::string text;
  llvm::raw_string_ostream os(text);
  Status status;
  std::string reasons;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        reasons += (reasons.empty() ? "" : "; ") + diagnostic.str();
        return success();
      });
  module.walk([&](ir::FuncOp function) {
    auto given = function->getAttrOfType<StringAttr>(ofBackend);
    const Backend *backend = findBackend(given ? given.getValue() : name);
    if (!backend || !status.ok())
      return;
    // Compiling the function determines the code of each step.
    FailureOr<Program> program = backend->compile(function, nullptr, own);
    if (failed(program)) {
      status = Status(Code::InvalidArgument, reasons);
      return;
    }
    LoopsPrinter printer(os, *backend, options, backend->report(*program));
    function.walk([&](Operation *op) {
      if (ir::isInstr(op) && op != function)
        printer.print(op);
    });
  });
  if (!status.ok())
    return status;
  return text;
}

Result<std::string> glow::replannedLoops(StringRef text, StringRef file,
                                         StringRef backendName,
                                         const CodeOptions &options) {
  Result<std::vector<loops::NamedProgram>> programs = ir::readLoops(text, file);
  if (!programs)
    return programs.status();
  std::string result;
  llvm::raw_string_ostream os(result);
  for (const loops::NamedProgram &one : *programs) {
    if (!backendName.empty()) {
      const Backend *backend = findBackend(backendName);
      Status status = backend
                          ? backend->planLoops(*one.program, one.name, options)
                          : checkBackend(backendName.str());
      if (!status.ok())
        return ir::failureIn(one, file, status);
    }
    loops::print(os, *one.program, one.name);
  }
  return result;
}
