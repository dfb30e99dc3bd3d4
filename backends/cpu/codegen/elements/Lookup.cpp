//===- Lookup.cpp - lookup tables of bytes --------------------------------===//
// SPDX-License-Identifier: MIT
//
// Integers of 16 bits, and tables whose entries are not bytes, are looked up
// one by one.
//
// A table of 256 bytes fits into registers. A processor that permutes 128
// entries at once looks into both halves; the upper bit of a byte selects one.
// A processor with permutations of 16 entries uses 16 of them, of which all but
// one give 0. A processor that looks into four registers at a time does so four
// times.
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/OpenSizes.h"
#include "codegen/step/Step.h"
#include "glow/Base/Functions.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::IntLookupTableCall;

namespace {

class LookupEmitter {
public:
  LookupEmitter(CodeModule &module, const IntLookupTableCall &call,
                const Twine &name)
      : call(call), code(module, module.addStep(name)),
        elements(expr::prod(call.in.sizes()).length()) {
    auto has = [&](StringRef feature) { return module.target.has(feature); };
    bool areBytes =
        call.in.elementBytes() == 1 && call.table.elementBytes() == 1;
    halves = areBytes && has("avx512vbmi");
    width = !areBytes                   ? 1
            : halves || has("avx512bw") ? 64
            : has("avx2")               ? 32
            : has("neon")               ? 16
                                        : 1;
    bytes = FixedVectorType::get(code.getInt8Ty(), unsigned(width));
  }

  NativeStep emit() {
    // A multiple of every width; the remainder of the last chunk is looked up
    // one by one.
    constexpr int64_t piece = 65536;
    Length chunks = quotient(elements + (piece - 1), piece);
    if (width > 1)
      loadTable();
    Value *first = code.times(code.function->getArg(2), piece);
    Value *end = code.smaller(code.times(code.function->getArg(3), piece),
                              valueOf(code, elements));
    Value *whole = code.CreateUDiv(end, code.integer(width));
    code.loop(
        code.CreateUDiv(first, code.integer(width)), whole,
        [&](Value *v) {
          width == 1 ? emitElement(v) : emitVector(code.times(v, width));
        },
        /*maybeNone=*/true);
    if (!(remainder(elements, width) == 0))
      code.loop(
          code.times(whole, width), end, [&](Value *i) { emitElement(i); },
          /*maybeNone=*/true);
    code.CreateRetVoid();
    emitMeasure(code, chunks);
    NativeStep step;
    step.work = Work();
    // A vector takes four permutations or so.
    step.work->operations = double(elements.range().high) / double(width) * 6;
    step.phases.push_back({code.function, chunks.range().high});
    return step;
  }

private:
  /// Loads the table in vectors of 64 entries, or of 16 entries that are
  /// repeated to fill a vector. Entries of bytes with the upper bit set come
  /// last for unsigned bytes, and first for signed ones.
  void loadTable() {
    int64_t part = halves ? 64 : 16;
    bool isSigned = call.in.kind() == ElementKind::I8;
    auto *type = FixedVectorType::get(code.getInt8Ty(), unsigned(part));
    SmallVector<int> repeated;
    for (int64_t i = 0; i < width; ++i)
      repeated.push_back(int(i % part));
    for (int64_t from = 0; from < 256; from += part) {
      Value *entries = code.CreateAlignedLoad(
          type,
          code.bytesAt(code.buffer(call.table),
                       code.integer(isSigned ? (from + 128) % 256 : from)),
          Align(1));
      table.push_back(halves ? entries
                             : code.CreateShuffleVector(entries, repeated));
    }
  }

  void emitVector(Value *offset) {
    Value *in = code.CreateAlignedLoad(
        bytes, code.bytesAt(code.buffer(call.in), offset), Align(1));
    code.CreateAlignedStore(halves        ? byHalves(in)
                            : width == 16 ? byQuarters(in)
                                          : bySixteens(in),
                            code.bytesAt(code.buffer(0), offset), Align(1));
  }

  Value *byHalves(Value *in) {
    auto half = [&](size_t first) {
      return code.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_qi_512, {},
                                  {table[first], in, table[first + 1]});
    };
    Value *isUpper = code.CreateICmpSLT(in, ConstantAggregateZero::get(bytes));
    return code.CreateSelect(isUpper, half(2), half(0));
  }

  /// Looks up 16 tables of 16 entries. A permutation gives 0 for an index whose
  /// upper bit is set: the saturating addition sets it for all tables except
  /// the selected one.
  Value *bySixteens(Value *in) {
    auto number = [&](int value) {
      return ConstantInt::get(bytes, uint64_t(value));
    };
    Value *found = ConstantAggregateZero::get(bytes);
    for (auto [i, entries] : enumerate(table)) {
      Value *place = code.CreateBinaryIntrinsic(
          Intrinsic::uadd_sat, code.CreateXor(in, number(int(i) * 16)),
          number(0x70));
      found = code.CreateOr(
          found,
          code.CreateIntrinsic(width == 64 ? Intrinsic::x86_avx512_pshuf_b_512
                                           : Intrinsic::x86_avx2_pshuf_b,
                               {}, {entries, place}));
    }
    return found;
  }

  /// Looks up 4 tables of 64 entries. An index beyond a table keeps the result
  /// so far.
  Value *byQuarters(Value *in) {
    Value *found = ConstantAggregateZero::get(bytes);
    for (size_t first = 0; first < table.size(); first += 4) {
      SmallVector<Value *> operands = {found};
      append_range(operands, ArrayRef(table).slice(first, 4));
      operands.push_back(
          code.CreateSub(in, ConstantInt::get(bytes, first * 16)));
      found =
          code.CreateIntrinsic(Intrinsic::aarch64_neon_tbx4, {bytes}, operands);
    }
    return found;
  }

  void emitElement(Value *number) {
    auto integer = [&](const Operand &of) {
      return code.getIntNTy(unsigned(of.elementBytes()) * 8);
    };
    auto element = [&](llvm::Type *type, unsigned buffer, Value *number) {
      return code.CreateGEP(type, code.buffer(buffer), number);
    };
    llvm::Type *from = integer(call.in), *to = integer(call.table);
    Value *in =
        code.CreateAlignedLoad(from, element(from, call.in, number), Align(1));
    ElementKind kind = call.in.kind();
    if (kind == ElementKind::I8 || kind == ElementKind::I16)
      in = code.CreateXor(
          in, ConstantInt::get(from, uint64_t(1)
                                         << (from->getIntegerBitWidth() - 1)));
    Value *place = code.CreateZExt(in, code.getInt64Ty());
    code.CreateAlignedStore(
        code.CreateAlignedLoad(to, element(to, call.table, place), Align(1)),
        element(to, 0, number), Align(1));
  }

  const IntLookupTableCall &call;
  Emitter code;
  const Length elements; ///< of a run
  bool halves;           ///< a permutation covers a half of the table
  int64_t width;         ///< bytes that are looked up together
  FixedVectorType *bytes;
  SmallVector<Value *, 16> table;
};

} // namespace

NativeStep cpu::emitLookup(CodeModule &module, const IntLookupTableCall &call,
                           const Twine &name) {
  return LookupEmitter(module, call, name).emit();
}
