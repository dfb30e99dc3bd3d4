//===- Assembler.h - machine code of x86-64 -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Encodes the instructions of steps and tiles as bytes. Encodings are those of
// Intel's manual, volume 2: VEX for AVX2, EVEX for AVX-512.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_QUICK_ASSEMBLER_H
#define GLOW_BACKENDS_CPU_QUICK_ASSEMBLER_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace glow::cpu::quick {

// In the order of their numbers.
enum Register : uint8_t {
  Rax,
  Rcx,
  Rdx,
  Rbx,
  Rsp,
  Rbp,
  Rsi,
  Rdi,
  R8,
  R9,
  R10,
  R11,
  R12,
  R13,
  R14,
  R15,
  Pool,      ///< as a base: constants behind the code
  NoRegister ///< as an index
};

/// The bytes at `base` + `index` x `scale` + `offset`.
struct Memory {
  Register base = NoRegister;
  int64_t offset = 0; ///< of 32 bits
  Register index = NoRegister;
  uint8_t scale = 1; ///< 1, 2, 4 or 8
};

/// The last operand of an instruction on vectors.
struct Source {
  Source(unsigned reg) : reg(uint8_t(reg)) {}
  /// With `repeated`, one element of 32 bits is broadcast; only with AVX-512.
  Source(Memory memory, bool repeated = false)
      : isMemory(true), repeated(repeated), memory(memory) {}
  bool isMemory = false, repeated = false;
  uint8_t reg = 0;
  Memory memory;
};

enum class Prefix : uint8_t { None, P66, PF3, PF2 };
enum class Map : uint8_t { M0F = 1, M0F38, M0F3A };

/// An instruction on vectors of f32 or i32.
struct Encoding {
  Prefix prefix;
  Map map;
  uint8_t opcode;
  /// The unit of a short displacement, as a fraction of a vector: 1 for the
  /// vector, 4 for a quarter, 16 for an element.
  uint8_t part = 1;
};

/// The number of vector registers, with AVX-512 or without.
constexpr unsigned vectorRegisters(bool wide) { return wide ? 32 : 16; }

class Assembler {
public:
  /// Vector registers have 16 elements, or 8 if not `wide`, which needs only
  /// AVX2 and FMA.
  explicit Assembler(bool wide) : wide(wide) {}

  //===--------------------------------------------------------------------===//
  // Integers of 64 bits
  //===--------------------------------------------------------------------===//

  enum Arithmetic : uint8_t { Add, Or, And = 4, Subtract, Xor, Compare };
  enum Shift : uint8_t { Left = 4, Right = 5, RightSigned = 7 };
  enum Condition : uint8_t {
    Below = 2,
    AboveEqual,
    Equal,
    NotEqual,
    BelowEqual,
    Above,
    Less = 12,
    GreaterEqual,
    LessEqual,
    Greater
  };

  void push(Register source);
  void pop(Register target);
  void move(Register target, Register source);
  void move(Register target, int64_t number);
  void load(Register target, Memory source);
  void store(Memory target, Register source);
  /// Loads a byte and extends it to 64 bits.
  void loadByte(Register target, Memory source, bool isSigned);
  void storeByte(Memory target, Register source);
  void address(Register target, Memory source);
  void apply(Arithmetic operation, Register target, Register source);
  void apply(Arithmetic operation, Register target, int64_t number);
  void shift(Shift shift, Register target, uint8_t bits);
  void multiply(Register target, Register source);
  /// `number` must fit into 32 bits.
  void multiply(Register target, Register source, int64_t number);
  /// Rdx and Rax become the high and the low half of Rax x `factor`.
  void multiplyWide(Register factor);
  /// Rax and Rdx become quotient and remainder of Rax by `divisor`.
  void divide(Register divisor, bool isSigned);
  void test(Register value);
  void moveIf(Condition condition, Register target, Register source);
  /// Sets a register to 1 if the condition holds, else to 0.
  void setIf(Condition condition, Register target);
  /// Prefetches into the caches from `level` 1, 2 or 3 on; level 0 is
  /// non-temporal.
  void prefetch(Memory source, unsigned level);

  //===--------------------------------------------------------------------===//
  // Jumps: to labels that `land` defines, before or after
  //===--------------------------------------------------------------------===//

  using Label = size_t;
  Label newLabel();
  void land(Label label);
  void jump(Label label);
  void jumpIf(Condition condition, Label label);
  void call(Label label);
  /// Aligns the next instruction to 32 bytes.
  void alignLoop();
  void alignFunction();
  void clearUpper(); ///< vzeroupper
  void finish();     ///< ret

  //===--------------------------------------------------------------------===//
  // Vectors
  //===--------------------------------------------------------------------===//

  /// target = source.
  void load(unsigned target, Source source);
  void store(Memory target, unsigned source);
  /// Moves the elements that `mask` has; a load sets the others to 0.
  void loadMasked(const Encoding &encoding, unsigned target, Memory source,
                  unsigned mask);
  void storeMasked(const Encoding &encoding, Memory target, unsigned source,
                   unsigned mask);
  /// Stores the low bytes of the elements of `source`, which are below 256, and
  /// overwrites `source` and `scratch`; only without AVX-512.
  void storeBytes(Memory target, unsigned source, unsigned scratch);
  void zero(unsigned target);
  void broadcast(unsigned target, Memory source);
  /// Broadcasts the lower 32 bits.
  void broadcast(unsigned target, Register source);
  /// target = first op second.
  void vector(const Encoding &encoding, unsigned target, unsigned first,
              Source second);
  void vector(const Encoding &encoding, unsigned target, unsigned first,
              Source second, uint8_t number);
  /// An instruction with one register, and a second operand in a register or in
  /// memory.
  void vector(const Encoding &encoding, unsigned reg, Source second) {
    vector(encoding, reg, 0, second);
  }

  /// An instruction on tiles; `second` is the last factor.
  void tiles(const Encoding &encoding, unsigned reg, unsigned second,
             Source rm);

  // Registers of masks, of 16 bits; only with AVX-512.
  void compare(unsigned mask, unsigned first, Source second, uint8_t predicate);
  void blend(unsigned target, unsigned mask, unsigned ifNot, Source ifSet);
  /// `opcode` is of the form on words: 0x41 and, 0x45 or, 0x47 xor.
  void combine(uint8_t opcode, unsigned mask, unsigned first, unsigned second);
  void moveMask(unsigned mask, unsigned source);
  void setMask(unsigned mask, uint16_t elements, Register scratch);

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  /// The memory operand of a constant with these bytes.
  Memory constant(const std::string &value);

  size_t here() const { return bytes.size(); }
  /// Discards the code after an offset; no jump may lead there.
  void forget(size_t place);

  /// The assembled code, followed by its constants.
  std::string take();

private:
  struct Options {
    bool zeroes = false;
    uint8_t mask = 0, trailing = 0;
  };
  struct Jump {
    size_t word;
    Label label;
  };
  struct PoolUse {
    size_t word, end;
    int64_t place;
  };

  void byte(unsigned value) { bytes.push_back(char(value)); }
  void number(int64_t value);
  void rex(unsigned reg, unsigned index, unsigned rm);
  void integer(unsigned opcode, unsigned reg, Register rm);
  void integer(unsigned opcode, unsigned reg, const Memory &place);
  void memory(unsigned reg, const Memory &place, unsigned scale,
              unsigned trailing = 0);
  void instruction(const Encoding &encoding, unsigned reg, unsigned second,
                   const Source &rm, const Options &options);
  void vex(const Encoding &encoding, unsigned reg, unsigned second,
           const Source &rm, bool isLong = true);
  void evex(const Encoding &encoding, unsigned reg, unsigned second,
            const Source &rm, const Options &options);
  void masks(unsigned second, uint8_t opcode, unsigned reg, unsigned rm,
             bool isLong, unsigned prefix = 0);
  void put(size_t word, int64_t value);

  const bool wide;
  std::string bytes, pool;
  std::map<std::string, int64_t> constants;
  std::vector<PoolUse> poolUses;
  std::vector<Jump> jumps;
  std::vector<size_t> places; // offsets of labels
};

} // namespace glow::cpu::quick

#endif // GLOW_BACKENDS_CPU_QUICK_ASSEMBLER_H
