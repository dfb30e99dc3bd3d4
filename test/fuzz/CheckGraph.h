//===- CheckGraph.h - one graph, run in several ways ----------*- C++ -*-===//

#ifndef GLOW_TEST_FUZZ_CHECKGRAPH_H
#define GLOW_TEST_FUZZ_CHECKGRAPH_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace glow {

/// Runs a graph as it is on the interpreter, and optimised on the interpreter
/// and on `backend`, for the processor `cpu`; also writes and reads it as text
/// and bytecode. Returns the difference, or "". `compared` is set if there was
/// a result to compare: an index out of range has none.
///
/// The tolerance of results is measured: the graph runs again with every
/// operand of every node disturbed by the error of a kernel. Where that moves a
/// result, two right programs may differ.
std::string checkGraph(mlir::ModuleOp module, llvm::StringRef backend,
                       const std::string &cpu, bool &compared);

} // namespace glow

#endif // GLOW_TEST_FUZZ_CHECKGRAPH_H
