//===- IRGen.h - from nodes to instructions -------------------*- C++ -*-===//

#ifndef GLOW_IRGEN_IRGEN_H
#define GLOW_IRGEN_IRGEN_H

#include "glow/Graph/Dialect.h"
#include "glow/IR/Structure.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseMap.h"
#include <span>

namespace glow {

#define GEN_PASS_DECL
#include "glow/IRGen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/IRGen/Passes.h.inc"

/// Builds one instruction at a time, operands in the order of its record. Every
/// value has one buffer; the buffer of a result begins with its instruction.
class InstrBuilder {
public:
  explicit InstrBuilder(mlir::OpBuilder &builder) : builder(builder) {}

  /// The next operand is @out, one buffer for each result.
  void write(mlir::Value result);
  void write(mlir::ResultRange results);
  /// The next operand is @inout: the buffer of a result that begins as the
  /// operand `beginning`, of which it is made a copy first.
  void update(mlir::Value result, mlir::Value beginning);
  /// The next operand is @in; null for an absent optional one.
  void read(mlir::Value operand);
  void read(mlir::OperandRange operands);
  void attribute(llvm::StringRef name, mlir::Attribute value);
  void create(llvm::StringRef instruction);

  /// Where the next instruction comes from.
  void setLocation(mlir::Location location) { this->location = location; }
  void setBuffer(mlir::Value value, mlir::Value buffer) {
    buffers[value] = buffer;
  }
  mlir::Value buffer(mlir::Value value) const { return buffers.lookup(value); }

private:
  mlir::OpBuilder &builder;
  std::optional<mlir::Location> location;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<int32_t> segments;
  llvm::SmallVector<mlir::NamedAttribute> attributes;
};

/// A row of the generated table.
struct IRGenEntry {
  const char *node;
  void (*generate)(mlir::Operation *node, InstrBuilder &instr);
};

void registerIRGen(std::span<const IRGenEntry> entries);

/// Emits the instruction of a node. Fails when it has none.
mlir::LogicalResult generateInstr(mlir::Operation *node, InstrBuilder &instr);

} // namespace glow

#endif // GLOW_IRGEN_IRGEN_H
