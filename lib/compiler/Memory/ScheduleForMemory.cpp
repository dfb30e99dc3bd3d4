//===- ScheduleForMemory.cpp - instructions in a thriftier order ----------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Lifetimes.h"
#include "glow/Memory/Passes.h"
#include "glow/Memory/Schedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_SCHEDULEFORMEMORY
#include "glow/Memory/Passes.h.inc"

namespace {

/// Reorders instructions to reduce the peak of bytes in use.
///
/// Pinned before share-buffers, after which instructions on one buffer must
/// follow each other; and before the passes that depend on the order:
/// shrink-lifetimes and place-buffers. Ends because it compares a fixed number
/// of orders.
struct ScheduleForMemory : impl::ScheduleForMemoryBase<ScheduleForMemory> {
  void runOnOperation() override;
};

/// Builds the steps for the instructions of a function.
class StepsOf {
public:
  StepsOf(FuncOp function, const Lifetimes &lifetimes, StringRef memory = "");
  Steps take() { return std::move(steps); }

private:
  Steps steps;
  /// The piece of each buffer. Buffers that share memory have the same piece,
  /// so a write to the later buffer comes after all reads of the earlier one.
  llvm::DenseMap<Value, unsigned> pieceOf;
  /// By piece, the last step to write it and the steps that have read it since.
  std::vector<std::optional<unsigned>> writers;
  std::vector<llvm::SmallVector<unsigned>> readers;
  /// The last step that no other step may pass, and all steps since.
  std::optional<unsigned> barrier;
  llvm::SmallVector<unsigned> sinceBarrier;
  llvm::DenseSet<Value> tokens;

  unsigned addPiece(uint64_t bytes);
  void addStep(unsigned step, Operation *instr);
  void addUse(unsigned step, unsigned piece, bool writes);
};

} // namespace

StepsOf::StepsOf(FuncOp function, const Lifetimes &lifetimes, StringRef memory)
    : tokens(tokensOf(function)) {
  for (const Slot &slot : slotsOf(function, lifetimes, memory)) {
    // Bytes as placement counts them, for the usual alignment.
    unsigned piece = addPiece(llvm::alignTo(slot.bytes, 64));
    for (AllocOp alloc : slot.buffers)
      pieceOf[alloc.getBuffer()] = piece;
  }
  for (AllocOp alloc : function.block().getOps<AllocOp>()) {
    Value whole = alloc.getWhole();
    if (isa_and_present<BlockArgument>(whole) && !pieceOf.contains(whole))
      pieceOf[whole] = addPiece(0);
    if (auto found = pieceOf.find(whole); found != pieceOf.end())
      pieceOf[alloc.getBuffer()] = unsigned(found->second);
  }
  steps.needs.resize(lifetimes.instrs().size());
  steps.after.resize(lifetimes.instrs().size());
  for (auto [step, instr] : llvm::enumerate(lifetimes.instrs()))
    addStep(step, instr);
  for (std::vector<unsigned> &list : steps.after) {
    llvm::sort(list);
    list.erase(llvm::unique(list), list.end());
  }
}

unsigned StepsOf::addPiece(uint64_t bytes) {
  steps.bytes.push_back(bytes);
  writers.emplace_back();
  readers.emplace_back();
  return steps.bytes.size() - 1;
}

void StepsOf::addUse(unsigned step, unsigned piece, bool writes) {
  std::vector<unsigned> &after = steps.after[step];
  if (!llvm::is_contained(steps.needs[step], piece))
    steps.needs[step].push_back(piece);
  if (writers[piece] && *writers[piece] != step)
    after.push_back(*writers[piece]);
  if (!writes) {
    readers[piece].push_back(step);
    return;
  }
  // Write after read: old contents must be read before they are overwritten.
  // Reads of one value need no order among themselves.
  for (unsigned reader : readers[piece])
    if (reader != step)
      after.push_back(reader);
  readers[piece].clear();
  writers[piece] = step;
}

void StepsOf::addStep(unsigned step, Operation *instr) {
  Accesses accesses = accessesOf(instr);
  // Bindings and other memories take no arena bytes, but need an order.
  for (const Access &access : accesses.buffers)
    if (!pieceOf.contains(access.buffer()))
      pieceOf[access.buffer()] = addPiece(0);
  for (const Access &access : accesses.buffers)
    if (access.reads)
      addUse(step, pieceOf[access.buffer()], /*writes=*/false);
  for (const Access &access : accesses.buffers)
    if (access.writes)
      addUse(step, pieceOf[access.buffer()], /*writes=*/true);

  const InstrInfo *info = infoOf(instr);
  // Some instructions keep their position among all steps: unknown ones, those
  // with accesses other than buffers, instructions that give a length,
  // asynchronous ones, and those that wait for them.
  bool stays =
      accesses.others || !info || info->asynchronous || info->givesLength() ||
      llvm::any_of(instr->getOperands(),
                   [&](Value buffer) { return tokens.contains(buffer); });
  if (barrier)
    steps.after[step].push_back(*barrier);
  if (!stays) {
    sinceBarrier.push_back(step);
    return;
  }
  llvm::append_range(steps.after[step], sinceBarrier);
  sinceBarrier.clear();
  barrier = step;
}

/// Whether a memory other than the arena would need more bytes: those memories
/// cannot grow.
static bool fillsOthers(FuncOp function, const Lifetimes &lifetimes,
                        const std::vector<unsigned> &order) {
  llvm::StringSet<> seen;
  std::vector<unsigned> now(order.size());
  std::iota(now.begin(), now.end(), 0);
  for (AllocOp alloc : function.block().getOps<AllocOp>()) {
    StringRef memory = memoryOf(alloc.getBuffer());
    if (memory.empty() || !seen.insert(memory).second)
      continue;
    Steps steps = StepsOf(function, lifetimes, memory).take();
    if (peakBytes(steps, order) > peakBytes(steps, now))
      return true;
  }
  return false;
}

void ScheduleForMemory::runOnOperation() {
  FuncOp function = getOperation();
  Lifetimes lifetimes(function);
  std::vector<unsigned> order = schedule(StepsOf(function, lifetimes).take());
  if (llvm::is_sorted(order) || fillsOthers(function, lifetimes, order))
    return markAllAnalysesPreserved();
  Block &block = function.block();
  // Allocs move before all instructions and deallocs after them, and then both
  // to their positions.
  for (unsigned step : order)
    lifetimes.instrs()[step]->moveBefore(&block, block.end());
  for (DeallocOp dealloc : llvm::to_vector(block.getOps<DeallocOp>()))
    dealloc->moveBefore(&block, block.end());
  fitAll(function);
}

} // namespace glow::ir
