//===- Access.cpp - memory accesses of instructions -----------------------===//
// SPDX-License-Identifier: MIT
//
// MLIR's effects repeat the accesses that an instruction's record states. An
// operation without effects may do anything. It counts as reading and writing
// all its operands, so a pass that does not know it is careful instead of
// wrong.
//
//===----------------------------------------------------------------------===//

#include "glow/IR/Access.h"
#include "glow/IR/Loops.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace glow::ir;
namespace loops = glow::loops;

bool glow::ir::isInstr(Operation *operation) {
  return !isa<AllocOp, DeallocOp>(operation);
}

const InstrInfo *glow::ir::infoOf(Operation *instr) {
  return findInstr(instr->getName().stripDialect());
}

SmallVector<int32_t> glow::ir::segmentsOf(Operation *instr) {
  const InstrInfo *info = infoOf(instr);
  if (!info)
    return {};
  int32_t buffers = instr->getNumOperands();
  auto stored = instr->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (stored) {
    ArrayRef<int32_t> sizes = stored.asArrayRef();
    if (sizes.size() != info->operands.size() || llvm::sum_of(sizes) != buffers)
      return {};
    return SmallVector<int32_t>(sizes);
  }

  // At most one operand varies, or the sizes would be stored: the varying
  // operand gets the remaining buffers.
  int32_t declared = info->operands.size();
  SmallVector<int32_t> sizes(declared, 1);
  int32_t total = declared;
  for (auto [size, operand] : llvm::zip(sizes, info->operands)) {
    if (operand.count == Count::One)
      continue;
    size = buffers - (declared - 1);
    total += size - 1;
    if (size < 0)
      return {};
  }
  if (total != buffers)
    return {};
  return sizes;
}

/// The record of operand `number` of an instruction with these segments.
static const OperandInfo *infoOf(const InstrInfo &info,
                                 ArrayRef<int32_t> segments, unsigned number) {
  int64_t end = 0;
  for (auto [index, size] : llvm::enumerate(segments)) {
    end += size;
    if (number < end)
      return &info.operands[index];
  }
  return nullptr;
}

const OperandInfo *glow::ir::infoOf(OpOperand &buffer) {
  const InstrInfo *info = infoOf(buffer.getOwner());
  return info ? ::infoOf(*info, segmentsOf(buffer.getOwner()),
                         buffer.getOperandNumber())
              : nullptr;
}

SmallVector<OpOperand *> glow::ir::buffersOf(Operation *instr, StringRef name) {
  const InstrInfo *info = infoOf(instr);
  SmallVector<OpOperand *> found;
  int32_t begin = 0;
  for (auto [index, size] : llvm::enumerate(segmentsOf(instr))) {
    if (name == info->operands[index].name)
      for (int32_t i = begin; i < begin + size; ++i)
        found.push_back(&instr->getOpOperand(i));
    begin += size;
  }
  return found;
}

Value glow::ir::tokenOf(Operation *instr) {
  const InstrInfo *info = infoOf(instr);
  if (!info || !info->asynchronous)
    return {};
  SmallVector<OpOperand *> found = buffersOf(instr, "token");
  return found.size() == 1 ? found.front()->get() : Value();
}

llvm::DenseSet<Value> glow::ir::tokensOf(FuncOp function) {
  llvm::DenseSet<Value> tokens;
  for (Operation &operation : function.block())
    if (isInstr(&operation))
      if (Value token = tokenOf(&operation))
        tokens.insert(token);
  return tokens;
}

bool Box::isApartFrom(const Box &other) const {
  for (size_t i = 0; i < starts.size(); ++i)
    if (starts[i] + sizes[i] <= other.starts[i] ||
        other.starts[i] + other.sizes[i] <= starts[i])
      return true;
  return false;
}

bool glow::ir::areInConflict(const Access &one, const Access &other) {
  return (one.writes || other.writes) &&
         !(one.box && other.box && one.box->isApartFrom(*other.box));
}

std::optional<Box> glow::ir::boxOf(OpOperand &buffer) {
  const InstrInfo *info = infoOf(buffer.getOwner());
  if (!info || info->boxes.empty())
    return std::nullopt;
  const OperandInfo *operand = infoOf(buffer);
  auto box = llvm::find_if(info->boxes, [&](const BoxInfo &one) {
    return operand && StringRef(operand->name) == one.operand;
  });
  if (box == info->boxes.end())
    return std::nullopt;
  auto listNamed = [&](StringRef name) {
    return buffer.getOwner()->getAttrOfType<DenseI64ArrayAttr>(name);
  };
  DenseI64ArrayAttr starts = listNamed(box->starts), sizes = listNamed("sizes");
  if (!starts || !sizes) // a run gives them
    return std::nullopt;
  return Box{starts.asArrayRef(), sizes.asArrayRef()};
}

Accesses glow::ir::accessesOf(Operation *instr) {
  Accesses accesses;
  auto effecting = dyn_cast<MemoryEffectOpInterface>(instr);
  accesses.others = !effecting;
  for (OpOperand &operand : instr->getOpOperands())
    accesses.buffers.push_back({&operand, !effecting, !effecting});
  if (!effecting)
    return accesses;

  SmallVector<MemoryEffects::EffectInstance> effects;
  effecting.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    auto *operand = effect.getEffectValue<OpOperand *>();
    if (!operand) {
      accesses.others = true;
      continue;
    }
    Access &access = accesses.buffers[operand->getOperandNumber()];
    access.reads |= isa<MemoryEffects::Read>(effect.getEffect());
    access.writes |= isa<MemoryEffects::Write>(effect.getEffect());
  }
  if (const InstrInfo *info = infoOf(instr); info && !info->boxes.empty())
    for (Access &access : accesses.buffers)
      access.box = boxOf(*access.operand);
  return accesses;
}

static uint64_t bytesOf(const OpOperand *buffer) {
  return cast<BufferType>(buffer->get().getType()).bytes();
}

/// Whether the parts lie one after the other in the whole. That holds for a
/// single part of all bytes. It also holds if only sizes of 1 come before the
/// axis along which the parts are joined: then it is the first axis of another
/// size, and the parts' sizes add up to that size.
static bool areInOnePiece(RankedTensorType whole, ArrayRef<OpOperand *> parts) {
  if (parts.size() == 1)
    return bytesOf(parts[0]) == BufferType::get(whole).bytes();
  const auto *size =
      llvm::find_if(whole.getShape(), [](int64_t n) { return n != 1; });
  if (size == whole.getShape().end())
    return false;
  int64_t axis = size - whole.getShape().begin(), sum = 0;
  for (OpOperand *part : parts)
    sum += cast<BufferType>(part->get().getType()).getTensor().getDimSize(axis);
  return sum == *size;
}

SmallVector<Joined> glow::ir::joinedBy(Operation *instr) {
  const InstrInfo *info = infoOf(instr);
  if (!info || !info->joins || info->operands.empty())
    return {};
  SmallVector<OpOperand *> parts = buffersOf(instr, info->joins);
  SmallVector<OpOperand *> whole = buffersOf(instr, info->operands[0].name);
  if (whole.size() != 1 ||
      !areInOnePiece(cast<BufferType>(whole[0]->get().getType()).getTensor(),
                     parts))
    return {};
  SmallVector<Joined> joined;
  uint64_t from = 0;
  for (OpOperand *part : parts) {
    // The pieces are contiguous, so a part may be a buffer within the whole.
    joined.push_back({part->get(), from});
    from += bytesOf(part);
  }
  return joined;
}

Value glow::ir::sameBytesAsResult(Operation *instr) {
  SmallVector<Joined> joined = joinedBy(instr);
  return joined.size() == 1 ? joined.front().part : Value();
}

/// The number of the element, in row-major order, that subscripts select, as a
/// linear combination of indices; nothing for other subscripts.
static std::optional<loops::Affine> denseOffset(loops::Program &program,
                                                const loops::Terms &subscripts,
                                                const loops::Tensor &tensor) {
  if (!tensor.lengths.empty())
    return std::nullopt;
  loops::Affine offset =
      loops::affineOf(loops::offsetOf(program, subscripts, tensor));
  if (!offset.isFixed() || !offset.others.empty())
    return std::nullopt;
  return offset;
}

/// Whether subscripts select each element of a tensor once.
static bool areAllElements(const loops::Terms &subscripts,
                           const loops::Tensor &tensor,
                           const loops::Program &program) {
  llvm::SmallSet<int64_t, 4> seen;
  return subscripts.size() == tensor.shape.size() &&
         llvm::all_of(llvm::zip(subscripts, tensor.shape), [&](auto pair) {
           auto [term, size] = pair;
           return term->op == loops::Op::Index
                      ? program.extent(unsigned(term->integer)) == size &&
                            seen.insert(term->integer).second
                      : size == 1;
         });
}

/// The operand, and the number of its element, of which a statement copies
/// elements in their order.
static std::optional<std::pair<unsigned, int64_t>>
copiedFrom(loops::Program &program, const loops::Statement &copy) {
  const loops::Tensor &to = program.tensors[copy.tensor];
  if (copy.combine != loops::ReductionKind::Assign || !copy.bounds.empty() ||
      copy.scan || copy.finish || copy.value->op != loops::Op::Load ||
      copy.value->outside != loops::Outside::Never ||
      !areAllElements(copy.subscripts, to, program))
    return std::nullopt;
  const auto source = unsigned(copy.value->integer);
  const loops::Tensor &from = program.tensors[source];
  auto read = denseOffset(program, copy.value->operands, from);
  auto written = denseOffset(program, copy.subscripts, to);
  if (!read || !written || read->indices != written->indices ||
      from.kind != to.kind)
    return std::nullopt;
  return std::pair(source, read->constant - written->constant);
}

std::optional<View> glow::ir::viewOf(Operation *instr, Value result) {
  if (Value source = sameBytesAsResult(instr))
    return result == instr->getOperand(0) ? std::optional(View{source, 0})
                                          : std::nullopt;
  const LoopsInfo *info = findLoops(instr->getName().stripDialect());
  if (!info || !info->moves)
    return std::nullopt;
  std::unique_ptr<loops::Program> program = loopsOf(instr);
  if (!program)
    return std::nullopt;
  std::optional<View> view;
  for (const loops::Statement &statement : program->statements) {
    if (statement.tensor >= instr->getNumOperands() ||
        instr->getOperand(statement.tensor) != result)
      continue;
    auto copied = copiedFrom(*program, statement);
    if (!copied || view || copied->second < 0)
      return std::nullopt;
    const auto kind = program->tensors[statement.tensor].kind;
    view = {instr->getOperand(copied->first),
            uint64_t(copied->second) * glow::byteSize(kind)};
  }
  return view;
}

/// Whether the record lists the operand as one that the result may overwrite.
static bool listsInPlace(const InstrInfo &info, const OperandInfo &operand) {
  return llvm::any_of(info.inPlace, [&](const char *name) {
    return StringRef(name) == operand.name;
  });
}

/// Whether both buffers may share one piece of memory.
static bool fitEachOther(Value one, Value other) {
  if (one == other)
    return true;
  auto oneType = cast<BufferType>(one.getType());
  auto otherType = cast<BufferType>(other.getType());
  return oneType.bytes() == otherType.bytes() &&
         oneType.getSpace() == otherType.getSpace() &&
         one.getDefiningOp<AllocOp>() && other.getDefiningOp<AllocOp>();
}

bool glow::ir::mayWorkInPlace(Operation *instr, Value in, Value out) {
  const InstrInfo *info = infoOf(instr);
  if (!info || info->inPlace.empty() || !fitEachOther(in, out))
    return false;
  bool given = false;
  unsigned outs = 0;
  SmallVector<int32_t> segments = segmentsOf(instr);
  for (OpOperand &operand : instr->getOpOperands()) {
    const OperandInfo *declared =
        ::infoOf(*info, segments, operand.getOperandNumber());
    if (!declared)
      return false;
    if (declared->qualifier == Qualifier::Out) {
      ++outs;
      if (operand.get() != out)
        return false;
      continue;
    }
    // Another operand is in the result's memory, so the result would be written
    // while that operand is read.
    if (operand.get() == out && out != in)
      return false;
    if (operand.get() != in)
      continue;
    given = true;
    if (!listsInPlace(*info, *declared))
      return false;
  }
  return given && outs == 1;
}
