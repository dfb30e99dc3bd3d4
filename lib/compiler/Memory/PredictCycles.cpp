//===- PredictCycles.cpp - how long instructions take ---------------------===//

#include "glow/Memory/PredictCycles.h"
#include "glow/IR/Access.h"
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

/// How many runs of bytes that lie together a part is made of.
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

namespace {

/// What a copy moves. The arena is the first memory.
struct Moved {
  unsigned engine;
  uint64_t bytes;
  std::vector<unsigned> memories;
};

} // namespace

/// That is the part which it touches of a buffer; of an instruction that
/// touches none, its largest buffer.
static Moved movedBy(Operation *instr, const CopyRecords &records) {
  Value token = tokenOf(instr);
  Moved moved = {};
  uint64_t largest = 0, part = 0, runs = 1;
  for (const Access &access : accessesOf(instr).buffers) {
    if (access.buffer() == token)
      continue;
    (access.box ? part : largest) =
        std::max(access.box ? part : largest, bytesOf(access));
    unsigned number = 0;
    for (auto [i, memory] : llvm::enumerate(records.memories))
      if (memory.name == memoryOf(access.buffer()))
        number = unsigned(i) + 1;
    if (number == 0)
      runs = std::max(runs, runsOf(access));
    if (!llvm::is_contained(moved.memories, number))
      moved.memories.push_back(number);
  }
  StringRef name = infoOf(instr)->engine;
  auto engine = llvm::find_if(
      records.engines, [&](const DmaEngine &one) { return one.name == name; });
  moved.engine = unsigned(engine - records.engines.begin());
  // What a run takes, nothing moves in, as if there were more bytes.
  moved.bytes =
      (part ? part : largest) + runs * engine->perRun * engine->bytesPerCycle;
  return moved;
}

uint64_t glow::ir::cyclesOf(Operation *instr, const CopyRecords &records) {
  const InstrInfo *info = infoOf(instr);
  if (!isCopy(instr))
    return info && info->cost ? uint64_t(info->cost(instr)) : 0;
  Moved moved = movedBy(instr, records);
  const DmaEngine &engine = records.engines[moved.engine];
  uint64_t rate = engine.bytesPerCycle;
  for (unsigned memory : moved.memories)
    if (uint64_t bandwidth =
            memory ? records.memories[memory - 1].bandwidth : records.bandwidth)
      rate = std::min(rate, bandwidth);
  return engine.latency + llvm::divideCeil(moved.bytes, rate);
}

namespace {

/// Lets instructions pass, one after the other.
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
    if (const InstrInfo *info = infoOf(instr); info && info->cost)
      timeline.run(uint64_t(info->cost(instr)));
  }

  double now() const { return timeline.now(); }
  Timeline take() { return std::move(timeline); }

private:
  const CopyRecords &records;
  Timeline timeline;
  llvm::DenseMap<Value, unsigned> copies; ///< by their tokens

  /// The arena is the first memory.
  static Copiers copiersOf(const CopyRecords &records) {
    Copiers copiers{{}, {records.bandwidth}};
    for (const DmaEngine &engine : records.engines)
      copiers.engines.push_back(
          {engine.channels, engine.bytesPerCycle, engine.latency});
    for (const MemorySpace &memory : records.memories)
      copiers.bandwidths.push_back(memory.bandwidth);
    return copiers;
  }
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
