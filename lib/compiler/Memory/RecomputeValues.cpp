//===- RecomputeValues.cpp - values that are not kept ---------------------===//
// SPDX-License-Identifier: MIT

#include "Recompute.h"
#include "glow/Base/MemorySize.h"
#include "glow/IR/Lifetimes.h"
#include "glow/IR/MemorySpace.h"
#include "glow/Memory/Passes.h"
#include "glow/Memory/PredictCycles.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <string>

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_RECOMPUTEVALUES
#include "glow/Memory/Passes.h.inc"

namespace {

/// Runs instructions again so that fewer bytes are in use at once.
///
/// Pinned behind schedule-for-memory, which would move the copies of
/// instructions up, and before buffers get the memory of others, so that a
/// buffer holds one value. Ends as the search in Recompute.h does.
struct RecomputeValues : impl::RecomputeValuesBase<RecomputeValues> {
  using RecomputeValuesBase::RecomputeValuesBase;
  void runOnOperation() override;
};

/// The instructions of a function as steps.
class StepsOfFunction {
public:
  explicit StepsOfFunction(FuncOp function);

  RepeatableSteps steps;
  /// The bytes of bindings, which are not in the arena.
  uint64_t boundBytes = 0;

  /// Inserts the copies of instructions.
  void insert(const RepeatableSteps &repeated);

private:
  unsigned pieceOf(Value buffer);

  FuncOp function;
  SmallVector<Operation *> instrs;
  SmallVector<Value> buffers; ///< of each piece
  DenseMap<Value, unsigned> pieces;
};

} // namespace

/// The time of an instruction, in products of two numbers: a byte of memory
/// takes as long as some products in registers.
static uint64_t costOf(Operation *instr) {
  constexpr uint64_t productsOfByte = 4;
  uint64_t bytes = 0;
  for (const Access &access : accessesOf(instr).buffers)
    bytes += cast<BufferType>(access.buffer().getType()).bytes();
  return llvm::SaturatingAdd(cyclesOf(instr, {}), productsOfByte * bytes);
}

/// Whether the instruction gives the same again if its operands hold the same.
static bool repeats(Operation *instr) {
  const InstrInfo *info = infoOf(instr);
  if (!info || info->asynchronous || info->givesLength() || *info->engine)
    return false;
  const Accesses accesses = accessesOf(instr);
  return !accesses.others &&
         llvm::all_of(accesses.buffers, [](const Access &access) {
           const bool isArena =
               isa_and_present<AllocOp>(access.buffer().getDefiningOp()) &&
               memoryOf(access.buffer()).empty();
           return access.writes ? isArena && !access.reads && !access.box
                                : true;
         });
}

unsigned StepsOfFunction::pieceOf(Value buffer) {
  auto [found, isNew] = pieces.try_emplace(buffer, buffers.size());
  if (isNew) {
    buffers.push_back(buffer);
    auto alloc = buffer.getDefiningOp<AllocOp>();
    const bool counts = alloc && alloc.isAlone() && memoryOf(buffer).empty();
    steps.bytes.push_back(counts ? llvm::alignTo(alloc.type().bytes(), 64) : 0);
  }
  return found->second;
}

StepsOfFunction::StepsOfFunction(FuncOp function) : function(function) {
  for (BlockArgument binding : function.bindings())
    boundBytes += cast<BufferType>(binding.getType()).bytes();
  for (Operation &instr : function.block()) {
    if (!isInstr(&instr))
      continue;
    RepeatableSteps::Step step;
    step.copyOf = unsigned(instrs.size());
    step.repeats = repeats(&instr);
    step.cost = costOf(&instr);
    for (const Access &access : accessesOf(&instr).buffers) {
      auto &list = access.writes ? step.writes : step.reads;
      const unsigned piece = pieceOf(access.buffer());
      // A buffer that is read and written is no value of one step.
      if (access.reads && access.writes &&
          !llvm::is_contained(step.reads, piece))
        step.reads.push_back(piece);
      if (!llvm::is_contained(list, piece))
        list.push_back(piece);
    }
    instrs.push_back(&instr);
    steps.steps.push_back(std::move(step));
  }
}

void StepsOfFunction::insert(const RepeatableSteps &repeated) {
  // From a step to the next, the instruction before which copies stand.
  std::vector<bool> isDone(instrs.size());
  SmallVector<Operation *> order;
  for (const RepeatableSteps::Step &step : repeated.steps) {
    Operation *instr = instrs[step.copyOf];
    if (isDone[step.copyOf])
      instr = instr->clone();
    isDone[step.copyOf] = true;
    order.push_back(instr);
  }
  OpBuilder builder(&function.block(), function.block().begin());
  DenseMap<unsigned, Value> made;
  auto bufferOf = [&](unsigned piece, Value like) -> Value {
    if (piece < buffers.size())
      return buffers[piece];
    Value &buffer = made[piece];
    if (!buffer)
      buffer = AllocOp::create(builder, like.getLoc(),
                               cast<BufferType>(like.getType()))
                   .getBuffer();
    return buffer;
  };
  Operation *last = nullptr;
  for (auto [instr, step] : llvm::zip_equal(order, repeated.steps)) {
    const RepeatableSteps::Step &given = steps.steps[step.copyOf];
    DenseMap<Value, Value> others;
    for (auto [from, to] : llvm::zip_equal(given.reads, step.reads))
      others[buffers[from]] = bufferOf(to, buffers[from]);
    for (auto [from, to] : llvm::zip_equal(given.writes, step.writes))
      others[buffers[from]] = bufferOf(to, buffers[from]);
    for (OpOperand &operand : instr->getOpOperands())
      if (auto found = others.find(operand.get()); found != others.end())
        operand.set(found->second);
    // The first instruction is none that was copied.
    if (!instr->getBlock()) {
      OpBuilder behind(function.getContext());
      behind.setInsertionPointAfter(last);
      behind.insert(instr);
    }
    last = instr;
  }
  fitAll(function);
}

void RecomputeValues::runOnOperation() {
  if (!limit)
    return markAllAnalysesPreserved();
  StepsOfFunction all(getOperation());
  const uint64_t before = all.steps.peak().bytes;
  // Kernels take memory beside the values.
  const uint64_t ofValues = limit - limit / 16;
  const uint64_t most = ofValues - std::min<uint64_t>(ofValues, all.boundBytes);
  if (before <= most)
    return markAllAnalysesPreserved();
  RepeatableSteps repeated = recompute(all.steps, most);
  const size_t count = repeated.steps.size() - all.steps.steps.size();
  if (count == 0)
    return markAllAnalysesPreserved();
  const double factor =
      double(repeated.cost()) / double(std::max<uint64_t>(all.steps.cost(), 1));
  getOperation().emitRemark()
      << "to fit memory-limit, " << count << " of " << repeated.steps.size()
      << " instructions run a second time: " << sizeText(repeated.peak().bytes)
      << " of values at once in place of " << sizeText(before) << ", for about "
      << std::to_string(factor).substr(0, 4) << " times the work";
  all.insert(repeated);
}

} // namespace glow::ir
