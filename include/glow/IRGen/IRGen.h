//===- IRGen.h - from nodes to instructions -------------------*- C++ -*-===//

#ifndef GLOW_IRGEN_IRGEN_H
#define GLOW_IRGEN_IRGEN_H

#include "glow/Base/Ints.h"
#include "glow/Graph/Dialect.h"
#include "glow/IR/Structure.h"
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

/// Builds one instruction at a time, operands in the order of its record, but
/// for scratch. Every value has one buffer; the buffer of a result begins with
/// its first instruction.
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
  /// The next operand is these buffers.
  void use(llvm::ArrayRef<llvm::SmallVector<mlir::Value>> buffers);

  void attribute(llvm::StringRef name, mlir::Attribute value);
  void attribute(llvm::StringRef name, int64_t value);
  void attribute(llvm::StringRef name, bool value);
  void attribute(llvm::StringRef name, double value);
  void attribute(llvm::StringRef name, const std::string &value);
  void attribute(llvm::StringRef name, const Ints &value);
  void attribute(llvm::StringRef name, const Reals &value);
  void attribute(llvm::StringRef name, mlir::Type value);

  /// Makes the instruction, and its scratch. Fails after a report.
  mlir::LogicalResult create(llvm::StringRef instruction);
  /// Makes a copy between two buffers of one type; fails after a report.
  mlir::LogicalResult copy(llvm::ArrayRef<mlir::Value> to,
                           llvm::ArrayRef<mlir::Value> from);

  /// The buffers of an operand, none for an absent one.
  llvm::SmallVector<mlir::Value> buffersOf(mlir::ValueRange operands) const;
  /// New ones for results.
  llvm::SmallVector<mlir::Value> begin(mlir::ValueRange results);
  /// A new one for this tensor, in a memory of the backend if one is named;
  /// none for null.
  llvm::SmallVector<mlir::Value> allocate(llvm::StringRef name,
                                          mlir::Type tensor,
                                          llvm::StringRef memory = "");

  /// The node that the next instructions come from: they have its place, its
  /// predicate, and whether it is exact.
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

/// Emits the instructions of a node. Fails after a report, as where it has
/// none.
mlir::LogicalResult generateInstr(mlir::Operation *node, InstrBuilder &instr);

} // namespace glow

#endif // GLOW_IRGEN_IRGEN_H
