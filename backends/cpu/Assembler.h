//===- Assembler.h - machine code of x86-64 -------------------*- C++ -*-===//
//
// The few instructions that tiles consist of, as bytes. Forms and their bytes
// are those of Intel's manual, volume 2: VEX for AVX2, EVEX for AVX-512.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_ASSEMBLER_H
#define GLOW_BACKENDS_CPU_ASSEMBLER_H

#include <cstdint>
#include <string>

namespace glow::cpu {

class Assembler {
public:
  /// Registers of vectors have 16 floats, or 8 if not `wide`: then AVX2 and FMA
  /// are enough, there are 16 of them, and no masks.
  explicit Assembler(bool wide) : wide(wide) {}

  enum Register : uint8_t {
    Rax,
    Rcx,
    Rdx,
    Rbx,
    Rsp,
    Rbp,
    Rsi,
    Rdi, // in the order of their numbers
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15
  };
  /// A register of a vector, by its number.
  using Vector = uint8_t;
  /// The bytes at `base` + `offset`.
  struct Memory {
    Register base;
    int64_t offset = 0;
  };

  // Integers, of 64 bits. Numbers must fit into 32.
  void push(Register source);
  void pop(Register target);
  void move(Register target, Register source);
  void move(Register target, int64_t number);
  void load(Register target, Memory source);
  void add(Register target, Register source);
  void add(Register target, int64_t number);
  void subtract(Register target, Register source);
  void multiply(Register target, Register source);
  void multiply(Register target, Register source, int64_t number);
  void shiftLeft(Register target, uint8_t bits);
  void address(Register target, Memory source);
  void decrement(Register target);
  /// Into the caches from `level` 1 or 2 on.
  void prefetch(Memory source, unsigned level);

  // Jumps, on what the last arithmetic instruction gave.
  /// Where the next instruction will be.
  size_t here() const { return bytes.size(); }
  /// Puts the next instruction at the beginning of a line of 32 bytes.
  void alignLoop();
  void jumpBackIfNotZero(size_t target);
  /// A jump whose target `land` tells.
  size_t jumpIfNotPositive();
  void land(size_t jump);
  void finish(); ///< vzeroupper, ret

  // Vectors. With `masked`, only the elements of `setMask`; a load gives zeros
  // for the others.
  void setMask(unsigned elements, Register scratch);
  void zero(Vector target);
  void load(Vector target, Memory source, bool masked = false);
  void store(Memory target, Vector source, bool masked = false);
  void broadcast(Vector target, Memory source);
  void broadcast(Vector target, float number, Register scratch);
  /// sum += a * b
  void multiplyAdd(Vector sum, Vector a, Vector b);
  /// The same with one element of memory. Only if `wide`.
  void multiplyAddBroadcast(Vector sum, Vector a, Memory b);
  enum Operation : uint8_t { // by their opcodes
    Add = 0x58,
    Multiply = 0x59,
    Subtract = 0x5c,
    Smaller = 0x5d, ///< the second where either is NaN
    Larger = 0x5f   ///< likewise
  };
  void apply(Operation operation, Vector target, Vector a, Vector b);

  /// What was assembled.
  const std::string &code() const { return bytes; }

private:
  enum Map : uint8_t { Map0F = 1, Map0F38 = 2 };
  enum Prefix : uint8_t { NoPrefix, Prefix66 };
  struct Form {
    Prefix prefix;
    Map map;
    uint8_t opcode;
    uint8_t scale = 0; ///< of a short offset, in bytes; 0 for a register
    bool broadcast = false, masked = false, scalar = false;
  };

  void byte(unsigned value) { bytes.push_back(char(value)); }
  void number(int64_t value);
  void integer(unsigned opcode, unsigned reg, Register rm);
  void integer(unsigned opcode, Register reg, Memory place);
  void memory(unsigned reg, Memory place, unsigned scale);
  void vex(const Form &form, unsigned reg, unsigned second, unsigned rm);
  void evex(const Form &form, unsigned reg, unsigned second, unsigned rm);
  void vector(const Form &form, unsigned reg, unsigned second, unsigned rm);
  void vector(const Form &form, unsigned reg, unsigned second, Memory place);

  const bool wide;
  std::string bytes;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_ASSEMBLER_H
