//===- Assembler.cpp - machine code of x86-64 -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Encodings follow Intel's Software Developer's Manual, volume 2: REX, VEX and
// EVEX prefixes, opcode, ModRM, SIB, displacement. Register bits in VEX and
// EVEX are inverted.
//
//===----------------------------------------------------------------------===//

#include "Assembler.h"
#include <cassert>

using namespace glow::cpu::quick;

void Assembler::number(int64_t value) {
  assert(value == int32_t(value) && "only 32 bits are written");
  for (int i = 0; i < 4; ++i)
    byte(unsigned(value >> (8 * i)) & 0xff);
}

void Assembler::put(size_t word, int64_t value) {
  for (size_t i = 0; i < 4; ++i)
    bytes[word + i] = char(uint64_t(value) >> (8 * i));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Whether a register number needs a prefix bit; false for `Pool` and
/// `NoRegister`.
static bool isHigh(unsigned reg) { return reg < Pool && reg & 8; }

void Assembler::rex(unsigned reg, unsigned index, unsigned rm) {
  byte(0x48 | isHigh(reg) << 2 | isHigh(index) << 1 | isHigh(rm));
}

void Assembler::integer(unsigned opcode, unsigned reg, Register rm) {
  rex(reg, NoRegister, rm);
  if (opcode > 0xff)
    byte(opcode >> 8);
  byte(opcode & 0xff);
  byte(0xc0 | (reg & 7) << 3 | (rm & 7));
}

void Assembler::integer(unsigned opcode, unsigned reg, const Memory &place) {
  rex(reg, place.index, place.base);
  if (opcode > 0xff)
    byte(opcode >> 8);
  byte(opcode & 0xff);
  memory(reg, place, 1);
}

/// Emits ModRM, SIB and displacement. `scale` is the unit of a displacement of
/// one byte. `trailing` bytes of the instruction follow.
void Assembler::memory(unsigned reg, const Memory &place, unsigned scale,
                       unsigned trailing) {
  // A displacement from the end of the instruction, which is filled in when the
  // offsets of constants are known.
  if (place.base == Pool) {
    byte((reg & 7) << 3 | 5);
    number(0);
    poolUses.push_back(
        {bytes.size() - 4, bytes.size() + trailing, place.offset});
    return;
  }
  int64_t steps = place.offset / int64_t(scale);
  // EVEX scales a displacement of one byte by the size of the memory operand
  // (disp8*N).
  bool isShort = place.offset % int64_t(scale) == 0 && steps == int8_t(steps);
  bool hasIndex = place.index != NoRegister;
  // Rsp and R12 as a base need a SIB byte.
  bool hasByte = hasIndex || (place.base & 7) == Rsp;
  byte((isShort ? 0x40 : 0x80) | (reg & 7) << 3 |
       (hasByte ? unsigned(Rsp) : place.base & 7u));
  unsigned power = place.scale == 8 ? 3 : place.scale / 2;
  if (hasByte)
    byte(power << 6 | (hasIndex ? place.index & 7u : unsigned(Rsp)) << 3 |
         (place.base & 7));
  if (isShort)
    byte(unsigned(steps) & 0xff);
  else
    number(place.offset);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

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
  if (target != source)
    integer(0x89, source, target);
}
void Assembler::move(Register target, int64_t value) {
  if (value == int32_t(value)) {
    integer(0xc7, 0, target);
    return number(value);
  }
  rex(0, NoRegister, target);
  byte(0xb8 | (target & 7));
  for (int i = 0; i < 8; ++i)
    byte(unsigned(uint64_t(value) >> (8 * i)) & 0xff);
}
void Assembler::load(Register target, Memory source) {
  integer(0x8b, target, source);
}
void Assembler::store(Memory target, Register source) {
  integer(0x89, source, target);
}
void Assembler::loadByte(Register target, Memory source, bool isSigned) {
  integer(isSigned ? 0x0fbe : 0x0fb6, target, source);
}
void Assembler::storeByte(Memory target, Register source) {
  integer(0x88, source, target);
}
void Assembler::address(Register target, Memory source) {
  integer(0x8d, target, source);
}
void Assembler::apply(Arithmetic operation, Register target, Register source) {
  integer(operation * 8u + 1, source, target);
}
void Assembler::apply(Arithmetic operation, Register target, int64_t value) {
  bool isShort = value == int8_t(value);
  integer(isShort ? 0x83 : 0x81, operation, target);
  if (isShort)
    byte(unsigned(value) & 0xff);
  else
    number(value);
}
void Assembler::shift(Shift shift, Register target, uint8_t bits) {
  integer(0xc1, shift, target);
  byte(bits);
}
void Assembler::multiply(Register target, Register source) {
  integer(0x0faf, target, source);
}
void Assembler::multiply(Register target, Register source, int64_t value) {
  integer(0x69, target, source);
  number(value);
}
void Assembler::multiplyWide(Register factor) { integer(0xf7, 4, factor); }
void Assembler::divide(Register divisor, bool isSigned) {
  if (isSigned)
    bytes += "\x48\x99"; // cqo
  else
    apply(Xor, Rdx, Rdx);
  integer(0xf7, isSigned ? 7 : 6, divisor);
}
void Assembler::test(Register value) { integer(0x85, value, value); }
void Assembler::moveIf(Condition condition, Register target, Register source) {
  integer(0x0f40u | condition, target, source);
}
void Assembler::setIf(Condition condition, Register target) {
  byte(0x40 | isHigh(target));
  byte(0x0f);
  byte(0x90u | condition);
  byte(0xc0 | (target & 7));
  integer(0x0fb6, target, target); // movzx
}
void Assembler::prefetch(Memory source, unsigned level) {
  byte(0x40 | isHigh(source.index) << 1 | isHigh(source.base));
  byte(0x0f);
  byte(0x18);
  memory(level, source, 1);
}

//===----------------------------------------------------------------------===//
// Jumps
//===----------------------------------------------------------------------===//

Assembler::Label Assembler::newLabel() {
  places.push_back(0);
  return places.size() - 1;
}
void Assembler::land(Label label) { places[label] = bytes.size(); }
void Assembler::jump(Label label) {
  byte(0xe9);
  number(0);
  jumps.push_back({bytes.size() - 4, label});
}
void Assembler::jumpIf(Condition condition, Label label) {
  byte(0x0f);
  byte(0x80u | condition);
  number(0);
  jumps.push_back({bytes.size() - 4, label});
}
void Assembler::call(Label label) {
  byte(0xe8);
  number(0);
  jumps.push_back({bytes.size() - 4, label});
}

void Assembler::alignLoop() {
  // The no-operation instructions of 1 to 9 bytes.
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
  // An innermost loop begins at a multiple of 32 bytes, which the processor
  // fetches at once. The padding before it runs once.
  for (size_t rest = -bytes.size() % 32; rest != 0;) {
    size_t length = rest < 9 ? rest : 9;
    bytes.append(nothing[length - 1], length);
    rest -= length;
  }
}
void Assembler::alignFunction() {
  // Functions do not share a cache line.
  bytes.append(-bytes.size() % 64, '\xcc'); // traps
}
void Assembler::clearUpper() { bytes += "\xc5\xf8\x77"; }
void Assembler::finish() { byte(0xc3); }

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

void Assembler::vex(const Encoding &encoding, unsigned reg, unsigned second,
                    const Source &rm, bool isLong) {
  unsigned index = rm.isMemory ? rm.memory.index : NoRegister;
  unsigned base = rm.isMemory ? rm.memory.base : rm.reg;
  byte(0xc4);
  byte(!isHigh(reg) << 7 | !isHigh(index) << 6 | !isHigh(base) << 5 |
       unsigned(encoding.map));
  byte((~second & 15) << 3 | isLong << 2 | unsigned(encoding.prefix));
  byte(encoding.opcode);
}

void Assembler::evex(const Encoding &encoding, unsigned reg, unsigned second,
                     const Source &rm, const Options &options) {
  unsigned high = rm.isMemory ? isHigh(rm.memory.index) : rm.reg >> 4;
  unsigned low = rm.isMemory ? isHigh(rm.memory.base) : rm.reg >> 3 & 1;
  byte(0x62);
  byte(!(reg & 8) << 7 | !high << 6 | !low << 5 | !(reg & 16) << 4 |
       unsigned(encoding.map));
  byte((~second & 15) << 3 | 1 << 2 | unsigned(encoding.prefix));
  byte(options.zeroes << 7 | 2 << 5 | rm.repeated << 4 | !(second & 16) << 3 |
       options.mask);
  byte(encoding.opcode);
}

void Assembler::instruction(const Encoding &encoding, unsigned reg,
                            unsigned second, const Source &rm,
                            const Options &options) {
  if (wide)
    evex(encoding, reg, second, rm, options);
  else
    vex(encoding, reg, second, rm);
  if (rm.isMemory)
    memory(reg, rm.memory,
           !wide         ? 1
           : rm.repeated ? 4
                         : 64u / encoding.part,
           options.trailing);
  else
    byte(0xc0 | (reg & 7) << 3 | (rm.reg & 7));
}

void Assembler::vector(const Encoding &encoding, unsigned target,
                       unsigned first, Source second) {
  instruction(encoding, target, first, second, {});
}
void Assembler::vector(const Encoding &encoding, unsigned target,
                       unsigned first, Source second, uint8_t number) {
  Options options;
  options.trailing = 1;
  instruction(encoding, target, first, second, options);
  byte(number);
}

void Assembler::load(unsigned target, Source source) {
  if (source.isMemory && source.repeated)
    return broadcast(target, source.memory);
  if (source.isMemory || source.reg != target)
    vector({Prefix::None, Map::M0F, uint8_t(source.isMemory ? 0x10 : 0x28)},
           target, source);
}
void Assembler::store(Memory target, unsigned source) {
  vector({Prefix::None, Map::M0F, 0x11}, source, Source(target));
}
void Assembler::loadMasked(const Encoding &encoding, unsigned target,
                           Memory source, unsigned mask) {
  Options options;
  options.zeroes = true, options.mask = uint8_t(mask);
  instruction(encoding, target, 0, source, options);
}
void Assembler::storeMasked(const Encoding &encoding, Memory target,
                            unsigned source, unsigned mask) {
  Options options;
  options.mask = uint8_t(mask);
  instruction(encoding, source, 0, target, options);
}
void Assembler::storeBytes(Memory target, unsigned source, unsigned scratch) {
  vector({Prefix::P66, Map::M0F3A, 0x39}, source, 0, scratch, 1); // upper half
  auto halves = [&](const Encoding &encoding, unsigned first, unsigned second) {
    vex(encoding, source, first, second, /*isLong=*/false);
    byte(0xc0 | (source & 7) << 3 | (second & 7));
  };
  halves({Prefix::P66, Map::M0F38, 0x2b}, source, scratch); // to words
  halves({Prefix::P66, Map::M0F, 0x67}, source, source);    // to bytes
  vex({Prefix::P66, Map::M0F, 0xd6}, source, 0, target, /*isLong=*/false);
  memory(source, target, 1);
}
void Assembler::zero(unsigned target) {
  // The integer form: xor of floats needs an extension of AVX-512.
  vector({Prefix::P66, Map::M0F, 0xef}, target, target, target);
}
void Assembler::broadcast(unsigned target, Memory source) {
  vector({Prefix::P66, Map::M0F38, 0x18, 16}, target, Source(source));
}

void Assembler::broadcast(unsigned target, Register source) {
  if (wide)
    return vector({Prefix::P66, Map::M0F38, 0x7c}, target, Source(source));
  vex({Prefix::P66, Map::M0F, 0x6e}, target, 0, Source(source),
      /*isLong=*/false);
  byte(0xc0 | (target & 7) << 3 | (source & 7));
  vector({Prefix::P66, Map::M0F38, 0x58}, target, Source(target));
}

void Assembler::tiles(const Encoding &encoding, unsigned reg, unsigned second,
                      Source rm) {
  vex(encoding, reg, second, rm, /*isLong=*/false);
  if (rm.isMemory)
    memory(reg, rm.memory, 1);
  else
    byte(0xc0 | reg << 3 | rm.reg);
}

void Assembler::compare(unsigned mask, unsigned first, Source second,
                        uint8_t predicate) {
  vector({Prefix::None, Map::M0F, 0xc2}, mask, first, second, predicate);
}
void Assembler::blend(unsigned target, unsigned mask, unsigned ifNot,
                      Source ifSet) {
  Options options;
  options.mask = uint8_t(mask);
  instruction({Prefix::P66, Map::M0F38, 0x65}, target, ifNot, ifSet, options);
}
void Assembler::masks(unsigned second, uint8_t opcode, unsigned reg,
                      unsigned rm, bool isLong, unsigned prefix) {
  byte(0xc4);
  byte(1 << 7 | 1 << 6 | !(rm & 8) << 5 | 1);
  byte((~second & 15) << 3 | isLong << 2 | prefix);
  byte(opcode);
  byte(0xc0 | (reg & 7) << 3 | (rm & 7));
}
void Assembler::combine(uint8_t opcode, unsigned mask, unsigned first,
                        unsigned second) {
  masks(first, opcode, mask, second, /*isLong=*/true);
}
void Assembler::moveMask(unsigned mask, unsigned source) {
  masks(0, 0x90, mask, source, /*isLong=*/false); // kmovw
}
void Assembler::setMask(unsigned mask, uint16_t elements, Register scratch) {
  move(scratch, int64_t(elements));
  masks(0, 0x92, mask, scratch, /*isLong=*/false); // kmovw
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Memory Assembler::constant(const std::string &value) {
  auto [entry, isNew] = constants.try_emplace(value, int64_t(pool.size()));
  if (isNew)
    pool += value;
  return {Pool, entry->second};
}

void Assembler::forget(size_t place) {
  bytes.resize(place);
  std::erase_if(jumps, [&](const Jump &jump) { return jump.word >= place; });
  std::erase_if(poolUses,
                [&](const PoolUse &use) { return use.word >= place; });
}

std::string Assembler::take() {
  for (const Jump &jump : jumps)
    // Relative to the end of the jump.
    put(jump.word, int64_t(places[jump.label]) - int64_t(jump.word) - 4);
  alignFunction();
  for (const PoolUse &use : poolUses)
    put(use.word, int64_t(bytes.size()) + use.place - int64_t(use.end));
  return bytes + pool;
}
