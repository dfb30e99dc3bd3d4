//===- MatrixTiles.cpp - registers of 16 rows of 64 bytes -----------------===//
// SPDX-License-Identifier: MIT

#include "MatrixTiles.h"
#include "common/TileModel.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

int64_t MatrixTiles::scratchBytes(const cpu::Target &target) {
  return target.modelsTiles ? int64_t(sizeof(TileModel)) : 0;
}

void MatrixTiles::call(StringRef function, ArrayRef<Value *> arguments) {
  SmallVector<Value *> all = {memory};
  append_range(all, arguments);
  SmallVector<llvm::Type *> types;
  for (Value *argument : all)
    types.push_back(argument->getType());
  code.CreateCall(
      code.module.ir->getOrInsertFunction(
          function, FunctionType::get(code.getVoidTy(), types, false)),
      all);
}

void MatrixTiles::configure(const std::array<uint8_t, count> &rows) {
  // The layout of LDTILECFG: the palette, and for each tile the bytes of a row
  // and the number of rows.
  std::array<uint8_t, 64> config = {1};
  std::string name = "tiles";
  for (size_t tile = 0; tile < count; ++tile) {
    config[16 + 2 * tile] = uint8_t(rowBytes);
    config[48 + tile] = rows[tile];
    name += "." + std::to_string(rows[tile]);
  }
  Module &ir = *code.module.ir;
  GlobalVariable *sizes = ir.getNamedGlobal(name);
  if (!sizes) {
    Constant *value = ConstantDataArray::get(code.getContext(), config);
    sizes = new GlobalVariable(ir, value->getType(), /*isConstant=*/true,
                               GlobalValue::InternalLinkage, value, name);
    sizes->setAlignment(Align(64));
  }
  if (memory)
    call("tile_model_configure", {sizes});
  else
    code.CreateIntrinsic(Intrinsic::x86_ldtilecfg, {}, {sizes});
}

void MatrixTiles::release() {
  if (!memory)
    code.CreateIntrinsic(Intrinsic::x86_tilerelease, ArrayRef<llvm::Type *>(),
                         ArrayRef<Value *>());
}

void MatrixTiles::load(int64_t tile, Value *from, int64_t step) {
  if (memory)
    call("tile_model_load", {code.integer(tile), from, code.integer(step)});
  else
    code.CreateIntrinsic(
        Intrinsic::x86_tileloadd64, {},
        {code.getInt8(uint8_t(tile)), from, code.integer(step)});
}

void MatrixTiles::store(int64_t tile, Value *to, int64_t step) {
  if (memory)
    call("tile_model_store", {code.integer(tile), to, code.integer(step)});
  else
    code.CreateIntrinsic(Intrinsic::x86_tilestored64, {},
                         {code.getInt8(uint8_t(tile)), to, code.integer(step)});
}

void MatrixTiles::multiply(int64_t sums, int64_t a, int64_t b, bool isSigned) {
  if (memory)
    call("tile_model_multiply", {code.integer(sums), code.integer(a),
                                 code.integer(b), code.integer(isSigned)});
  else
    code.CreateIntrinsic(
        isSigned ? Intrinsic::x86_tdpbssd : Intrinsic::x86_tdpbusd, {},
        {code.getInt8(uint8_t(sums)), code.getInt8(uint8_t(a)),
         code.getInt8(uint8_t(b))});
}

void MatrixTiles::multiplyHalves(int64_t sums, int64_t a, int64_t b) {
  if (memory)
    call("tile_model_multiply_halves",
         {code.integer(sums), code.integer(a), code.integer(b)});
  else
    code.CreateIntrinsic(Intrinsic::x86_tdpbf16ps, {},
                         {code.getInt8(uint8_t(sums)), code.getInt8(uint8_t(a)),
                          code.getInt8(uint8_t(b))});
}
