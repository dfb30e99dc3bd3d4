//===- Select.cpp - frames, blocks and moves between them -----------------===//
// SPDX-License-Identifier: MIT

#include "Select.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

/// The registers of the first arguments in the C calling convention.
static constexpr Register argumentRegisters[] = {Rdi, Rsi, Rdx, Rcx, R8, R9};
static constexpr size_t inRegisters = std::size(argumentRegisters);
/// The most scratch registers that an instruction needs: one for each operand
/// that may be in memory.
static constexpr unsigned mostScratch = 3;

Selector::Selector(Assembler &code, Function &function,
                   DominatorTree &dominators, bool wide, const Labels &callees)
    : code(code), function(function),
      layout(function.getParent()->getDataLayout()), wide(wide),
      parts(wide ? 1 : 2), callees(callees), folds(function, layout, wide),
      units(function, dominators, folds, parts) {}

bool Selector::run() {
  if (!knowsTypes())
    return false;
  size_t begin = code.here();
  // Vectors in memory are read into scratch registers, which few functions
  // need. One is kept free; where an instruction needs more and all others have
  // values, the function is assembled again with one more.
  for (; kept <= mostScratch; ++kept) {
    if (tryToRun())
      return true;
    if (!needsScratch)
      return false;
    code.forget(begin);
  }
  return false;
}

bool Selector::tryToRun() {
  failed = needsScratch = false, now = 0;
  homes.clear(), own.clear(), saved.clear(), frame = 0;
  if (!prepare())
    return false;
  enter();
  for (const BasicBlock *block : units.blocks())
    labels[block] = code.newLabel();
  ArrayRef<BasicBlock *> blocks = units.blocks();
  for (size_t i = 0; i < blocks.size() && !failed; ++i)
    emitBlock(*blocks[i], i + 1 < blocks.size() ? blocks[i + 1] : nullptr);
  return !failed;
}

bool Selector::knowsTypes() const {
  auto isKnown = [](const Type *type) {
    return isGeneral(type) || isVector(type) || isMask(type);
  };
  if (!function.getReturnType()->isVoidTy() || function.isVarArg())
    return false;
  for (Argument &argument : function.args())
    if (!isGeneral(argument.getType()))
      return false;
  for (Instruction &instruction : instructions(function))
    if (!instruction.getType()->isVoidTy() && !folds.contains(&instruction) &&
        !isKnown(instruction.getType()))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// The frame
//===----------------------------------------------------------------------===//

bool Selector::prepare() {
  if (!allocate(units, wide, kept))
    return false;
  placeInFrame();
  return !failed;
}

void Selector::placeInFrame() {
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (call && !isa<IntrinsicInst>(call) && call->arg_size() > inRegisters)
      frame = std::max(frame, int64_t(call->arg_size() - inRegisters) * 8);
  }
  DenseMap<int, unsigned> stacked;
  for (Argument &argument :
       drop_begin(function.args(), std::min(inRegisters, function.arg_size())))
    stacked[units.of(&argument)] = argument.getArgNo() - inRegisters;
  auto take = [&](int64_t bytes, int64_t alignment) {
    frame = int64_t(alignTo(uint64_t(frame), uint64_t(alignment)));
    int64_t place = frame;
    frame += bytes;
    return place;
  };
  for (auto [i, unit] : enumerate(units.units)) {
    bool isVector = unit.kind != Kind::General;
    if (auto found = stacked.find(int(i)); found != stacked.end())
      // The caller has stored the argument above the return address and its own
      // Rbp.
      homes[int(i)] = {Rbp, 16 + 8 * int64_t(found->second)};
    else if (unit.reg < 0 && unit.from <= unit.to)
      homes[int(i)] = {
          Rsp, take(isVector ? partBytes() : 8, isVector ? partBytes() : 8)};
    if (!isVector && (unit.reg == Rbx || unit.reg >= R12) &&
        !is_contained(saved, Register(unit.reg)))
      saved.push_back(Register(unit.reg));
  }
  for (Instruction &instruction : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
      auto size = alloca->getAllocationSize(layout);
      failed |= !size || size->isScalable();
      if (!failed)
        own[alloca] = take(int64_t(size->getFixedValue()), 64);
    }
}

void Selector::enter() {
  code.push(Rbp);
  code.move(Rbp, Rsp);
  for (Register reg : saved)
    code.push(reg);
  if (frame) {
    code.apply(Assembler::Subtract, Rsp, frame);
    // Aligned for vectors and for the function's allocas; Rbp restores the
    // stack pointer.
    code.apply(Assembler::And, Rsp, -64);
  }
  SmallVector<Move> moves;
  for (Argument &argument : function.args()) {
    int unit = units.of(&argument);
    size_t index = argument.getArgNo();
    if (unit < 0 || (index >= inRegisters && units.units[size_t(unit)].reg < 0))
      continue;
    Location from;
    if (index < inRegisters)
      from.reg = argumentRegisters[index];
    else
      from.memory = homes[unit];
    moves.push_back({locationOf(unit), from});
  }
  emitMoves(std::move(moves));
}

void Selector::leave() {
  bool hasVectors = any_of(
      units.units, [](const Unit &unit) { return unit.kind == Kind::Vector; });
  if (hasVectors)
    // SSE code that runs next would be slow with dirty upper halves.
    code.clearUpper();
  if (frame)
    code.address(Rsp, {Rbp, -8 * int64_t(saved.size())});
  for (Register reg : reverse(saved))
    code.pop(reg);
  code.pop(Rbp);
  code.finish();
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void Selector::emitBlock(const BasicBlock &block, const BasicBlock *next) {
  if (units.isInnermostLoop(&block))
    code.alignLoop();
  code.land(labels[&block]);
  for (const Instruction &instruction : block) {
    now += isa<PHINode>(instruction) ? 0 : 2;
    if (isa<PHINode>(instruction) || folds.contains(&instruction))
      continue;
    if (auto *branch = dyn_cast<BranchInst>(&instruction))
      emitBranch(*branch, next);
    else if (!emit(instruction))
      failed = true;
    if (failed)
      return;
  }
  now += 2;
}

bool Selector::emit(const Instruction &instruction) {
  if (isa<ReturnInst>(instruction))
    return leave(), true;
  if (auto *call = dyn_cast<CallInst>(&instruction);
      call && !isa<IntrinsicInst>(call))
    return emitCall(*call), true;
  // An unused instruction without side effects needs no code.
  bool isUnused = !instruction.getType()->isVoidTy() &&
                  units.of(&instruction) < 0 &&
                  !instruction.mayHaveSideEffects();
  return isUnused || emitVector(instruction) || emitScalar(instruction);
}

void Selector::emitBranch(const BranchInst &branch, const BasicBlock *next) {
  const BasicBlock &from = *branch.getParent();
  auto goTo = [&](const BasicBlock &to) {
    emitMoves(movesTo(from, to));
    if (&to != next)
      code.jump(labels[&to]);
  };
  if (branch.isUnconditional())
    return goTo(*branch.getSuccessor(0));
  const BasicBlock &taken = *branch.getSuccessor(0),
                   &other = *branch.getSuccessor(1);
  if (auto *known = dyn_cast<ConstantInt>(branch.getCondition()))
    return goTo(known->isZero() ? other : taken);
  // The two successors may need moves into phis. The conditional jump comes
  // before the moves of a successor. A successor without moves is jumped to
  // directly, or is the next block.
  bool otherMoves = !movesTo(from, other).empty(),
       takenMoves = !movesTo(from, taken).empty();
  Assembler::Condition condition = emitCondition(branch.getCondition());
  // Conditions come in pairs that differ in the last bit.
  auto inverse = Assembler::Condition(condition ^ 1);
  if (!takenMoves && (&taken != next || otherMoves)) {
    code.jumpIf(condition, labels[&taken]);
    return goTo(other);
  }
  if (!otherMoves) {
    code.jumpIf(inverse, labels[&other]);
    return goTo(taken);
  }
  Assembler::Label otherwise = code.newLabel();
  code.jumpIf(inverse, otherwise);
  emitMoves(movesTo(from, taken));
  code.jump(labels[&taken]);
  code.land(otherwise);
  goTo(other);
}

/// The moves into the phis of block `to` when control comes from block `from`.
SmallVector<Selector::Move> Selector::movesTo(const BasicBlock &from,
                                              const BasicBlock &to) {
  SmallVector<Move> moves;
  for (const PHINode &phi : to.phis()) {
    const Value *value = phi.getIncomingValueForBlock(&from);
    int unit = units.of(&phi);
    if (unit < 0 || isa<UndefValue>(value))
      continue;
    for (unsigned part = 0; part < units.partsOf(&phi); ++part)
      moves.push_back({locationOf(unit + int(part)), locationOf(value, part)});
  }
  erase_if(moves, [](const Move &move) { return move.to.isSame(move.from); });
  return moves;
}

void Selector::emitCall(const CallInst &call) {
  auto callee = callees.find(call.getCalledFunction());
  if (callee == callees.end()) {
    failed = true;
    return;
  }
  SmallVector<Move> moves;
  for (auto [i, argument] : enumerate(call.args())) {
    Location to;
    if (i < inRegisters)
      to.reg = argumentRegisters[i];
    else
      to.memory = {Rsp, int64_t(i - inRegisters) * 8};
    if (!isa<UndefValue>(argument))
      moves.push_back({to, locationOf(argument, 0)});
  }
  emitMoves(std::move(moves));
  code.call(callee->second);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

bool Selector::Location::isSame(const Location &other) const {
  if (constant || other.constant || kind != other.kind)
    return false;
  if (reg >= 0 || other.reg >= 0)
    return reg == other.reg;
  return memory.base == other.memory.base &&
         memory.offset == other.memory.offset;
}

Selector::Location Selector::locationOf(int unit) const {
  Location location;
  location.kind = units.units[size_t(unit)].kind;
  location.reg = units.units[size_t(unit)].reg;
  if (location.reg < 0)
    location.memory = homes.lookup(unit);
  return location;
}

Selector::Location Selector::locationOf(const Value *value, unsigned part) {
  if (units.of(value) >= 0)
    return locationOf(units.of(value, part));
  Location location;
  location.constant = dyn_cast<Constant>(value);
  location.part = part;
  location.kind = isGeneral(value->getType()) ? Kind::General : Kind::Vector;
  failed |= !location.constant || isMask(value->getType());
  return location;
}

void Selector::emitMoves(SmallVector<Move> moves) {
  erase_if(moves, [](const Move &move) { return move.to.isSame(move.from); });
  while (!moves.empty() && !failed) {
    // Parallel moves: a move whose target no other move reads goes first. If
    // there is none, the remaining moves form cycles.
    auto *free = find_if(moves, [&](const Move &move) {
      return none_of(moves, [&](const Move &other) {
        return &other != &move && other.from.isSame(move.to);
      });
    });
    if (free == moves.end()) {
      Move move = moves.pop_back_val();
      exchange(move, moves);
      continue;
    }
    emitMove(*free);
    moves.erase(free);
  }
}

/// Breaks a cycle of moves by exchanging registers.
void Selector::exchange(Move &move, SmallVectorImpl<Move> &others) {
  if (move.to.reg < 0 || move.from.reg < 0 || move.to.kind == Kind::Mask) {
    failed = true;
    return;
  }
  auto to = unsigned(move.to.reg), from = unsigned(move.from.reg);
  if (move.to.kind == Kind::General) {
    code.move(Rax, Register(to));
    code.move(Register(to), Register(from));
    code.move(Register(from), Rax);
  } else {
    unsigned scratch = scratchVector(0);
    code.load(scratch, to);
    code.load(to, from);
    code.load(from, scratch);
  }
  for (Move &other : others)
    if (other.from.isSame(move.to))
      other.from = move.from;
    else if (other.from.isSame(move.from))
      other.from = move.to;
  erase_if(others,
           [](const Move &other) { return other.to.isSame(other.from); });
}

void Selector::emitMove(const Move &move) {
  const Location &to = move.to, &from = move.from;
  if (to.kind == Kind::Mask)
    return code.moveMask(unsigned(to.reg), unsigned(from.reg));
  if (to.kind == Kind::General) {
    auto reg = to.reg >= 0 ? Register(to.reg) : Rax;
    if (from.constant)
      read(from.constant, reg);
    else if (from.reg >= 0 && to.reg < 0)
      reg = Register(from.reg);
    else if (from.reg >= 0)
      code.move(reg, Register(from.reg));
    else
      code.load(reg, from.memory);
    if (to.reg < 0)
      code.store(to.memory, reg);
    return;
  }
  unsigned reg = to.reg >= 0 ? unsigned(to.reg) : scratchVector(0);
  if (from.constant)
    loadConstant(reg, *from.constant, from.part);
  else if (from.reg >= 0 && to.reg < 0)
    reg = unsigned(from.reg);
  else if (from.reg >= 0)
    code.load(reg, unsigned(from.reg));
  else
    code.load(reg, Source(from.memory));
  if (to.reg < 0)
    code.store(to.memory, reg);
}
