//===- Predict.cpp - predicted times of steps -----------------------------===//
// SPDX-License-Identifier: MIT
//
// The time of a step is the longer one of computing and moving data. The speed
// of an operand depends on the cache that holds it, and so on the number of
// bytes that a core has accessed since its last use.
//
//===----------------------------------------------------------------------===//

#include "Predict.h"
#include "codegen/emit/Emit.h"
#include "glow/IR/Loops.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace glow;
using namespace glow::cpu;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// The number of instructions of the trees behind a value. Subscripts do not
/// count, as loops increment them.
static unsigned
instructionsOf(const loops::Node &node,
               llvm::SmallPtrSet<const loops::Node *, 16> &seen) {
  if (!seen.insert(&node).second || node.op == loops::Op::Load)
    return 0;
  unsigned sum = node.operands.empty() ? 0 : 1;
  for (const loops::Term &operand : node.operands)
    sum += instructionsOf(*operand, seen);
  return sum;
}

/// The product of the extents of all indices, and of its scan's: the trip count
/// of a statement.
static double turnsOf(const loops::Program &program,
                      const loops::Statement &statement) {
  double turns = 1;
  for (unsigned index : statement.indices)
    turns *= double(program.extent(index));
  if (statement.scan)
    turns *= double(program.extent(program.scans[*statement.scan].index));
  return turns;
}

/// Whether neighbours in the result come from elements that lie apart.
static bool scatters(const loops::Statement &statement) {
  const loops::Node &load = *statement.value;
  return load.op == loops::Op::Load && !load.operands.empty() &&
         !statement.subscripts.empty() &&
         !(load.operands.back()->indices &
           statement.subscripts.back()->indices);
}

Work cpu::workOf(Operation *instr, const Step &step,
                 llvm::ArrayRef<BufferPlace> buffers) {
  Work work;
  const ir::LoopsInfo *info = ir::findLoops(instr->getName().stripDialect());
  work.isMove = info && info->moves;
  std::unique_ptr<loops::Program> program = ir::loopsOf(instr);
  if (!program || !program->complete()) {
    // Functions of whole rows, as normalization: some passes over them.
    int64_t most = 0;
    for (uint32_t buffer : step.buffers)
      most = std::max(most, buffers[buffer].type.elements());
    work.operations = double(most) / lanes * 10;
    return work;
  }
  for (const loops::Statement &statement : program->statements) {
    llvm::SmallPtrSet<const loops::Node *, 16> seen;
    bool sums = statement.combine != loops::ReductionKind::Assign;
    unsigned each =
        1 + sums +
        (statement.value ? instructionsOf(*statement.value, seen) : 0);
    double vectors = turnsOf(*program, statement) / lanes;
    if (work.isMove && statement.value && scatters(statement))
      work.gathers += vectors;
    else
      work.operations += vectors * each;
  }
  return work;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

namespace {

class Predictor {
public:
  Predictor(const Processor &processor, const StepCode &steps,
            llvm::ArrayRef<CountedStep> works)
      : processor(processor), steps(steps), works(works) {}

  std::vector<double> run();

private:
  double bytesOf(size_t index, size_t operand) const;
  double distanceOf(const BufferPlace &place) const;
  double cyclesToMove(size_t index);
  double cyclesOf(const Work &work, double move) const;

  const Processor &processor;
  const StepCode &steps;
  llvm::ArrayRef<CountedStep> works;
  double met = 0;   ///< bytes that all steps so far have accessed
  double ofRun = 0; ///< bytes that all steps of a run access
  /// The value of `met` at the last access of each piece of the arena.
  static constexpr uint64_t piece = 16384;
  std::vector<double> arena;
};

} // namespace

/// Whether an operand lies in the result already, as the part that it becomes.
static bool isThere(const BufferPlace &part, const BufferPlace &whole) {
  return part.where == whole.where && part.index == whole.index &&
         part.offset >= whole.offset &&
         part.offset + uint64_t(part.type.bytes()) <=
             whole.offset + uint64_t(whole.type.bytes());
}

double Predictor::bytesOf(size_t index, size_t operand) const {
  const Step &step = steps.steps[index];
  for (auto [place, bytes] : works[index].packed)
    if (place == operand)
      return bytes;
  auto place = [&](size_t number) -> const BufferPlace & {
    return steps.buffers[step.buffers[number]];
  };
  const auto bytes = double(place(operand).type.bytes());
  if (!works[index].work->isMove || step.results != 1)
    return bytes;
  // A result moves only bytes that are not in place already; an operand moves
  // no more than that.
  auto moved = double(place(0).type.bytes());
  for (size_t part = 1; part < step.buffers.size(); ++part)
    if (isThere(place(part), place(0))) {
      if (part == operand)
        return 0;
      moved -= double(place(part).type.bytes());
    }
  return std::min(bytes, std::max(moved, 0.0));
}

/// The bytes accessed since the last use. Constants and inputs were used in the
/// run before.
double Predictor::distanceOf(const BufferPlace &place) const {
  return place.where == BufferPlace::Arena ? met - arena[place.offset / piece]
                                           : ofRun;
}

double Predictor::cyclesToMove(size_t index) {
  const Step &step = steps.steps[index];
  double cycles = 0, bytesMet = 0, turns = works[index].work->turns;
  for (auto [operand, buffer] : llvm::enumerate(step.buffers)) {
    const BufferPlace &place = steps.buffers[buffer];
    double bytes = bytesOf(index, operand);
    cycles += processor.cyclesToMove(bytes, distanceOf(place));
    // Repeated reads come from a distance of the constant's own size.
    if (place.where == BufferPlace::Constant)
      cycles += (turns - 1) * processor.cyclesToMove(bytes, 0);
    bytesMet += bytes;
  }
  met += bytesMet;
  for (uint32_t buffer : step.buffers) {
    const BufferPlace &place = steps.buffers[buffer];
    uint64_t end = place.offset + uint64_t(place.type.bytes());
    if (place.where == BufferPlace::Arena)
      for (uint64_t at = place.offset / piece; at * piece < end; ++at)
        arena[at] = met;
  }
  return cycles;
}

/// The cycles of a step. Products hide the moves of their operands, because
/// tiles prefetch; other instructions wait for a part of the moves.
double Predictor::cyclesOf(const Work &work, double move) const {
  constexpr double waiting = 0.6;
  // The code of a step and its arguments were last used in the run before.
  constexpr double codeBytes = 4096;
  Work others = work;
  others.products = others.transforms = 0;
  return std::max(processor.cyclesOf(work), move) +
         waiting * std::min(processor.cyclesOf(others), move) +
         processor.cyclesToMove(codeBytes, ofRun) + processor.step;
}

std::vector<double> Predictor::run() {
  // A kernel of the library computes sizes and strides while it runs.
  constexpr double kernel = 1500;
  uint64_t arenaBytes = 0;
  for (const BufferPlace &place : steps.buffers)
    if (place.where == BufferPlace::Arena)
      arenaBytes =
          std::max(arenaBytes, place.offset + uint64_t(place.type.bytes()));
  for (size_t index = 0; index < works.size(); ++index)
    for (size_t i = 0;
         works[index].work && i < steps.steps[index].buffers.size(); ++i)
      ofRun += bytesOf(index, i);
  // The state that the run before leaves.
  arena.assign(arenaBytes / piece + 1, -ofRun);
  std::vector<double> cycles(works.size());
  for (size_t index = 0; index < works.size(); ++index)
    if (const std::optional<Work> &work = works[index].work)
      cycles[index] = cyclesOf(*work, cyclesToMove(index)) +
                      (works[index].isKernel ? kernel : 0);
  return cycles;
}

std::vector<double> cpu::predictCycles(const Processor &processor,
                                       const StepCode &steps,
                                       llvm::ArrayRef<CountedStep> works) {
  return Predictor(processor, steps, works).run();
}
