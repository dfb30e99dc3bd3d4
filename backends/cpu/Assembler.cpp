//===- Assembler.cpp - machine code of x86-64 -----------------------------===//

#include "Assembler.h"
#include <bit>
#include <cassert>

using namespace glow::cpu;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

void Assembler::number(int64_t value) {
  assert(value == int32_t(value) && "only 32 bits are written");
  for (int i = 0; i < 4; ++i)
    byte(unsigned(value >> (8 * i)) & 0xff);
}

/// REX.W, the opcode, and two registers.
void Assembler::integer(unsigned opcode, unsigned reg, Register rm) {
  byte(0x48 | (reg >> 3) << 2 | unsigned(rm) >> 3);
  if (opcode > 0xff)
    byte(opcode >> 8);
  byte(opcode & 0xff);
  byte(0xc0 | (reg & 7) << 3 | (rm & 7));
}

/// ModRM of a place. `scale` is what offsets of one byte count in.
void Assembler::memory(unsigned reg, Memory place, unsigned scale) {
  int64_t steps = place.offset / int64_t(scale);
  bool isShort = place.offset % int64_t(scale) == 0 && steps == int8_t(steps);
  byte((isShort ? 0x40 : 0x80) | (reg & 7) << 3 | (place.base & 7));
  if ((place.base & 7) == Rsp)
    byte(0x24);
  if (isShort)
    byte(unsigned(steps) & 0xff);
  else
    number(place.offset);
}

/// The same with a place.
void Assembler::integer(unsigned opcode, Register reg, Memory place) {
  byte(0x48 | (reg >> 3) << 2 | place.base >> 3);
  byte(opcode);
  memory(reg, place, 1);
}

void Assembler::push(Register source) {
  if (source >= R8)
    byte(0x41);
  byte(0x50 | (source & 7));
}
void Assembler::pop(Register target) {
  if (target >= R8)
    byte(0x41);
  byte(0x58 | (target & 7));
}
void Assembler::move(Register target, Register source) {
  integer(0x89, source, target);
}
void Assembler::move(Register target, int64_t value) {
  integer(0xc7, 0, target);
  number(value);
}
void Assembler::load(Register target, Memory source) {
  integer(0x8b, target, source);
}
void Assembler::add(Register target, Register source) {
  integer(0x01, source, target);
}
void Assembler::add(Register target, int64_t value) {
  if (value == 0)
    return;
  integer(value == int8_t(value) ? 0x83 : 0x81, 0, target);
  if (value == int8_t(value))
    byte(unsigned(value) & 0xff);
  else
    number(value);
}
void Assembler::subtract(Register target, Register source) {
  integer(0x29, source, target);
}
void Assembler::multiply(Register target, Register source) {
  integer(0x0faf, target, source);
}
void Assembler::multiply(Register target, Register source, int64_t value) {
  integer(0x69, target, source);
  number(value);
}
void Assembler::shiftLeft(Register target, uint8_t bits) {
  integer(0xc1, 4, target);
  byte(bits);
}
void Assembler::address(Register target, Memory source) {
  integer(0x8d, target, source);
}
void Assembler::decrement(Register target) { integer(0xff, 1, target); }
void Assembler::prefetch(Memory source, unsigned level) {
  if (source.base >= R8)
    byte(0x41);
  byte(0x0f);
  byte(0x18);
  memory(level, source, 1);
}

//===----------------------------------------------------------------------===//
// Jumps
//===----------------------------------------------------------------------===//

void Assembler::alignLoop() {
  // The longest forms that do nothing, of up to 9 bytes.
  static constexpr const char *nothing[] = {
      "\x90",
      "\x66\x90",
      "\x0f\x1f\x00",
      "\x0f\x1f\x40\x00",
      "\x0f\x1f\x44\x00\x00",
      "\x66\x0f\x1f\x44\x00\x00",
      "\x0f\x1f\x80\x00\x00\x00\x00",
      "\x0f\x1f\x84\x00\x00\x00\x00\x00",
      "\x66\x0f\x1f\x84\x00\x00\x00\x00\x00"};
  for (size_t rest = -bytes.size() % 32; rest != 0;) {
    size_t length = rest < 9 ? rest : 9;
    bytes.append(nothing[length - 1], length);
    rest -= length;
  }
}

void Assembler::jumpBackIfNotZero(size_t target) {
  byte(0x0f);
  byte(0x85);
  number(int64_t(target) - int64_t(bytes.size()) - 4);
}
size_t Assembler::jumpIfNotPositive() {
  byte(0x0f);
  byte(0x8e);
  number(0);
  return bytes.size();
}
void Assembler::land(size_t jump) {
  uint64_t distance = bytes.size() - jump;
  for (size_t i = 0; i < 4; ++i)
    bytes[jump - 4 + i] = char(distance >> (8 * i));
}
void Assembler::finish() { bytes += "\xc5\xf8\x77\xc3"; }

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

void Assembler::vex(const Form &form, unsigned reg, unsigned second,
                    unsigned rm) {
  byte(0xc4);
  byte((reg < 8) << 7 | 1 << 6 | (rm < 8) << 5 | form.map);
  byte((~second & 15) << 3 | !form.scalar << 2 | form.prefix);
  byte(form.opcode);
}

/// `rm` may be a register of a vector with `form.scale` 0, else it is a base.
void Assembler::evex(const Form &form, unsigned reg, unsigned second,
                     unsigned rm) {
  byte(0x62);
  byte(!(reg & 8) << 7 | !(form.scale == 0 && rm & 16) << 6 | !(rm & 8) << 5 |
       !(reg & 16) << 4 | form.map);
  byte((~second & 15) << 3 | 1 << 2 | form.prefix);
  // What is not masked for a load becomes zero.
  bool zeroes = form.masked && form.opcode == 0x10;
  byte(zeroes << 7 | (form.scalar ? 0 : 2) << 5 | form.broadcast << 4 |
       !(second & 16) << 3 | form.masked);
  byte(form.opcode);
}

void Assembler::vector(const Form &form, unsigned reg, unsigned second,
                       unsigned rm) {
  wide ? evex(form, reg, second, rm) : vex(form, reg, second, rm);
  byte(0xc0 | (reg & 7) << 3 | (rm & 7));
}

void Assembler::vector(const Form &form, unsigned reg, unsigned second,
                       Memory place) {
  wide ? evex(form, reg, second, place.base)
       : vex(form, reg, second, place.base);
  memory(reg, place, wide ? form.scale : 1);
}

void Assembler::setMask(unsigned elements, Register scratch) {
  move(scratch, (int64_t(1) << elements) - 1);
  bytes += "\xc5\xf8\x92"; // kmovw k1, scratch
  byte(0xc0 | 1 << 3 | (scratch & 7));
}
void Assembler::zero(Vector target) {
  // The form on floats needs an extension of AVX-512.
  vector({wide ? Prefix66 : NoPrefix, Map0F, uint8_t(wide ? 0xef : 0x57)},
         target, target, unsigned(target));
}
void Assembler::load(Vector target, Memory source, bool masked) {
  vector({NoPrefix, Map0F, 0x10, 64, false, masked}, target, 0, source);
}
void Assembler::store(Memory target, Vector source, bool masked) {
  vector({NoPrefix, Map0F, 0x11, 64, false, masked}, source, 0, target);
}
void Assembler::broadcast(Vector target, Memory source) {
  vector({Prefix66, Map0F38, 0x18, 4}, target, 0, source);
}
void Assembler::broadcast(Vector target, float value, Register scratch) {
  move(scratch, int64_t(int32_t(std::bit_cast<uint32_t>(value))));
  vector({Prefix66, Map0F, 0x6e, 0, false, false, true}, target, 0,
         unsigned(scratch));
  vector({Prefix66, Map0F38, 0x18}, target, 0, unsigned(target));
}
void Assembler::multiplyAdd(Vector sum, Vector a, Vector b) {
  vector({Prefix66, Map0F38, 0xb8}, sum, a, unsigned(b));
}
void Assembler::multiplyAddBroadcast(Vector sum, Vector a, Memory b) {
  assert(wide && "AVX2 has no operand that is repeated");
  vector({Prefix66, Map0F38, 0xb8, 4, true}, sum, a, b);
}
void Assembler::apply(Operation operation, Vector target, Vector a, Vector b) {
  vector({NoPrefix, Map0F, operation}, target, a, unsigned(b));
}
