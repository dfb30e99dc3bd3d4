//===- Tiles.cpp - the processor's tiles ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// AMX: registers of 16 rows of 64 bytes. A call of an intrinsic names its tiles
// by immediates, so that there is nothing to allocate.
//
//===----------------------------------------------------------------------===//

#include "Encodings.h"
#include "Select.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace glow::cpu;
using namespace glow::cpu::quick;
using namespace llvm;

bool Selector::emitTiles(const IntrinsicInst &call) {
  auto tile = [&](unsigned argument) {
    return unsigned(
        cast<ConstantInt>(call.getArgOperand(argument))->getZExtValue());
  };
  auto product = [&](const Encoding &encoding) {
    code.tiles(encoding, tile(0), tile(2), Source(tile(1)));
    return true;
  };
  auto rows = [&](const Encoding &encoding) {
    code.tiles(encoding, tile(0), 0, Source(rowsAt(call)));
    return true;
  };
  switch (call.getIntrinsicID()) {
  case Intrinsic::x86_tdpbssd:
    return product(encodings::multiplySignedTiles);
  case Intrinsic::x86_tdpbusd:
    return product(encodings::multiplyTiles);
  case Intrinsic::x86_tdpbf16ps:
    return product(encodings::multiplyHalfTiles);
  case Intrinsic::x86_tileloadd64:
    return rows(encodings::loadTile);
  case Intrinsic::x86_tilestored64:
    return rows(encodings::storeTile);
  case Intrinsic::x86_ldtilecfg:
    code.tiles(encodings::configureTiles, 0, 0,
               Source(place(call.getArgOperand(0))));
    return true;
  case Intrinsic::x86_tilerelease:
    code.tiles(encodings::configureTiles, 0, 0, Source(0u));
    return true;
  default:
    return false;
  }
}

/// The address of the first row, with the row stride as its index.
Memory Selector::rowsAt(const IntrinsicInst &call) {
  Memory memory = place(call.getArgOperand(1));
  if (memory.index != NoRegister) {
    code.address(Rax, memory);
    memory = {Rax};
  }
  memory.index = read(call.getArgOperand(2), Rcx);
  return memory;
}
