//===- ControlFlow.h - nodes that call functions --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_CONTROLFLOW_H
#define GLOW_GRAPH_CONTROLFLOW_H

#include "glow/Graph/Dialect.h"
#include "glow/Program/Size.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace glow {

/// The functions that an operation calls, in the order of its text; empty for
/// an operation without any. `symbols` belongs to the enclosing module, which
/// must be verified.
llvm::SmallVector<FuncOp> calledBy(mlir::Operation *op,
                                   const mlir::SymbolTable &symbols);

/// The names of these functions.
llvm::SmallVector<mlir::FlatSymbolRefAttr> namesCalledBy(mlir::Operation *op);

/// Whether an operation is a node of control flow.
bool isControlFlow(mlir::Operation *op);

/// The branches and loops that call each function of a module, by its name.
using Callers =
    llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<mlir::Operation *, 1>>;
Callers callersIn(mlir::ModuleOp module);

/// The functions of a module that no node calls, in order.
llvm::SmallVector<FuncOp> entriesOf(mlir::ModuleOp module);

/// The functions of a module that are programs, in order: those that no node
/// calls. Empty if they are the parts of one program: one of them is of a
/// device or a backend, or storage passes values between them.
llvm::SmallVector<FuncOp> programsOf(mlir::ModuleOp module);

/// Makes the program `name` the only one of its module: erases the others, and
/// functions and storage that these alone use. The name "" is that of the only
/// program. Fails, listing the names, if no program has the name.
mlir::LogicalResult chooseProgram(mlir::ModuleOp module, llvm::StringRef name);

/// Moves a module of one program into `module`, as the program `name`. Equal
/// storage of one name becomes one. Other storage and functions whose names are
/// taken get new ones; ports keep theirs. Both modules are of one context.
/// Fails if `source` has several programs, or a program has the name.
mlir::LogicalResult addProgram(mlir::ModuleOp module, mlir::ModuleOp source,
                               llvm::StringRef name);

/// The called functions that a function or an operation needs, directly or by
/// others, each once.
llvm::SmallVector<FuncOp> neededBy(FuncOp function,
                                   const mlir::SymbolTable &symbols);
llvm::SmallVector<FuncOp> neededBy(mlir::Operation *op,
                                   const mlir::SymbolTable &symbols);

/// Erases functions that no entry needs, and their parameters and results.
void eraseUncalled(mlir::ModuleOp module);

/// Erases a parameter or result that no called function has any more.
void erasePort(mlir::Attribute name, mlir::SymbolTable &symbols);

/// The placeholder of a parameter or result of a function.
PlaceholderOp portOf(mlir::Attribute name, const mlir::SymbolTable &symbols);

/// Appends the values that a called function reads for an operand of its call.
void addParameters(mlir::OpOperand &operand,
                   llvm::SmallVectorImpl<mlir::Value> &values,
                   const mlir::SymbolTable *symbols = nullptr);

/// Appends the values that a result of a called function becomes: results of
/// all calls, and parameters of further trips.
void addResults(SaveOp save, llvm::SmallVectorImpl<mlir::Value> &values,
                const Callers *callers = nullptr);

/// The type of a tensor without axis 0, or with a new axis 0 of this size. A
/// size may be a length.
mlir::RankedTensorType sliceTypeOf(mlir::RankedTensorType type);
mlir::RankedTensorType stackTypeOf(mlir::RankedTensorType slice,
                                   const Size &count);

/// A called function with its parameters and results at hand.
class CalledBody {
public:
  CalledBody(FuncOp function, mlir::SymbolTable &symbols);

  FuncOp function;

  /// The reads of each parameter; a parameter may have none.
  llvm::SmallVector<llvm::SmallVector<ReadOp, 1>> reads;
  /// The save of each result.
  llvm::SmallVector<SaveOp> saves;

  /// Inserts a parameter before the one of this index, or appends it; returns
  /// its value in the function.
  mlir::Value addParameter(llvm::StringRef name, mlir::Type type,
                           std::optional<size_t> index = std::nullopt);

  /// Erases a parameter without reads, or a result.
  void eraseParameter(size_t index);
  void eraseResult(size_t index);

  /// Moves a parameter behind all others.
  void moveParameterToEnd(size_t index);

private:
  mlir::SymbolTable &symbols;
};

/// Clones the nodes of a called function at the insertion point, on these
/// values of its parameters; returns its results.
llvm::SmallVector<mlir::Value> inlineCall(mlir::OpBuilder &builder,
                                          FuncOp function,
                                          mlir::ValueRange arguments);

/// The directions of sliced and stacked tensors, one for each.
llvm::SmallVector<int64_t> backwardsOf(LoopOp loop);

/// The operands and results of a loop, for one that replaces it.
struct LoopParts {
  explicit LoopParts(LoopOp loop);
  llvm::SmallVector<mlir::Type> results;
  llvm::SmallVector<mlir::Value> initial, sliced, captured;
  llvm::SmallVector<int64_t> backwards;
};

/// Builds a loop of these parts in front of `loop`, which it is like otherwise.
LoopOp rebuilt(LoopOp loop, const LoopParts &parts);

/// Makes more trips than `most` an error of a run, in all loops of a module.
/// Fails where slices need more.
mlir::LogicalResult limitTrips(mlir::ModuleOp module, int64_t most);

/// The value of a constant that an operation reads; null for any other value.
mlir::ElementsAttr constantValue(mlir::Value value,
                                 const mlir::SymbolTable &symbols);

} // namespace glow

#endif // GLOW_GRAPH_CONTROLFLOW_H
