//===- BlockRows.cpp - rows as numbers of 16 bits -------------------------===//
// SPDX-License-Identifier: MIT
//
// The largest element of a part becomes the largest step. An infinite or NaN
// element makes the scale NaN, and so all results of the row.
//
//===----------------------------------------------------------------------===//

#include "BlockMatMul.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::MatMulNBitsCall;

/// Padding of rows in bytes: rows a multiple of a page apart would compete for
/// the same cache lines.
static constexpr int64_t apart = 64;

RowSteps::RowSteps(const BlockSizes &s)
    : stepBytes(s.wholeInner() * 2 + apart),
      parameterBytes(s.blocks * s.parts() * 8 + apart),
      parametersAt(s.rows * stepBytes),
      bytes(parametersAt + s.rows * parameterBytes) {}

namespace {

class RowRounder {
public:
  RowRounder(CodeModule &module, const MatMulNBitsCall &call,
             const BlockSizes &s, const Twine &name)
      : call(call), s(s), layout(s), code(module, module.addStep(name)),
        integers(FixedVectorType::get(code.getInt32Ty(), lanes)),
        parts(s.blocks * s.parts()) {}

  void emit(NativeStep &step) {
    constexpr int64_t elements = 16384; // of a chunk: some microseconds
    int64_t band = elements / s.part, all = s.rows * parts;
    in = code.buffer(call.lhs);
    shared = code.buffer(call.lhs.shared());
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                Value *first = code.times(chunk, band);
                Value *end = code.smaller(code.add(first, code.integer(band)),
                                          code.integer(all));
                code.loop(first, end, [&](Value *number) {
                  roundAny(code.CreateUDiv(number, code.integer(parts)),
                           code.CreateURem(number, code.integer(parts)));
                });
              });
    code.CreateRetVoid();
    step.phases.insert(step.phases.begin(),
                       {code.function, (all + band - 1) / band});
    step.sharedBytes = std::max(step.sharedBytes, layout.bytes);
  }

private:
  /// Rounds a row of any length, with zeros up to the end of the last block.
  void roundAny(Value *row, Value *part) {
    int64_t whole = s.inner / s.part, rest = s.inner % s.part;
    if (whole == parts)
      return round(row, part, s.part);
    if (whole)
      code.when(code.CreateICmpSLT(part, code.integer(whole)),
                [&] { round(row, part, s.part); });
    if (rest)
      code.when(code.CreateICmpEQ(part, code.integer(whole)),
                [&] { round(row, part, rest); });
    int64_t behind = whole + (rest ? 1 : 0);
    if (behind < parts)
      code.when(code.CreateICmpSGE(part, code.integer(behind)),
                [&] { round(row, part, 0); });
  }

  void round(Value *row, Value *part, int64_t count) {
    Value *from = code.at(
        in, code.add(code.times(row, s.inner), code.times(part, s.part)));
    Value *to = code.bytesAt(shared, code.add(code.times(row, layout.stepBytes),
                                              code.times(part, s.part * 2)));
    Value *none = ConstantAggregateZero::get(code.vector);
    Value *largest = over(
        count, none,
        [&](int64_t, Value *x, Value *so) {
          return code.CreateBinaryIntrinsic(
              Intrinsic::maximum, code.CreateUnaryIntrinsic(Intrinsic::fabs, x),
              so);
        },
        from);
    Value *top = code.CreateFPMaximumReduce(largest);
    // Smaller numbers would have denormal scales.
    top = code.CreateBinaryIntrinsic(Intrinsic::maximum, top, real(1e-30));
    Value *steps =
        code.splat(code.CreateFDiv(real(double(RowSteps::most)), top));
    Value *sums = over(
        count, ConstantAggregateZero::get(integers),
        [&](int64_t first, Value *x, Value *so) {
          Value *rounded = toSteps(x, steps);
          storeSteps(rounded, to, first);
          return code.CreateAdd(so, rounded);
        },
        from);
    for (int64_t i = (count + lanes - 1) / lanes * lanes; i < s.part;
         i += lanes)
      storeSteps(ConstantAggregateZero::get(integers), to, i);
    // Infinity times 0 is NaN.
    Value *scale =
        code.CreateFAdd(code.CreateFDiv(top, real(double(RowSteps::most))),
                        code.CreateFMul(top, real(0)));
    storeParameters(row, part, scale, code.CreateAddReduce(sums));
  }

  /// Goes over `count` elements by vectors, with zeros behind the last.
  Value *over(int64_t count, Value *so,
              function_ref<Value *(int64_t, Value *, Value *)> body,
              Value *from) {
    for (int64_t i = 0; i < count; i += lanes)
      so = body(
          i, code.loadVector(code.at(from, i), std::min(count - i, lanes)), so);
    return so;
  }

  Value *toSteps(Value *part, Value *factor) {
    Value *most = code.splat(real(double(RowSteps::most)));
    // NaN becomes some number, because converting NaN is undefined.
    Value *scaled = code.CreateBinaryIntrinsic(
        Intrinsic::minnum, code.CreateFMul(part, factor), most);
    scaled = code.CreateBinaryIntrinsic(Intrinsic::maxnum, scaled,
                                        code.CreateFNeg(most));
    // Adding 1.5 * 2^23 rounds to an integer. Not every processor has a
    // rounding instruction.
    Value *whole = code.splat(real(12582912));
    scaled = code.CreateFSub(code.CreateFAdd(scaled, whole), whole);
    return code.CreateFPToSI(scaled, integers);
  }

  void storeSteps(Value *steps, Value *to, int64_t first) {
    auto *halves = FixedVectorType::get(code.getInt16Ty(), lanes);
    code.CreateAlignedStore(code.CreateTrunc(steps, halves),
                            code.bytesAt(to, code.integer(first * 2)),
                            Align(2));
  }

  void storeParameters(Value *row, Value *part, Value *scale, Value *sum) {
    Value *place = code.bytesAt(
        code.bytesAt(shared, code.add(code.integer(layout.parametersAt),
                                      code.times(row, layout.parameterBytes))),
        code.times(part, 8));
    code.CreateAlignedStore(scale, place, Align(4));
    Value *start = code.CreateNeg(sum);
    if (s.zero == CodeZero::Middle)
      start = code.CreateMul(start, code.getInt32(uint32_t(s.levels() / 2)));
    if (s.zero == CodeZero::Real)
      start =
          code.CreateFMul(code.CreateSIToFP(start, code.getFloatTy()), scale);
    code.CreateAlignedStore(start, code.at(place, 1), Align(4));
  }

  Value *real(double value) {
    return ConstantFP::get(code.getFloatTy(), value);
  }

  const MatMulNBitsCall &call;
  const BlockSizes &s;
  const RowSteps layout;
  Emitter code;
  FixedVectorType *integers;
  int64_t parts; // of a row
  Value *in = nullptr, *shared = nullptr;
};

} // namespace

void cpu::roundRowsFirst(CodeModule &module, const MatMulNBitsCall &call,
                         const BlockSizes &sizes, const Twine &name,
                         NativeStep &step) {
  RowRounder(module, call, sizes, name + ".round").emit(step);
}
