//===- PredictCycles.cpp - cycles of instructions -------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Memory/PredictCycles.h"
#include "glow/IR/Access.h"
#include "glow/IR/Loops.h"
#include "glow/IR/Names.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace glow;
using namespace glow::ir;

bool glow::ir::isCopy(Operation *instr) {
  const InstrInfo *info = infoOf(instr);
  return info && *info->engine;
}

LogicalResult glow::ir::checkEngines(FuncOp function,
                                     const CopyRecords &records) {
  for (Operation &instr : function.block()) {
    if (!isInstr(&instr) || !isCopy(&instr))
      continue;
    StringRef name = infoOf(&instr)->engine;
    if (llvm::none_of(records.engines, [&](const DmaEngine &engine) {
          return engine.name == name;
        }))
      return instr.emitOpError("is carried out by DMA engine '")
             << name << "', which is not there [known-engine]";
  }
  return success();
}

/// The bytes that an access moves.
static uint64_t bytesOf(const Access &access) {
  auto type = cast<BufferType>(access.buffer().getType());
  uint64_t elements = llvm::product_of(type.getShape(), uint64_t(1));
  if (!access.box || elements == 0)
    return type.bytes();
  return llvm::divideCeil(type.bytes() *
                              llvm::product_of(access.box->sizes, uint64_t(1)),
                          elements);
}

/// The number of contiguous runs of bytes in the part that an access touches.
static uint64_t runsOf(const Access &access) {
  if (!access.box)
    return 1;
  ArrayRef<int64_t> sizes = access.box->sizes;
  ArrayRef<int64_t> whole =
      cast<BufferType>(access.buffer().getType()).getShape();
  while (!sizes.empty() && sizes.back() == whole.back())
    sizes = sizes.drop_back(), whole = whole.drop_back();
  return llvm::product_of(sizes.drop_back(sizes.empty() ? 0 : 1), uint64_t(1));
}

/// The index of a buffer's memory in the records, from 1 on; 0 is the arena.
static unsigned memoryNumberOf(Value buffer, const CopyRecords &records) {
  for (auto [i, memory] : llvm::enumerate(records.memories))
    if (memory.name == memoryOf(buffer))
      return unsigned(i) + 1;
  return 0;
}

static uint64_t bandwidthOf(unsigned memory, const CopyRecords &records) {
  return memory ? records.memories[memory - 1].bandwidth : records.bandwidth;
}

Moved glow::ir::movedBy(Operation *instr, const CopyRecords &records) {
  Value token = tokenOf(instr);
  Moved moved = {};
  uint64_t largest = 0, part = 0, runs = 1;
  for (const Access &access : accessesOf(instr).buffers) {
    if (access.buffer() == token)
      continue;
    (access.box ? part : largest) =
        std::max(access.box ? part : largest, bytesOf(access));
    const unsigned number = memoryNumberOf(access.buffer(), records);
    if (number == 0)
      runs = std::max(runs, runsOf(access));
    if (!llvm::is_contained(moved.memories, number))
      moved.memories.push_back(number);
  }
  StringRef name = infoOf(instr)->engine;
  auto engine = llvm::find_if(
      records.engines, [&](const DmaEngine &one) { return one.name == name; });
  moved.engine = unsigned(engine - records.engines.begin());
  // The overhead of each run is counted as additional bytes.
  moved.bytes =
      (part ? part : largest) + runs * engine->perRun * engine->bytesPerCycle;
  return moved;
}

/// Whether the instruction waits: it reads the token of an asynchronous one.
static bool isWait(Operation *instr, ArrayRef<Access> accesses) {
  return llvm::any_of(accesses, [&](const Access &access) {
    return access.reads &&
           llvm::any_of(access.buffer().getUsers(), [&](Operation *user) {
             return user != instr && tokenOf(user) == access.buffer();
           });
  });
}

/// The iterations of an instruction's loops. If its record has no loops, the
/// elements of its largest buffer.
static uint64_t iterationsOf(Operation *instr, ArrayRef<Access> accesses) {
  uint64_t iterations = 0;
  if (std::unique_ptr<loops::Program> loops = loopsOf(instr)) {
    for (const loops::Statement &statement : loops->statements) {
      uint64_t times = 1;
      for (unsigned index : statement.indices)
        times = llvm::SaturatingMultiply(times, uint64_t(loops->extent(index)));
      iterations = llvm::SaturatingAdd(iterations, times);
    }
    return iterations;
  }
  for (const Access &access : accesses) {
    auto type = cast<BufferType>(access.buffer().getType());
    iterations =
        std::max(iterations, llvm::product_of(type.getShape(), uint64_t(1)));
  }
  return iterations;
}

/// The estimate for an instruction whose record has no `cost`: one cycle per
/// iteration, but at least the cycles to move its bytes in each memory.
static uint64_t estimateOf(Operation *instr, const CopyRecords &records) {
  const Accesses accesses = accessesOf(instr);
  if (isWait(instr, accesses.buffers))
    return 0;
  std::vector<uint64_t> bytes(records.memories.size() + 1);
  for (const Access &access : accesses.buffers)
    bytes[memoryNumberOf(access.buffer(), records)] += bytesOf(access);
  uint64_t cycles = iterationsOf(instr, accesses.buffers);
  for (auto [memory, sum] : llvm::enumerate(bytes))
    if (uint64_t bandwidth = bandwidthOf(unsigned(memory), records))
      cycles = std::max(cycles, llvm::divideCeil(sum, bandwidth));
  return cycles;
}

uint64_t glow::ir::cyclesOf(Operation *instr, const CopyRecords &records) {
  const InstrInfo *info = infoOf(instr);
  if (!info)
    return 0;
  if (!isCopy(instr))
    return info->cost ? uint64_t(info->cost(instr))
                      : estimateOf(instr, records);
  Moved moved = movedBy(instr, records);
  const DmaEngine &engine = records.engines[moved.engine];
  uint64_t rate = engine.bytesPerCycle;
  for (unsigned memory : moved.memories)
    if (uint64_t bandwidth = bandwidthOf(memory, records))
      rate = std::min(rate, bandwidth);
  return engine.latency + llvm::divideCeil(moved.bytes, rate);
}

Copiers glow::ir::copiersOf(const CopyRecords &records) {
  Copiers copiers{{}, {records.bandwidth}};
  for (const DmaEngine &engine : records.engines)
    copiers.engines.push_back(
        {engine.channels, engine.bytesPerCycle, engine.latency});
  for (const MemorySpace &memory : records.memories)
    copiers.bandwidths.push_back(memory.bandwidth);
  return copiers;
}

namespace {

/// Predicts the cycles of instructions, one after the other.
class Predictor {
public:
  explicit Predictor(const CopyRecords &records)
      : records(records), timeline(copiersOf(records)) {}

  void pass(Operation *instr) {
    Accesses accesses = accessesOf(instr);
    for (const Access &access : accesses.buffers)
      if (auto copy = copies.find(access.buffer());
          access.reads && copy != copies.end())
        timeline.wait(copy->second);
    if (isCopy(instr)) {
      Moved moved = movedBy(instr, records);
      copies[tokenOf(instr)] =
          timeline.start(moved.engine, moved.bytes, std::move(moved.memories));
      return;
    }
    timeline.run(cyclesOf(instr, records));
  }

  double now() const { return timeline.now(); }
  Timeline take() { return std::move(timeline); }

private:
  const CopyRecords &records;
  Timeline timeline;
  llvm::DenseMap<Value, unsigned> copies; ///< by their tokens
};

} // namespace

Timeline
glow::ir::predictCycles(FuncOp function, const CopyRecords &records,
                        function_ref<void(Operation *, double)> passed) {
  Predictor predictor(records);
  for (Operation &instr : function.block()) {
    if (!isInstr(&instr))
      continue;
    const double before = predictor.now();
    predictor.pass(&instr);
    if (passed)
      passed(&instr, predictor.now() - before);
  }
  return predictor.take();
}
