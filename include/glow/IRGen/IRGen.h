//===- IRGen.h - from nodes to instructions -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IRGEN_IRGEN_H
#define GLOW_IRGEN_IRGEN_H

#include "glow/Graph/Dialect.h"
#include "glow/IR/Structure.h"
#include "glow/Program/Size.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <span>
#include <string>

namespace glow {

#define GEN_PASS_DECL
#include "glow/IRGen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/IRGen/Passes.h.inc"

/// Builds one instruction at a time, with operands in the order of its record,
/// except scratch. Every value has one buffer, which is allocated before the
/// first instruction of the result.
class InstrBuilder {
public:
  explicit InstrBuilder(mlir::OpBuilder &builder) : builder(builder) {}

  /// Appends an @out operand, one buffer for each result.
  void write(mlir::Value result);
  void write(mlir::ResultRange results);
  /// Appends an @inout operand: the buffer of a result, which is first
  /// initialised as a copy of the operand `beginning`.
  void update(mlir::Value result, mlir::Value beginning);
  /// Appends an @in operand; null for an absent optional one.
  void read(mlir::Value operand);
  void read(mlir::OperandRange operands);
  /// Appends an operand with these buffers.
  void use(llvm::ArrayRef<llvm::SmallVector<mlir::Value>> buffers);

  void attribute(llvm::StringRef name, mlir::Attribute value);
  void attribute(llvm::StringRef name, int64_t value);
  void attribute(llvm::StringRef name, bool value);
  void attribute(llvm::StringRef name, double value);
  void attribute(llvm::StringRef name, const std::string &value);
  void attribute(llvm::StringRef name, const Size &value);
  void attribute(llvm::StringRef name, const Sizes &value);
  void attribute(llvm::StringRef name, const Reals &value);
  void attribute(llvm::StringRef name, mlir::Type value);

  /// Creates the instruction and its scratch buffers. Fails after a report.
  mlir::LogicalResult create(llvm::StringRef instruction);
  /// Creates a copy between two buffers of one type; fails after a report.
  mlir::LogicalResult copy(llvm::ArrayRef<mlir::Value> to,
                           llvm::ArrayRef<mlir::Value> from);

  /// The buffers of an operand; empty for an absent operand.
  llvm::SmallVector<mlir::Value> buffersOf(mlir::ValueRange operands) const;
  /// Allocates buffers for results.
  llvm::SmallVector<mlir::Value> begin(mlir::ValueRange results);
  /// Allocates a buffer for a tensor type, in a memory of the backend if one is
  /// named. Returns no buffer for a null type.
  llvm::SmallVector<mlir::Value> allocate(llvm::StringRef name,
                                          mlir::Type tensor,
                                          llvm::StringRef memory = "");

  /// Sets the node of the next instructions. The instructions inherit the
  /// location, the predicate and the exactness of the node.
  void beginNode(mlir::Operation *node);
  void setBuffer(mlir::Value value, mlir::Value buffer) {
    buffers[value] = buffer;
  }
  mlir::Value buffer(mlir::Value value) const { return buffers.lookup(value); }

private:
  mlir::LogicalResult addScratch(mlir::Operation *instr, unsigned first);

  mlir::OpBuilder &builder;
  std::optional<mlir::Location> location;
  llvm::SmallVector<mlir::NamedAttribute> inherited; ///< from the node
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<int32_t> segments;
  llvm::SmallVector<mlir::NamedAttribute> attributes;
};

/// A row of the generated table.
struct IRGenEntry {
  const char *node;
  mlir::LogicalResult (*generate)(mlir::Operation *node, InstrBuilder &instr);
};

void registerIRGen(std::span<const IRGenEntry> entries);

/// Emits the instruction of a node of control flow. Fails after a report.
mlir::LogicalResult generateCall(mlir::Operation *node, InstrBuilder &instr);

/// Emits the instructions of a node. Fails after a report, also for a node that
/// has none.
mlir::LogicalResult generateInstr(mlir::Operation *node, InstrBuilder &instr);

} // namespace glow

#endif // GLOW_IRGEN_IRGEN_H
