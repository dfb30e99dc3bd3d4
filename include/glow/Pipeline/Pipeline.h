//===- Pipeline.h - the rooms, in order -----------------------*- C++ -*-===//

#ifndef GLOW_PIPELINE_PIPELINE_H
#define GLOW_PIPELINE_PIPELINE_H

#include "glow/Base/Status.h"
#include "glow/Partition/NodeCosts.h"
#include "glow/Program/CodeOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include <string>
#include <vector>

namespace glow {

/// The rooms that a module walks through in the compiler; `roomNames` has their
/// words in this order.
enum class Room { Import, Graph, Optimize, Partition, Lower, IRGen, Plan };

/// The words of the rooms, as of `--stop-after`, in their order.
std::vector<std::string> roomNames();

/// The room of a word, or what is wrong with the word.
Result<Room> roomNamed(llvm::StringRef name);

/// How a model is shared out to several devices.
struct PartitionPlan {
  PartitionRequest request;
  std::shared_ptr<NodeCosts> costs;
};

/// Adds the passes of every room after import up to and including `last`, and
/// the checks at their doors. Tensors may take `memoryLimit` bytes; 0 is
/// `defaultMemoryLimit()`.
///
/// A backend that falls back to another gives parts to it, unless it is
/// `alone`; with a `plan` its devices have parts, of whatever backend they are.
/// A module of one part says in the attributes of Graph/OfDevice.h whose it is;
/// of several parts, each is a module within that one. A module that came in
/// parts stays as it was cut.
void addRooms(mlir::PassManager &passes, llvm::StringRef backend, Room last,
              const CodeOptions &options = {}, uint64_t memoryLimit = 0,
              bool alone = false, const PartitionPlan *plan = nullptr);

/// Adds the rooms from lowering on, of one backend, up to and including `last`.
void addRoomsOf(llvm::StringRef backend, mlir::OpPassManager &passes, Room last,
                const CodeOptions &options, uint64_t memoryLimit);

/// The dialects, the interpreter that folds constants, and the project's
/// passes. Call it once, before a context is made.
void registerDialects(mlir::DialectRegistry &registry);
void registerPasses();

} // namespace glow

#endif // GLOW_PIPELINE_PIPELINE_H
