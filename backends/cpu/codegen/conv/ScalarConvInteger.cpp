//===- ScalarConvInteger.cpp - products of bytes without vectors ----------===//
// SPDX-License-Identifier: MIT
//
// A processor without registers of vectors computes the sums of a few columns
// at a time. The weights of these columns lie in the order in which the sums
// take them, so that one address runs through all of them.
//
// The DSP extension of Arm multiplies pairs of 16 bits. A word of four bytes
// becomes two such pairs: bytes 0 and 2, and bytes 1 and 3.
//
//===----------------------------------------------------------------------===//

#include "IntegerSizes.h"
#include "codegen/emit/OpenSizes.h"
#include "glow/Base/Functions.h"
#include "llvm/IR/IntrinsicsARM.h"
#include <cstring>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvIntegerCall;

namespace {

/// Sums that are computed at a time: they leave registers for addresses.
int64_t mostColumns(const CodeModule &module) {
  if (module.target.floatRegisters == 0) // for few bytes of code
    return 1;
  // C is for any processor; WebAssembly names one register for its locals.
  if (module.isText || module.target.integerRegisters < 16)
    return 2;
  return module.target.integerRegisters >= 32 ? 8 : 4;
}

/// The packing of a group of columns: the sum of the weights of each column,
/// then the weights.
struct ColumnGroup {
  ColumnGroup(const IntegerSizes &c, ElementKind kind, int64_t most)
      : columns(most), weightBytes(kind == ElementKind::I8 ? 1 : 2),
        together(c.products == ByteProducts::Words ? 4 : 1),
        steps(wholeBytes(c.products, c.tapBytes()) / together) {
    // All groups are alike, and of one group of channels.
    while (c.columns / c.groups % columns)
      columns /= 2;
  }
  int64_t stepBytes() const { return columns * together * weightBytes; }
  int64_t bytes(const IntegerSizes &c) const {
    int64_t taps = c.rowTaps() * c.taps() * steps;
    return columns * 4 + int64_t(alignTo(uint64_t(taps * stepBytes()), 4));
  }

  int64_t columns;
  int64_t weightBytes;
  int64_t together; ///< bytes of a pixel that are multiplied at a time
  int64_t steps;    ///< of a tap
};

/// Puts weights in the order of the sums: [group][sums of columns; q][r][s]
/// [step][column][byte of the step].
template <typename Weight> class GroupPacker {
public:
  GroupPacker(const IntegerSizes &c, const ColumnGroup &group)
      : c(c), group(group) {}

  void pack(const Weight *from, char *to) const {
    for (int64_t first = 0; first < c.columns; first += group.columns) {
      std::fill_n(to, group.bytes(c), char(0));
      for (int64_t i = 0; i < group.columns; ++i)
        packColumn(from + (first + i) * c.perGroup * window(), i, to);
      to += group.bytes(c);
    }
  }

private:
  int64_t window() const { return c.rowTaps() * c.x.taps; }

  void packColumn(const Weight *from, int64_t column, char *to) const {
    int32_t sum = 0;
    auto *weights = reinterpret_cast<Weight *>(to + group.columns * 4);
    for (int64_t i = 0; i < c.perGroup; ++i)
      for (int64_t tap = 0; tap < window(); ++tap) {
        Weight weight = from[i * window() + tap];
        sum += weight;
        // The taps of a row may be one, of more bytes.
        int64_t byte = c.merged ? tap % c.x.taps * c.perGroup + i : i;
        int64_t whole = c.merged ? tap / c.x.taps : tap;
        weights[placeOf(whole, byte, column)] = weight;
      }
    std::memcpy(to + column * 4, &sum, sizeof sum);
  }

  int64_t placeOf(int64_t tap, int64_t byte, int64_t column) const {
    int64_t step = tap * group.steps + byte / group.together;
    int64_t within = byte % group.together;
    // Numbers of 16 bits lie in the pairs that the bytes of a pixel become.
    constexpr int64_t pairs[] = {0, 2, 1, 3};
    if (sizeof(Weight) == 2 && group.together == 4)
      within = pairs[within];
    return (step * group.columns + column) * group.together + within;
  }

  const IntegerSizes &c;
  const ColumnGroup &group;
};

class ScalarConvIntegerEmitter {
public:
  ScalarConvIntegerEmitter(CodeModule &module, const CpuConvIntegerCall &call,
                           const Twine &name)
      : call(call), c(module, call), isShort(module.target.floatRegisters == 0),
        group(c, call.filter.kind(), mostColumns(module)), extras(call),
        code(module, module.addStep(name), /*lanes=*/1) {}

  NativeStep emit() {
    zero = code.CreateTrunc(loadZero(code, call, c), code.getInt32Ty());
    if (group.columns > 1)
      kept = code.CreateAlloca(
          ArrayType::get(code.getInt32Ty(), uint64_t(group.columns)));
    code.loop(code.integer(0), valueOf(code, c.images), [&](Value *image) {
      each(c.rowsOut(), [&](Value *row) {
        each(c.x.out, [&](Value *pixel) { emitPixel(image, row, pixel); });
      });
    });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, 1});
    step.packings.push_back(packing());
    step.choice = {c.products == ByteProducts::Words ? "words" : "single",
                   "1x" + std::to_string(group.columns), "nhwc"};
    double results = double(c.mostImages() * c.rowsOut() * c.x.out * c.columns);
    step.work = Work();
    step.work->products = results / cpu::lanes * double(c.rowTaps()) *
                          double(c.taps() * c.tapBytes());
    step.work->operations =
        results / cpu::lanes * (1 + operationsOf(call.epilogue));
    if (c.prepared)
      prepareFirst(code.module, call, c, code.function->getName(), step);
    return step;
  }

private:
  /// A loop, where there is more than one turn. Short code has loops of one
  /// turn, too: convolutions that differ in sizes alone share it.
  void each(int64_t count, function_ref<void(Value *)> body) {
    if (count == 1 && !isShort)
      return body(code.integer(0));
    code.loop(code.integer(0), code.integer(count), body);
  }

  Packing packing() const {
    bool isBytes = call.filter.kind() == ElementKind::I8;
    return {call.filter, c.columns / group.columns * group.bytes(c) / 4,
            [c = c, group = group, isBytes](const float *from, float *to) {
              auto *place = reinterpret_cast<char *>(to);
              if (isBytes)
                GroupPacker<int8_t>(c, group).pack(
                    reinterpret_cast<const int8_t *>(from), place);
              else
                GroupPacker<int16_t>(c, group).pack(
                    reinterpret_cast<const int16_t *>(from), place);
            }};
  }

  /// All columns of a pixel of the result.
  void emitPixel(Value *image, Value *row, Value *pixel) {
    Value *line =
        code.add(code.times(image, c.imageRows()), rowIn(code, c, row));
    Value *in = code.add(code.times(line, c.rowBytes()),
                         code.times(pixel, c.x.stride * c.channels));
    Value *number = code.add(
        code.times(code.add(code.times(image, c.rowsOut()), row), c.x.out),
        pixel);
    Value *out = code.times(number, c.columns);
    int64_t groups = c.columns / c.groups / group.columns;
    each(c.groups, [&](Value *part) {
      Value *from = code.bytesAt(
          code.buffer(c.prepared ? call.in.shared() : unsigned(call.in)),
          code.add(in, code.times(part, c.perGroup)));
      each(groups, [&](Value *one) {
        Value *index = code.add(code.times(part, groups), one);
        Value *weights = code.bytesAt(code.buffer(call.filter),
                                      code.times(index, group.bytes(c)));
        emitColumns(from, weights, code.times(index, group.columns), out);
      });
    });
  }

  Value *loadInteger(Value *from, Value *index) {
    return code.CreateAlignedLoad(code.getInt32Ty(), code.at(from, index),
                                  Align(4));
  }

  /// The columns of one group, from `channel` on, of the pixel whose first
  /// result is at `out`.
  void emitColumns(Value *in, Value *weights, Value *channel, Value *out) {
    Emitter::Values sums(size_t(group.columns), code.getInt32(0));
    sums = overPlanes(in, code.bytesAt(weights, group.columns * 4), sums);
    if (!kept)
      return finish(sums.front(), loadInteger(weights, code.integer(0)),
                    channel, out);
    for (auto [i, sum] : enumerate(sums))
      code.CreateAlignedStore(sum, code.at(kept, int64_t(i)), Align(4));
    each(group.columns, [&](Value *i) {
      finish(loadInteger(kept, i), loadInteger(weights, i),
             code.add(channel, i), out);
    });
    staysLoop();
  }

  /// Has the loop before stay one: copies of the formula are most of the code.
  void staysLoop() {
    LLVMContext &context = code.getContext();
    MDNode *none = MDNode::get(
        context, MDString::get(context, "llvm.loop.unroll.disable"));
    MDNode *loop = MDNode::getDistinct(context, {nullptr, none});
    loop->replaceOperandWith(0, loop);
    code.GetInsertBlock()->getUniquePredecessor()->getTerminator()->setMetadata(
        LLVMContext::MD_loop, loop);
  }

  /// Computes the result of a sum of products and the sum of its weights.
  void finish(Value *sum, Value *ofWeights, Value *channel, Value *out) {
    sum = code.CreateSub(sum, code.CreateMul(zero, ofWeights));
    if (call.bias)
      sum = code.CreateAdd(sum, loadInteger(code.buffer(*call.bias), channel));
    Value *place = code.add(out, channel);
    auto *one = FixedVectorType::get(code.getInt32Ty(), 1);
    emitIntegerResult(code, extras.result, code.CreateBitCast(sum, one),
                      code.buffer(0), place, code.integer(0), 1,
                      extras.at(code, code.integer(0), channel));
  }

  using Body = function_ref<Emitter::Values(Value *, Value *, Emitter::Values)>;

  /// `count` turns, each so many bytes further.
  Emitter::Values turns(int64_t count, Value *in, Value *weights,
                        int64_t inBytes, int64_t weightBytes,
                        Emitter::Values sums, Body body) {
    if (count == 0) // a sum of nothing, which has no weights
      return sums;
    if (count == 1 && !isShort)
      return body(in, weights, sums);
    sums = code.loop(
        code.integer(0), code.integer(count), sums,
        [&](Value *i, Emitter::Values sums) {
          return body(code.bytesAt(in, code.times(i, inBytes)),
                      code.bytesAt(weights, code.times(i, weightBytes)), sums);
        });
    if (group.columns > 1)
      staysLoop();
    return sums;
  }

  Emitter::Values overPlanes(Value *in, Value *weights, Emitter::Values sums) {
    int64_t tapBytes = group.steps * group.stepBytes();
    int64_t rowBytes = c.taps() * tapBytes;
    auto tap = [&](Value *in, Value *weights, Emitter::Values sums) {
      return turns(group.steps, in, weights, group.together, group.stepBytes(),
                   sums, [&](Value *in, Value *weights, Emitter::Values sums) {
                     return products(in, weights, sums);
                   });
    };
    auto row = [&](Value *in, Value *weights, Emitter::Values sums) {
      return turns(c.taps(), in, weights, c.x.dilation * c.channels, tapBytes,
                   sums, tap);
    };
    auto plane = [&](Value *in, Value *weights, Emitter::Values sums) {
      return turns(c.y.taps, in, weights, c.y.dilation * c.rowBytes(), rowBytes,
                   sums, row);
    };
    return turns(c.z.taps, in, weights,
                 c.z.dilation * c.planeRows() * c.rowBytes(),
                 c.y.taps * rowBytes, sums, plane);
  }

  Emitter::Values products(Value *in, Value *weights, Emitter::Values sums) {
    return c.products == ByteProducts::Words
               ? productsOfWords(in, weights, sums)
               : productsOfBytes(in, weights, sums);
  }

  Emitter::Values productsOfBytes(Value *in, Value *weights,
                                  Emitter::Values sums) {
    auto load = [&](Value *from, int64_t bytes, bool isSigned) {
      Value *loaded = code.CreateAlignedLoad(
          code.getIntNTy(unsigned(8 * bytes)), from, Align(uint64_t(bytes)));
      return isSigned ? code.CreateSExt(loaded, code.getInt32Ty())
                      : code.CreateZExt(loaded, code.getInt32Ty());
    };
    Value *pixel = load(in, 1, c.isSigned);
    for (auto [i, sum] : enumerate(sums)) {
      Value *weight =
          load(code.bytesAt(weights, int64_t(i) * group.weightBytes),
               group.weightBytes, /*isSigned=*/true);
      sum = code.CreateAdd(sum, code.CreateMul(pixel, weight));
    }
    return sums;
  }

  Emitter::Values productsOfWords(Value *in, Value *weights,
                                  Emitter::Values sums) {
    auto load = [&](Value *from, uint64_t align) {
      return code.CreateAlignedLoad(code.getInt32Ty(), from, Align(align));
    };
    auto pairs = [&](Value *word, bool isSigned) -> std::array<Value *, 2> {
      Value *odd = code.CreateIntrinsic(Intrinsic::fshr, {word->getType()},
                                        {word, word, code.getInt32(8)});
      Intrinsic::ID widened =
          isSigned ? Intrinsic::arm_sxtb16 : Intrinsic::arm_uxtb16;
      return {code.CreateIntrinsic(widened, {}, {word}),
              code.CreateIntrinsic(widened, {}, {odd})};
    };
    std::array<Value *, 2> pixel = pairs(load(in, 1), c.isSigned);
    for (auto [i, sum] : enumerate(sums)) {
      Value *at = code.bytesAt(weights, int64_t(i) * 4 * group.weightBytes);
      std::array<Value *, 2> weight =
          group.weightBytes == 1
              ? pairs(load(at, 4), /*isSigned=*/true)
              : std::array<Value *, 2>{load(at, 4),
                                       load(code.bytesAt(at, 4), 4)};
      for (size_t pair : {0, 1})
        sum = code.CreateIntrinsic(Intrinsic::arm_smlad, {},
                                   {pixel[pair], weight[pair], sum});
    }
    return sums;
  }

  const CpuConvIntegerCall &call;
  const IntegerSizes c;
  const bool isShort; ///< for few bytes of code
  const ColumnGroup group;
  const IntegerExtras extras;
  Emitter code;
  Value *zero = nullptr;
  Value *kept = nullptr; ///< sums of a group of several columns
};

} // namespace

NativeStep cpu::emitScalarConvInteger(CodeModule &module,
                                      const CpuConvIntegerCall &call,
                                      const Twine &name) {
  return ScalarConvIntegerEmitter(module, call, name).emit();
}
