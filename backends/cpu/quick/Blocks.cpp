//===- Blocks.cpp - memory that is copied or cleared ----------------------===//
// SPDX-License-Identifier: MIT

#include "Select.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

/// Copies in whole vectors, of which the last may overlap the one before. Many
/// vectors are copied by a loop. Fewer bytes than a vector are copied eight
/// bytes at a time, and then one at a time.
bool Selector::emitBlockCopy(const IntrinsicInst &call) {
  auto size = numberOf(call.getArgOperand(2));
  bool isCopy = call.getIntrinsicID() == Intrinsic::memcpy;
  auto value = isCopy ? 0 : numberOf(call.getArgOperand(1));
  const int64_t whole = partBytes(), turn = 8 * whole;
  if (!size || value != 0 || (!isCopy && *size < whole) || !isInt<32>(*size))
    return false;
  Register to = read(call.getArgOperand(0), Rax);
  Register from = isCopy ? read(call.getArgOperand(1), Rcx) : NoRegister;
  if (*size < whole)
    return copyFew(to, from, *size), true;
  unsigned scratch = scratchVector(0);
  if (!isCopy)
    code.zero(scratch);
  auto move = [&](int64_t place, Register index = NoRegister) {
    if (isCopy)
      code.load(scratch, Source(Memory{from, place, index}));
    code.store({to, place, index}, scratch);
  };
  int64_t inTurns = *size >= 2 * turn ? *size / turn * turn : 0;
  if (inTurns) {
    code.move(Rdx, 0);
    Assembler::Label again = code.newLabel();
    code.land(again);
    for (int64_t place = 0; place < turn; place += whole)
      move(place, Rdx);
    code.apply(Assembler::Add, Rdx, turn);
    code.apply(Assembler::Compare, Rdx, inTurns);
    code.jumpIf(Assembler::Below, again);
  }
  for (int64_t place = inTurns; place < *size; place += whole)
    move(std::min(place, *size - whole));
  return true;
}

void Selector::copyFew(Register to, Register from, int64_t size) {
  int64_t place = 0;
  for (; place + 8 <= size; place += 8) {
    code.load(Rdx, {from, place});
    code.store({to, place}, Rdx);
  }
  for (; place < size; ++place) {
    code.loadByte(Rdx, {from, place}, /*isSigned=*/false);
    code.storeByte({to, place}, Rdx);
  }
}
