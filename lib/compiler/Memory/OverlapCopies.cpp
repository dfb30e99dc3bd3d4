//===- OverlapCopies.cpp - copies behind computation ----------------------===//
// SPDX-License-Identifier: MIT

#include "CopyOrder.h"
#include "glow/IR/Lifetimes.h"
#include "glow/Memory/Passes.h"
#include "glow/Memory/PredictCycles.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_OVERLAPCOPIES
#include "glow/Memory/Passes.h.inc"

namespace {

/// Reorders copies of DMA engines and the instructions that wait for them.
///
/// Pinned after the passes that decide which buffers share memory, because
/// shared memory delays copies; before place-buffers, which depends on the
/// order. Ends because each step is taken once, and the number of orders is
/// limited.
struct OverlapCopies : impl::OverlapCopiesBase<OverlapCopies> {
  using OverlapCopiesBase::OverlapCopiesBase;

  void runOnOperation() override;
};

/// Builds the steps for the instructions of a function.
class CopyStepsOf {
public:
  CopyStepsOf(FuncOp function, const Lifetimes &lifetimes,
              const CopyRecords &records);
  CopySteps take() { return std::move(steps); }
  /// By piece of memory, its buffers.
  std::vector<std::vector<AllocOp>> takeBuffers() { return std::move(buffers); }

private:
  struct Use {
    unsigned step;
    Access access;
  };
  CopySteps steps;
  llvm::DenseMap<Value, unsigned> pieceOf; ///< buffers that share memory have
                                           ///< the same piece
  std::vector<std::vector<AllocOp>> buffers;
  std::vector<std::vector<Use>> readers, writers; ///< of each piece
  std::vector<std::optional<unsigned>> landed;    ///< by start: its wait
  std::optional<unsigned> barrier;

  void addPieces(FuncOp function, const Lifetimes &lifetimes,
                 ArrayRef<MemorySpace> memories);
  unsigned addPiece(unsigned memory, uint64_t bytes);
  void findWaits(const Lifetimes &lifetimes);
  void addStep(unsigned step, Operation *instr);
  void follow(unsigned step, const Use &use, const std::vector<Use> &earlier);
  void touch(unsigned step, unsigned piece);
};

} // namespace

unsigned CopyStepsOf::addPiece(unsigned memory, uint64_t bytes) {
  steps.pieces.push_back({memory, bytes});
  readers.emplace_back();
  writers.emplace_back();
  buffers.emplace_back();
  return unsigned(steps.pieces.size()) - 1;
}

void CopyStepsOf::addPieces(FuncOp function, const Lifetimes &lifetimes,
                            ArrayRef<MemorySpace> memories) {
  auto addAll = [&](unsigned number, StringRef memory, uint64_t alignment) {
    for (const Slot &slot : slotsOf(function, lifetimes, memory)) {
      unsigned piece = addPiece(number, llvm::alignTo(slot.bytes, alignment));
      for (AllocOp alloc : slot.buffers) {
        pieceOf[alloc.getBuffer()] = piece;
        buffers[piece].push_back(alloc);
      }
    }
  };
  addAll(0, "", 1);
  for (auto [number, memory] : llvm::enumerate(memories))
    addAll(unsigned(number) + 1, memory.name, memory.alignment);
  for (BlockArgument binding : function.bindings())
    pieceOf[binding] = addPiece(0, 0);
  // An enclosing buffer comes before its parts.
  for (AllocOp alloc : function.block().getOps<AllocOp>())
    if (auto whole = pieceOf.find(alloc.getWhole()); whole != pieceOf.end())
      pieceOf[alloc.getBuffer()] = unsigned(whole->second);
}

/// Finds the wait of each asynchronous instruction: the first step that reads
/// its token.
void CopyStepsOf::findWaits(const Lifetimes &lifetimes) {
  landed.resize(steps.size());
  llvm::DenseMap<Value, unsigned> started;
  for (auto [step, instr] : llvm::enumerate(lifetimes.instrs())) {
    for (const Access &access : accessesOf(instr).buffers)
      if (auto found = started.find(access.buffer());
          access.reads && found != started.end()) {
        landed[found->second] = unsigned(step);
        started.erase(found);
      }
    if (Value token = tokenOf(instr))
      started[token] = unsigned(step);
  }
}

CopyStepsOf::CopyStepsOf(FuncOp function, const Lifetimes &lifetimes,
                         const CopyRecords &records) {
  size_t count = lifetimes.instrs().size();
  steps.kinds.resize(count, CopySteps::Kind::Other);
  steps.after.resize(count);
  steps.touches.resize(count);
  steps.copies.resize(count);
  steps.copiers = copiersOf(records);
  addPieces(function, lifetimes, records.memories);
  findWaits(lifetimes);
  for (auto [step, instr] : llvm::enumerate(lifetimes.instrs())) {
    addStep(unsigned(step), instr);
    steps.cycles.push_back(cyclesOf(instr, records));
    if (isCopy(instr))
      steps.copies[step] = movedBy(instr, records);
  }
  for (auto *lists : {&steps.after, &steps.touches})
    for (std::vector<unsigned> &list : *lists) {
      llvm::sort(list);
      list.erase(llvm::unique(list), list.end());
    }
}

/// Orders the step after each conflicting earlier use, or after the wait that
/// ends that use.
void CopyStepsOf::follow(unsigned step, const Use &use,
                         const std::vector<Use> &earlier) {
  for (const Use &other : earlier) {
    // Boxes are comparable only within the same buffer, not between two buffers
    // of one memory.
    bool isApart = other.access.buffer() == use.access.buffer() &&
                   !areInConflict(other.access, use.access);
    if (isApart || other.step == step)
      continue;
    std::optional<unsigned> end = landed[other.step];
    steps.after[step].push_back(end && *end < step ? *end : other.step);
  }
}

void CopyStepsOf::touch(unsigned step, unsigned piece) {
  steps.touches[step].push_back(piece);
  // The piece is in use until the copy has landed.
  if (landed[step])
    steps.touches[*landed[step]].push_back(piece);
}

void CopyStepsOf::addStep(unsigned step, Operation *instr) {
  Accesses accesses = accessesOf(instr);
  bool waits = !accesses.others;
  for (const Access &access : accesses.buffers) {
    unsigned piece = pieceOf.lookup(access.buffer());
    touch(step, piece);
    Use use{step, access};
    follow(step, use, writers[piece]);
    if (access.writes)
      follow(step, use, readers[piece]);
    waits &= !access.writes;
  }
  for (const Access &access : accesses.buffers) {
    unsigned piece = pieceOf.lookup(access.buffer());
    // Order is transitive: later steps that follow this write also follow the
    // uses before it.
    if (access.writes && !access.box)
      readers[piece].clear(), writers[piece].clear();
    (access.writes ? writers : readers)[piece].push_back({step, access});
  }
  if (isCopy(instr))
    steps.kinds[step] = CopySteps::Kind::Start;
  else if (waits && llvm::is_contained(landed, std::optional(step)) &&
           !infoOf(instr)->cost)
    steps.kinds[step] = CopySteps::Kind::Wait;

  // Barriers: an instruction with accesses other than buffers, or an
  // asynchronous one that is no copy, keeps its position among all steps.
  if (barrier)
    steps.after[step].push_back(*barrier);
  if (!accesses.others && infoOf(instr) &&
      (!infoOf(instr)->asynchronous || isCopy(instr)))
    return;
  for (unsigned before = barrier.value_or(0); before < step; ++before)
    steps.after[step].push_back(before);
  barrier = step;
}

namespace {

/// Searches the order of one function. If a step finds no place for its
/// buffers, the next attempt allows no copies beside the steps around it. All
/// other steps keep their allowance.
class Reordering {
public:
  Reordering(FuncOp function, const CopyRecords &records);
  /// Applies the order with the fewest cycles. The given order, which takes
  /// `inOrder` cycles, stays unless another order takes fewer.
  void run(double inOrder);

private:
  static constexpr unsigned mostAttempts = 32, leastReach = 8;

  FuncOp function;
  std::vector<Operation *> instrs;
  CopySteps steps;
  std::vector<std::vector<AllocOp>> buffers; ///< of each piece
  std::vector<uint64_t> capacities;
  CopyRoom room;
  unsigned reach = leastReach; ///< steps on each side of a stuck step

  std::optional<CopyOrder> find(Look look);
  void takeRoom(unsigned stuck);
  void apply(const CopyOrder &order);
};

} // namespace

Reordering::Reordering(FuncOp function, const CopyRecords &records)
    : function(function) {
  Lifetimes lifetimes(function);
  llvm::append_range(instrs, lifetimes.instrs());
  CopyStepsOf made(function, lifetimes, records);
  steps = made.take();
  buffers = made.takeBuffers();
  capacities = {std::numeric_limits<uint64_t>::max()};
  for (const MemorySpace &memory : records.memories)
    capacities.push_back(llvm::alignDown(memory.bytes, memory.alignment));
}

/// Allows no copies around a stuck step. The range grows if a step without
/// copies is stuck again.
void Reordering::takeRoom(unsigned stuck) {
  const std::vector<uint64_t> none(capacities.size());
  auto count = unsigned(room.size());
  if (room[stuck] == none)
    reach = std::min(4 * reach, count);
  std::fill(room.begin() + (stuck - std::min(stuck, reach)),
            room.begin() + std::min(count, stuck + reach + 1), none);
}

/// Moves instructions into this order, and allocs and deallocs around them.
/// Offsets are kept for place-buffers.
void Reordering::apply(const CopyOrder &order) {
  Block &block = function.block();
  for (unsigned step : order.steps)
    instrs[step]->moveBefore(&block, block.end());
  for (DeallocOp dealloc : llvm::to_vector(block.getOps<DeallocOp>()))
    dealloc->moveBefore(&block, block.end());
  fitAll(function);
  for (auto [piece, offset] : llvm::enumerate(order.offsets))
    for (AllocOp alloc : buffers[piece])
      if (offset)
        alloc.setOffset(*offset);
}

std::optional<CopyOrder> Reordering::find(Look look) {
  room.assign(instrs.size(), capacities);
  reach = leastReach;
  for (unsigned attempt = 0; attempt < mostAttempts; ++attempt) {
    CopyOrder order = orderCopies(steps, room, capacities, look);
    if (!order.stuck)
      return order;
    takeRoom(*order.stuck);
  }
  return std::nullopt;
}

void Reordering::run(double inOrder) {
  std::optional<CopyOrder> best;
  for (Look look : {Look::Near, Look::Far, Look::Wide})
    if (std::optional<CopyOrder> order = find(look);
        order && order->cycles < (best ? best->cycles : inOrder))
      best = std::move(order);
  if (best)
    apply(*best);
}

static void setCycles(FuncOp function, const Timeline &before,
                      const Timeline &after) {
  Builder builder(function);
  NamedAttrList sums;
  auto add = [&](StringRef name, double cycles) {
    sums.append(
        name, builder.getI64IntegerAttr(int64_t(std::max(cycles, 0.0) + 0.5)));
  };
  add("computing", after.computing());
  add("copying", after.copying());
  add("hidden", after.copying() - (after.now() - after.computing()));
  add("in_order", before.now());
  add("total", after.now());
  function.setCyclesAttr(sums.getDictionary(function.getContext()));
}

void OverlapCopies::runOnOperation() {
  FuncOp function = getOperation();
  FailureOr<std::vector<MemorySpace>> spaces =
      memorySpacesOf(function, memories);
  FailureOr<std::vector<DmaEngine>> found = dmaEnginesOf(function, engines);
  if (failed(spaces) || failed(found))
    return signalPassFailure();
  CopyRecords records{*spaces, *found, bandwidth};
  if (failed(checkEngines(function, records)))
    return signalPassFailure();
  if (llvm::none_of(function.block(), [](Operation &operation) {
        return isInstr(&operation) && isCopy(&operation);
      }))
    return markAllAnalysesPreserved();
  Timeline before = predictCycles(function, records);
  Reordering(function, records).run(before.now());
  setCycles(function, before, predictCycles(function, records));
}

} // namespace glow::ir
