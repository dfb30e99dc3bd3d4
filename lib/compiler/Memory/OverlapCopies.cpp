//===- OverlapCopies.cpp - copies behind computation ----------------------===//

#include "CopyOrder.h"
#include "glow/Memory/PredictCycles.h"
#include "Slots.h"
#include "glow/Memory/Passes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_OVERLAPCOPIES
#include "glow/Memory/Passes.h.inc"

namespace {

/// Reorders copies of DMA engines and what waits for them.
///
/// Pinned behind the passes that decide which buffers share memory, because
/// that is what holds copies back; before place-buffers, which goes by the
/// order. Ends because each order that it makes has less of a memory than the one
/// before.
struct OverlapCopies : impl::OverlapCopiesBase<OverlapCopies> {
  using OverlapCopiesBase::OverlapCopiesBase;

  void runOnOperation() override;
};

/// Makes steps of the instructions of one function.
class CopyStepsOf {
public:
  CopyStepsOf(FuncOp function, const Lifetimes &lifetimes,
              const CopyRecords &records);
  CopySteps take() { return std::move(steps); }

private:
  struct Use {
    unsigned step;
    Access access;
  };
  CopySteps steps;
  llvm::DenseMap<Value, unsigned> pieceOf; ///< those that share memory are one
  std::vector<std::vector<Use>> readers, writers; ///< of each piece
  std::vector<std::optional<unsigned>> landed;    ///< of each start, its wait
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
  return unsigned(steps.pieces.size()) - 1;
}

void CopyStepsOf::addPieces(FuncOp function, const Lifetimes &lifetimes,
                            ArrayRef<MemorySpace> memories) {
  auto addAll = [&](unsigned number, StringRef memory, uint64_t alignment) {
    for (const Slot &slot : slotsOf(function, lifetimes, memory)) {
      unsigned piece = addPiece(number, llvm::alignTo(slot.bytes, alignment));
      for (AllocOp alloc : slot.buffers)
        pieceOf[alloc.getBuffer()] = piece;
    }
  };
  addAll(0, "", 1);
  for (auto [number, memory] : llvm::enumerate(memories))
    addAll(unsigned(number) + 1, memory.name, memory.alignment);
  for (BlockArgument binding : function.bindings())
    pieceOf[binding] = addPiece(0, 0);
  // Wholes stand before their parts.
  for (AllocOp alloc : function.block().getOps<AllocOp>())
    if (auto whole = pieceOf.find(alloc.getWhole()); whole != pieceOf.end())
      pieceOf[alloc.getBuffer()] = unsigned(whole->second);
}

/// What is started lasts until the first step that reads its token.
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
  addPieces(function, lifetimes, records.memories);
  findWaits(lifetimes);
  for (auto [step, instr] : llvm::enumerate(lifetimes.instrs())) {
    addStep(unsigned(step), instr);
    steps.cycles.push_back(cyclesOf(instr, records));
  }
  for (auto *lists : {&steps.after, &steps.touches})
    for (std::vector<unsigned> &list : *lists) {
      llvm::sort(list);
      list.erase(llvm::unique(list), list.end());
    }
}

/// After each of the earlier uses that is in conflict, and what ends it.
void CopyStepsOf::follow(unsigned step, const Use &use,
                         const std::vector<Use> &earlier) {
  for (const Use &other : earlier) {
    // Of two buffers in one memory, parts say nothing.
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
  // In use until it has landed.
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
    // What follows this follows all that it follows.
    if (access.writes && !access.box)
      readers[piece].clear(), writers[piece].clear();
    (access.writes ? writers : readers)[piece].push_back({step, access});
  }
  if (isCopy(instr))
    steps.kinds[step] = CopySteps::Kind::Start;
  else if (waits && llvm::is_contained(landed, std::optional(step)) &&
           !infoOf(instr)->cost)
    steps.kinds[step] = CopySteps::Kind::Wait;

  // What touches more than buffers, or goes on by itself and is no copy, is
  // passed by nothing.
  if (barrier)
    steps.after[step].push_back(*barrier);
  if (!accesses.others && infoOf(instr) &&
      (!infoOf(instr)->asynchronous || isCopy(instr)))
    return;
  for (unsigned before = barrier.value_or(0); before < step; ++before)
    steps.after[step].push_back(before);
  barrier = step;
}

/// Puts instructions into this order, and buffers around them.
static void apply(FuncOp function, ArrayRef<Operation *> instrs,
                  ArrayRef<unsigned> order) {
  Block &block = function.block();
  for (unsigned step : order)
    instrs[step]->moveBefore(&block, block.end());
  for (DeallocOp dealloc : llvm::to_vector(block.getOps<DeallocOp>()))
    dealloc->moveBefore(&block, block.end());
  fitAll(function);
}

/// The buffers of a memory that find no place in it.
static std::vector<Slot> withoutPlaces(FuncOp function,
                                       const MemorySpace &memory) {
  Lifetimes lifetimes(function);
  std::vector<Slot> slots = slotsOf(function, lifetimes, memory.name), outside;
  Placement placed = place(intervalsOf(slots), memory.alignment);
  for (auto [slot, offset] : llvm::zip_equal(slots, placed.offsets))
    if (offset + slot.bytes > memory.bytes)
      outside.push_back(slot);
  return outside;
}

/// Bytes that are free may lie apart: the fuller a memory, the more often.
/// While buffers are there that find no place it is given less, as far as half
/// of it; says whether any was left.
static bool takeFrom(std::vector<std::vector<uint64_t>> &capacities,
                     ArrayRef<unsigned> order, size_t number,
                     const MemorySpace &memory, ArrayRef<Slot> outside) {
  llvm::BitVector full(unsigned(order.size()));
  for (const Slot &slot : outside)
    full.set(slot.first, slot.last + 1);
  bool isLeft = true;
  for (unsigned place : full.set_bits()) {
    uint64_t &bytes = capacities[order[place]][number];
    bytes -= memory.bytes / 16;
    isLeft &= bytes >= memory.bytes / 2;
  }
  return isLeft;
}

static void reorder(FuncOp function, const CopyRecords &records) {
  Lifetimes lifetimes(function);
  std::vector<Operation *> instrs(lifetimes.instrs().begin(),
                                  lifetimes.instrs().end());
  CopySteps steps = CopyStepsOf(function, lifetimes, records).take();
  std::vector<uint64_t> whole = {std::numeric_limits<uint64_t>::max()};
  for (const MemorySpace &memory : records.memories)
    whole.push_back(memory.bytes);
  std::vector<std::vector<uint64_t>> capacities(instrs.size(), whole);
  for (bool isLeft = true; isLeft;) {
    std::vector<unsigned> order = orderCopies(steps, capacities);
    apply(function, instrs, order);
    bool fits = true;
    for (auto [number, memory] : llvm::enumerate(records.memories)) {
      std::vector<Slot> outside = withoutPlaces(function, memory);
      fits &= outside.empty();
      isLeft &= takeFrom(capacities, order, number + 1, memory, outside);
    }
    if (fits)
      return;
  }
  std::vector<unsigned> asBefore(instrs.size());
  std::iota(asBefore.begin(), asBefore.end(), 0);
  apply(function, instrs, asBefore);
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
  reorder(function, records);
  setCycles(function, before, predictCycles(function, records));
}

} // namespace glow::ir
