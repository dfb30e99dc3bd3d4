//===- Allocate.cpp - registers for units ---------------------------------===//
// SPDX-License-Identifier: MIT
//
// Linear scan over live intervals in the order of their begins, after Poletto
// and Sarkar, "Linear scan register allocation" (1999).
//
//===----------------------------------------------------------------------===//

#include "Assembler.h"
#include "Units.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

namespace {

class Allocator {
public:
  Allocator(Units &units, bool wide, unsigned kept) : units(units.units) {
    // Rax, Rcx and Rdx are scratch registers for operands; Rbp is the frame
    // pointer.
    for (int reg : {Rsi, Rdi, R8, R9, R10, R11, Rbx, R12, R13, R14, R15})
      usable[int(Kind::General)].push_back(reg);
    for (int reg = 0; reg < int(vectorRegisters(wide) - kept); ++reg)
      usable[int(Kind::Vector)].push_back(reg);
    // Mask register 0 means no mask, and register 1 is scratch.
    for (int reg = 2; reg < (wide ? 8 : 0); ++reg)
      usable[int(Kind::Mask)].push_back(reg);
  }

  bool run() {
    SmallVector<int> order;
    for (auto [i, unit] : enumerate(units)) {
      unit.reg = -1;
      if (unit.from <= unit.to)
        order.push_back(int(i));
    }
    llvm::sort(order, [&](int a, int b) {
      return std::pair(units[size_t(a)].from, a) <
             std::pair(units[size_t(b)].from, b);
    });
    for (int next : order) {
      Unit &unit = units[size_t(next)];
      // Units whose live interval has ended free their registers.
      erase_if(active, [&](Unit *other) {
        bool ended = other->to < unit.from;
        if (ended)
          holder(*other) = nullptr;
        return ended;
      });
      if (!place(unit))
        return false;
    }
    return true;
  }

private:
  /// Whether a register keeps a unit's value across calls: only some general
  /// registers do.
  static bool isKept(const Unit &unit, int reg) {
    if (!unit.isAcross)
      return true;
    // The callee-saved registers of the System V calling convention.
    return unit.kind == Kind::General && (reg == Rbx || reg >= R12);
  }

  Unit *&holder(const Unit &unit) { return holders[int(unit.kind)][unit.reg]; }
  bool isFree(const Unit &unit, int reg) const {
    return isKept(unit, reg) && !holders[int(unit.kind)][reg];
  }

  bool place(Unit &unit) {
    if (inherit(unit) || takeFree(unit) || takeFromOther(unit)) {
      active.push_back(&unit);
      holder(unit) = &unit;
      return true;
    }
    // Other units are spilled to the frame. A mask cannot be, as there are no
    // instructions for masks in memory.
    return unit.kind != Kind::Mask;
  }

  bool inherit(Unit &unit) {
    for (int index : unit.heirOf) {
      Unit &other = units[size_t(index)];
      if (other.reg < 0 || other.kind != unit.kind)
        continue;
      // The interval of the other unit ends here: one instruction reads it and
      // writes this unit.
      if (holder(other) == &other && other.to == unit.from &&
          isKept(unit, other.reg)) {
        erase(active, &other);
        unit.reg = other.reg;
        return true;
      }
      if (isFree(unit, other.reg)) {
        unit.reg = other.reg;
        return true;
      }
    }
    return false;
  }

  bool takeFree(Unit &unit) {
    if (unit.phi >= 0) {
      // With the register of the phi, no move is needed at the end of the
      // block.
      const Unit &phi = units[size_t(unit.phi)];
      if (phi.reg >= 0 && phi.kind == unit.kind && isFree(unit, phi.reg)) {
        unit.reg = phi.reg;
        return true;
      }
    }
    for (int reg : usable[int(unit.kind)])
      if (isFree(unit, reg)) {
        unit.reg = reg;
        return true;
      }
    return false;
  }

  /// The accesses that a unit's register saves, for each position at which no
  /// other unit has the register.
  static double worth(const Unit &unit) {
    return unit.weight / (unit.to - unit.from + 1);
  }

  /// Spills the active unit whose register is worth least, and takes its
  /// register.
  bool takeFromOther(Unit &unit) {
    if (unit.kind == Kind::Mask)
      return false;
    Unit *least = nullptr;
    for (Unit *other : active)
      if (other->kind == unit.kind && isKept(unit, other->reg) &&
          worth(*other) < worth(unit) &&
          (!least || worth(*other) < worth(*least)))
        least = other;
    if (!least)
      return false;
    // The spilled unit is in memory for its whole interval: no code is made
    // before all units are assigned.
    unit.reg = least->reg;
    least->reg = -1;
    erase(active, least);
    return true;
  }

  SmallVectorImpl<Unit> &units;
  SmallVector<Unit *> active;
  SmallVector<int> usable[3];
  Unit *holders[3][vectorRegisters(/*wide=*/true)] = {}; // by kind and register
};

} // namespace

bool quick::allocate(Units &units, bool wide, unsigned kept) {
  return Allocator(units, wide, kept).run();
}
