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
    if (isCopy(instr))
      return start(instr, accesses);
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

  unsigned memoryNumber(Value buffer) const {
    for (auto [number, memory] : llvm::enumerate(records.memories))
      if (memory.name == memoryOf(buffer))
        return unsigned(number) + 1;
    return 0;
  }

  /// What it moves is the part that it touches of a buffer; of an instruction
  /// that touches none, its largest buffer.
  void start(Operation *instr, const Accesses &accesses) {
    Value token = tokenOf(instr);
    uint64_t largest = 0, part = 0;
    std::vector<unsigned> memories;
    for (const Access &access : accesses.buffers) {
      if (access.buffer() == token)
        continue;
      (access.box ? part : largest) =
          std::max(access.box ? part : largest, bytesOf(access));
      if (unsigned number = memoryNumber(access.buffer());
          !llvm::is_contained(memories, number))
        memories.push_back(number);
    }
    StringRef name = infoOf(instr)->engine;
    unsigned engine = unsigned(
        llvm::find_if(records.engines,
                      [&](const DmaEngine &one) { return one.name == name; }) -
        records.engines.begin());
    copies[token] = timeline.start(engine, part ? part : largest, memories);
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
