//===- Scalars.cpp - numbers, addresses and conditions --------------------===//
// SPDX-License-Identifier: MIT

#include "Select.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Support/DivisionByConstantInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

std::optional<int64_t> quick::numberOf(const Value *value) {
  auto *constant = dyn_cast<ConstantInt>(value);
  if (!constant)
    return std::nullopt;
  // A condition is 1 or 0.
  return constant->getBitWidth() == 1 ? int64_t(constant->getZExtValue())
                                      : constant->getSExtValue();
}
static bool isShort(int64_t number) { return number == int32_t(number); }

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// The bytes of a global for the constant pool: zeros, as of Winograd's
/// borders, or a string of bytes, as the sizes of tiles. Empty for any other
/// global.
std::string Selector::bytesOf(const GlobalVariable &global) const {
  if (!global.isConstant() || !global.hasInitializer())
    return "";
  const Constant &value = *global.getInitializer();
  if (value.isNullValue())
    return std::string(size_t(layout.getTypeAllocSize(value.getType())), '\0');
  auto *bytes = dyn_cast<ConstantDataArray>(&value);
  return bytes && bytes->getElementType()->isIntegerTy(8)
             ? bytes->getRawDataValues().str()
             : "";
}

Register Selector::read(const Value *value, Register scratch) {
  if (int unit = units.of(value); unit >= 0) {
    Location location = locationOf(unit);
    if (location.reg >= 0)
      return Register(location.reg);
    code.load(scratch, location.memory);
    return scratch;
  }
  if (auto *global = dyn_cast<GlobalVariable>(value)) {
    std::string bytes = bytesOf(*global);
    failed |= bytes.empty();
    code.address(scratch, code.constant(bytes));
    return scratch;
  }
  auto number = numberOf(value);
  bool isNothing = isa<UndefValue, ConstantPointerNull>(value);
  failed |= !number && !isNothing;
  code.move(scratch, number.value_or(0));
  return scratch;
}

Register Selector::target(const Value *value, Register scratch) const {
  int unit = units.of(value);
  int reg = unit >= 0 ? units.units[size_t(unit)].reg : -1;
  return reg >= 0 ? Register(reg) : scratch;
}
void Selector::written(const Value *value, Register reg) {
  Location location = locationOf(value, 0);
  if (location.reg < 0)
    code.store(location.memory, reg);
  else
    code.move(Register(location.reg), reg);
}

Memory Selector::place(const Value *pointer) {
  Memory memory;
  while (folds.contains(pointer)) {
    auto *address = cast<GetElementPtrInst>(pointer);
    APInt offset(64, 0);
    if (address->accumulateConstantOffset(layout, offset)) {
      memory.offset += offset.getSExtValue();
    } else {
      memory.index = read(address->getOperand(1), Rcx);
      memory.scale =
          uint8_t(layout.getTypeAllocSize(address->getSourceElementType()));
    }
    pointer = address->getPointerOperand();
  }
  memory.base = read(pointer, Rax);
  // The offset of the next part of a vector must fit as well.
  failed |= !isShort(memory.offset) || !isShort(memory.offset + 64);
  return memory;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool Selector::emitScalar(const Instruction &instruction) {
  auto copy = [&](const Value *value) {
    written(&instruction, read(value, Rax));
    return true;
  };
  if (!instruction.getType()->isVoidTy() && !isGeneral(instruction.getType()))
    return false;
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
    return emitArithmetic(*operation), true;
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return emitScalarCall(*call);
  if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    return emitAddress(*address), true;
  if (auto *select = dyn_cast<SelectInst>(&instruction))
    return emitSelect(*select), true;
  if (isa<FreezeInst, PtrToIntInst, IntToPtrInst>(instruction) ||
      (isa<ZExtInst>(instruction) &&
       instruction.getOperand(0)->getType()->isIntegerTy(1)))
    return isGeneral(instruction.getOperand(0)->getType()) &&
           copy(instruction.getOperand(0));
  if (isa<ZExtInst, SExtInst>(instruction) &&
      folds.contains(instruction.getOperand(0)))
    return emitByteLoad(cast<CastInst>(instruction)), true;
  if (isa<TruncInst>(instruction) && instruction.getType()->isIntegerTy(1)) {
    // A condition in a register is 0 or 1, as its users expect.
    code.move(Rdx, read(instruction.getOperand(0), Rdx));
    code.apply(Assembler::And, Rdx, 1);
    return written(&instruction, Rdx), true;
  }
  if (isa<ICmpInst>(instruction)) {
    if (!isGeneral(instruction.getOperand(0)->getType()))
      return false;
    code.setIf(emitComparison(cast<ICmpInst>(instruction)), Rdx);
    return written(&instruction, Rdx), true;
  }
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return emitLoad(*load);
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return emitStore(*store);
  if (isa<AllocaInst>(instruction)) {
    Register reg = target(&instruction);
    code.address(reg, {Rsp, own.lookup(&instruction)});
    return written(&instruction, reg), true;
  }
  return false;
}

bool Selector::emitLoad(const LoadInst &load) {
  if (load.getType()->isIntegerTy(1) ||
      isStrongerThan(load.getOrdering(), AtomicOrdering::Acquire))
    return false;
  Register reg = target(&load);
  code.load(reg, place(load.getPointerOperand()));
  return written(&load, reg), true;
}

void Selector::emitByteLoad(const CastInst &cast) {
  auto *load = dyn_cast<LoadInst>(cast.getOperand(0));
  if (!load) {
    failed = true;
    return;
  }
  Register reg = target(&cast);
  code.loadByte(reg, place(load->getPointerOperand()), isa<SExtInst>(cast));
  written(&cast, reg);
}

bool Selector::emitStore(const StoreInst &store) {
  const Value *value = store.getValueOperand();
  if (folds.contains(value) && value->getType()->isIntegerTy(8)) {
    if (auto *load = dyn_cast<LoadInst>(value)) {
      code.loadByte(Rdx, place(load->getPointerOperand()), /*isSigned=*/false);
      code.storeByte(place(store.getPointerOperand()), Rdx);
      return true;
    }
    const Value *wide = cast<TruncInst>(value)->getOperand(0);
    Memory memory = place(store.getPointerOperand());
    code.storeByte(memory, read(wide, Rdx));
    return true;
  }
  if (!isGeneral(value->getType()) || value->getType()->isIntegerTy(1) ||
      isStrongerThan(store.getOrdering(), AtomicOrdering::Release))
    return false;
  Memory memory = place(store.getPointerOperand());
  code.store(memory, read(value, Rdx));
  return true;
}

bool Selector::emitScalarCall(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
    return true;
  case Intrinsic::prefetch: {
    // Locality 3 means all cache levels, and locality 0 none.
    auto locality = *numberOf(call.getArgOperand(2));
    code.prefetch(place(call.getArgOperand(0)),
                  unsigned(locality ? 4 - locality : 0));
    return true;
  }
  case Intrinsic::memset:
  case Intrinsic::memcpy:
    return emitBlockCopy(call);
  case Intrinsic::smin:
    return emitLimit(call, Assembler::Greater), true;
  case Intrinsic::smax:
    return emitLimit(call, Assembler::Less), true;
  case Intrinsic::umin:
    return emitLimit(call, Assembler::Above), true;
  case Intrinsic::umax:
    return emitLimit(call, Assembler::Below), true;
  default:
    return emitTiles(call);
  }
}

/// Emits a minimum or maximum: the second value if the first compares as
/// `condition` with it.
void Selector::emitLimit(const IntrinsicInst &call,
                         Assembler::Condition condition) {
  code.move(Rax, read(call.getArgOperand(0), Rax));
  Register second = read(call.getArgOperand(1), Rcx);
  code.apply(Assembler::Compare, Rax, second);
  code.moveIf(condition, Rax, second);
  written(&call, Rax);
}

/// The single machine instruction of an operation, which may take an immediate.
static std::optional<Assembler::Arithmetic>
arithmeticOf(const BinaryOperator &operation) {
  switch (operation.getOpcode()) {
  case Instruction::Add:
    return Assembler::Add;
  case Instruction::Sub:
    return Assembler::Subtract;
  case Instruction::And:
    return Assembler::And;
  case Instruction::Or:
    return Assembler::Or;
  case Instruction::Xor:
    return Assembler::Xor;
  default:
    return std::nullopt;
  }
}

/// The operands, with a constant in second position.
static std::pair<const Value *, const Value *>
operandsOf(const BinaryOperator &operation) {
  const Value *first = operation.getOperand(0),
              *second = operation.getOperand(1);
  if (operation.isCommutative() && numberOf(first))
    std::swap(first, second);
  return {first, second};
}

void Selector::emitArithmetic(const BinaryOperator &operation) {
  switch (operation.getOpcode()) {
  case Instruction::Mul:
    return emitMultiplication(operation);
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return emitShift(operation);
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::SDiv:
  case Instruction::SRem:
    return emitDivision(operation);
  default:
    break;
  }
  if (std::optional<Assembler::Arithmetic> kind = arithmeticOf(operation))
    emitSum(*kind, operation);
  else
    failed = true;
}

void Selector::emitMultiplication(const BinaryOperator &operation) {
  auto [first, second] = operandsOf(operation);
  if (auto number = numberOf(second))
    return emitProduct(target(&operation), first, *number),
           written(&operation, target(&operation));
  code.move(Rax, read(first, Rax));
  code.multiply(Rax, read(second, Rcx));
  written(&operation, Rax);
}

void Selector::emitSum(Assembler::Arithmetic kind,
                       const BinaryOperator &operation) {
  auto [first, second] = operandsOf(operation);
  auto number = numberOf(second);
  Register reg = target(&operation);
  Register source = NoRegister;
  if (!number || !isShort(*number)) {
    source = read(second, Rcx);
    // The result may have the register of the second operand.
    if (source == reg)
      reg = Rax;
  }
  code.move(reg, read(first, reg));
  if (source == NoRegister)
    code.apply(kind, reg, *number);
  else
    code.apply(kind, reg, source);
  written(&operation, reg);
}

void Selector::emitProduct(Register target, const Value *value,
                           int64_t factor) {
  Register source = read(value, target);
  if (factor > 0 && isPowerOf2_64(uint64_t(factor))) {
    code.move(target, source);
    if (factor > 1)
      code.shift(Assembler::Left, target, uint8_t(Log2_64(uint64_t(factor))));
  } else if (isShort(factor)) {
    code.multiply(target, source, factor);
  } else {
    code.move(Rcx, factor);
    code.move(target, source);
    code.multiply(target, Rcx);
  }
}

void Selector::emitShift(const BinaryOperator &operation) {
  auto bits = numberOf(operation.getOperand(1));
  if (!bits || *bits < 0 || *bits > 63) {
    failed = true;
    return;
  }
  Register reg = target(&operation);
  code.move(reg, read(operation.getOperand(0), reg));
  code.shift(operation.getOpcode() == Instruction::Shl ? Assembler::Left
             : operation.getOpcode() == Instruction::LShr
                 ? Assembler::Right
                 : Assembler::RightSigned,
             reg, uint8_t(*bits));
  written(&operation, reg);
}

void Selector::emitDivision(const BinaryOperator &operation) {
  bool isSigned = operation.getOpcode() == Instruction::SDiv ||
                  operation.getOpcode() == Instruction::SRem;
  bool isRest = operation.getOpcode() == Instruction::URem ||
                operation.getOpcode() == Instruction::SRem;
  auto number = numberOf(operation.getOperand(1));
  if (!isSigned && number && isPowerOf2_64(uint64_t(*number))) {
    code.move(Rax, read(operation.getOperand(0), Rax));
    if (!isRest) {
      if (*number > 1)
        code.shift(Assembler::Right, Rax, uint8_t(Log2_64(uint64_t(*number))));
      return written(&operation, Rax);
    }
    if (isShort(*number - 1)) {
      code.apply(Assembler::And, Rax, *number - 1);
      return written(&operation, Rax);
    }
  }
  if (!isSigned && number && *number > 0 && isShort(*number))
    return emitDivisionBy(*number, operation, isRest);
  code.move(Rax, read(operation.getOperand(0), Rax));
  code.divide(read(operation.getOperand(1), Rcx), isSigned);
  written(&operation, isRest ? Rdx : Rax);
}

/// Emits a product and shifts instead of a division, which takes ten times as
/// long, after Granlund and Montgomery, "Division by invariant integers using
/// multiplication" (1994).
void Selector::emitDivisionBy(int64_t divisor, const BinaryOperator &operation,
                              bool isRest) {
  auto how = UnsignedDivisionByConstantInfo::get(APInt(64, uint64_t(divisor)));
  const Value *value = operation.getOperand(0);
  auto shiftRight = [&](Register reg, unsigned bits) {
    if (bits)
      code.shift(Assembler::Right, reg, uint8_t(bits));
  };
  code.move(Rax, read(value, Rax));
  shiftRight(Rax, how.PreShift);
  code.move(Rcx, int64_t(how.Magic.getZExtValue()));
  code.multiplyWide(Rcx);
  if (how.IsAdd) { // the number has 65 bits
    code.move(Rax, read(value, Rax));
    code.apply(Assembler::Subtract, Rax, Rdx);
    shiftRight(Rax, 1);
    code.apply(Assembler::Add, Rdx, Rax);
  }
  shiftRight(Rdx, how.PostShift);
  if (!isRest)
    return written(&operation, Rdx);
  code.multiply(Rcx, Rdx, divisor);
  code.move(Rax, read(value, Rax));
  code.apply(Assembler::Subtract, Rax, Rcx);
  written(&operation, Rax);
}

void Selector::emitSelect(const SelectInst &select) {
  Assembler::Condition condition = emitCondition(select.getCondition());
  // Moves leave the flags as they are.
  Register otherwise = read(select.getFalseValue(), Rcx);
  Register taken = read(select.getTrueValue(), Rdx);
  code.move(Rax, otherwise);
  code.moveIf(condition, Rax, taken);
  written(&select, Rax);
}

void Selector::emitAddress(const GetElementPtrInst &address) {
  APInt offset(64, 0);
  Register reg = target(&address);
  if (address.accumulateConstantOffset(layout, offset)) {
    int64_t bytes = offset.getSExtValue();
    Register base = read(address.getPointerOperand(), Rcx);
    if (isShort(bytes)) {
      code.address(reg, {base, bytes});
    } else {
      code.move(Rax, bytes);
      code.apply(Assembler::Add, Rax, base);
      reg = Rax;
    }
    return written(&address, reg);
  }
  if (address.getNumIndices() != 1 ||
      !address.getOperand(1)->getType()->isIntegerTy(64)) {
    failed = true;
    return;
  }
  auto size = int64_t(layout.getTypeAllocSize(address.getSourceElementType()));
  Register index = read(address.getOperand(1), Rcx);
  // The scale of an index in an address is 1, 2, 4 or 8.
  if (size > 8 || !isPowerOf2_64(uint64_t(size))) {
    emitProduct(Rdx, address.getOperand(1), size);
    index = Rdx, size = 1;
  }
  Register base = read(address.getPointerOperand(), Rax);
  code.address(reg, {base, 0, index, uint8_t(size)});
  written(&address, reg);
}

static Assembler::Condition conditionOf(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return Assembler::Equal;
  case CmpInst::ICMP_NE:
    return Assembler::NotEqual;
  case CmpInst::ICMP_UGT:
    return Assembler::Above;
  case CmpInst::ICMP_UGE:
    return Assembler::AboveEqual;
  case CmpInst::ICMP_ULT:
    return Assembler::Below;
  case CmpInst::ICMP_ULE:
    return Assembler::BelowEqual;
  case CmpInst::ICMP_SGT:
    return Assembler::Greater;
  case CmpInst::ICMP_SGE:
    return Assembler::GreaterEqual;
  case CmpInst::ICMP_SLT:
    return Assembler::Less;
  default:
    return Assembler::LessEqual;
  }
}

Assembler::Condition Selector::emitComparison(const ICmpInst &compare) {
  Register first = read(compare.getOperand(0), Rax);
  auto number = numberOf(compare.getOperand(1));
  if (number && isShort(*number))
    code.apply(Assembler::Compare, first, *number);
  else
    code.apply(Assembler::Compare, first, read(compare.getOperand(1), Rcx));
  return conditionOf(compare.getPredicate());
}

Assembler::Condition Selector::emitCondition(const Value *condition) {
  if (folds.contains(condition))
    return emitComparison(*cast<ICmpInst>(condition));
  code.test(read(condition, Rax));
  return Assembler::NotEqual;
}
