//===- IntegerImage.cpp - images of bytes packed for tiles ----------------===//
// SPDX-License-Identifier: MIT

#include "IntegerSizes.h"
#include "codegen/emit/ElementMemory.h"
#include "codegen/emit/OpenSizes.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvIntegerCall;

/// The least columns for which bytes are widened before they are multiplied:
/// each is then used so many times.
static constexpr int64_t leastColumns = 16;
/// The most bytes of an image that is widened, so that twice as many are an
/// integer.
static constexpr int64_t mostBytes = int64_t(1) << 40;

IntegerSizes::IntegerSizes(const CodeModule &module,
                           const CpuConvIntegerCall &call)
    : products(byteProductsOf(module, call.filter.kind())),
      isSigned(call.in.kind() == ElementKind::I8) {
  Ints in = call.in.shape(), filter = call.filter.shape(),
       shape = call.out.shape();
  images = call.in.sizes()[0].length();
  channels = in.back(), columns = filter[0], perGroup = filter[1],
  groups = call.group;
  size_t axes = call.strides.size();
  for (size_t i = 0; i < axes; ++i)
    (i + 1 == axes   ? x
     : i + 2 == axes ? y
                     : z) = {
        in[i + 1],         shape[i + 1], filter[i + 2],      call.strides[i],
        call.dilations[i], call.pads[i], call.pads[i + axes]};
  // The pixels of a pointwise convolution are one row, over all images if their
  // number is known.
  if (x.isPlain() && y.isPlain() && z.isPlain()) {
    x.in = x.out = z.in * y.in * x.in;
    z.in = z.out = y.in = y.out = 1;
    if (images.isFixed()) {
      x.in = x.out = images.fixed() * x.in;
      images = 1;
    }
  }
  depthwise = perGroup == 1 && groups > 1;
  if (depthwise && products == ByteProducts::Words)
    products = ByteProducts::Single;
  merged = x.dilation == 1 && groups == 1;
  inWords = false;
  prepared = x.before || x.after || y.before || y.after || z.before ||
             z.after || moves() ||
             (!depthwise && wholeBytes(products, tapBytes()) != tapBytes());
  if (products == ByteProducts::Pairs && !depthwise && perGroup % 4 == 0 &&
      columns >= leastColumns && imageBytes() <= mostBytes &&
      module.hasPlaceFor(2 * imageBytes(), 0))
    prepared = inWords = true;
}

/// The sizes saturate, as the bytes of very large pads may exceed an integer;
/// no machine has the memory for them.
int64_t IntegerSizes::imageBytes() const {
  return expr::prod(Ints{mostImages(), planes(), planeRows(), rowBytes()});
}

/// The offset that is added to signed bytes if products take only unsigned
/// ones.
static constexpr int64_t signOffset = 128;

Value *cpu::loadZero(Emitter &code, const CpuConvIntegerCall &call,
                     const IntegerSizes &sizes) {
  Value *zero = code.CreateAlignedLoad(code.getInt8Ty(),
                                       code.buffer(call.inZero), Align(1));
  zero = sizes.isSigned ? code.CreateSExt(zero, code.getInt64Ty())
                        : code.CreateZExt(zero, code.getInt64Ty());
  return sizes.moves() ? code.add(zero, code.integer(signOffset)) : zero;
}

Value *cpu::rowIn(Emitter &code, const IntegerSizes &sizes, Value *row) {
  const Axis &y = sizes.y, &z = sizes.z;
  if (z.out == 1)
    return code.times(row, y.stride);
  Value *plane = code.CreateUDiv(row, code.integer(y.out));
  Value *inPlane = code.CreateURem(row, code.integer(y.out));
  return code.add(code.times(plane, z.stride * sizes.planeRows()),
                  code.times(inPlane, y.stride));
}

namespace {

/// Copies bytes, with an offset if there is one, and with padding around them.
/// A row of an image in words has two parts (IntegerTile.def).
class ImageEmitter {
public:
  ImageEmitter(CodeModule &module, const CpuConvIntegerCall &call,
               const IntegerSizes &sizes, const Twine &name)
      : call(call), c(sizes), code(module, module.addStep(name + ".image")),
        isScalar(module.target.lanes == 1),
        band(isScalar ? sizes.imageRows() : 8) {}

  void emitFirst(NativeStep &step) {
    int64_t bands = (c.imageRows() + band - 1) / band;
    constexpr int64_t everyByte = 0x01010101;
    Value *zero = code.CreateAlignedLoad(code.getInt8Ty(),
                                         code.buffer(call.inZero), Align(1));
    padding = isScalar ? zero : code.times(moved(zero), everyByte);
    if (!isScalar)
      paddings = code.splat(code.CreateTrunc(padding, code.getInt32Ty()));
    if (c.inWords)
      paddings = code.CreateAnd(paddings, evenBytes);
    code.loop(
        code.function->getArg(2), code.function->getArg(3), [&](Value *chunk) {
          Value *image = code.CreateUDiv(chunk, code.integer(bands));
          Value *first =
              code.times(code.CreateURem(chunk, code.integer(bands)), band);
          code.loop(first,
                    code.smaller(code.add(first, code.integer(band)),
                                 code.integer(c.imageRows())),
                    [&](Value *row) { emitRow(image, row); });
        });
    code.CreateRetVoid();
    step.phases.insert(step.phases.begin(),
                       {code.function, c.mostImages() * bands});
    emitMeasure(code, c.images * bands);
    // 64 bytes more: the last product may read behind the image, with weights
    // of 0.
    step.sharedBytes = expr::add(c.imageBytes(), 64);
  }

private:
  void emitRow(Value *image, Value *row) {
    Value *to =
        code.bytesAt(code.buffer(call.in.shared()),
                     code.times(code.add(code.times(image, c.imageRows()), row),
                                c.rowBytes()));
    Value *plane = code.integer(0), *inside = nullptr;
    if (c.planes() > 1) {
      plane =
          code.CreateNSWSub(code.CreateUDiv(row, code.integer(c.planeRows())),
                            code.integer(c.z.before));
      row = code.CreateURem(row, code.integer(c.planeRows()));
      inside = code.CreateICmpULT(plane, code.integer(c.z.in));
    }
    Value *source = code.CreateNSWSub(row, code.integer(c.y.before));
    // Unsigned: a negative row above the image is out of range as well.
    Value *isRow = code.CreateICmpULT(source, code.integer(c.y.in));
    inside = inside ? code.CreateAnd(inside, isRow) : isRow;
    code.when(inside, [&] {
      Value *number = code.add(code.times(image, c.z.in), plane);
      Value *from =
          code.bytesAt(code.buffer(call.in),
                       code.times(code.add(code.times(number, c.y.in), source),
                                  c.x.in * c.channels));
      int64_t left = c.x.before * c.channels;
      int64_t size = std::min(c.x.in, c.x.reach() - c.x.before) * c.channels;
      fill(to, 0, left);
      copy(from, to, left, size);
      fill(to, left + size, c.partBytes());
    });
    code.when(code.CreateNot(inside), [&] { fill(to, 0, c.partBytes()); });
  }

  void fill(Value *to, int64_t from, int64_t end) {
    to = code.bytesAt(to, code.integer(from));
    if (isScalar)
      return void(
          end > from &&
          code.CreateMemSet(to, padding, uint64_t(end - from), Align(1)));
    inVectors(
        end - from,
        [&](Value *offset, int64_t words) {
          storeWords(paddings, paddings, code.bytesAt(to, offset), words);
        },
        [&](Value *offset) { storeByte(padding, code.bytesAt(to, offset)); });
  }
  void copy(Value *from, Value *to, int64_t first, int64_t size) {
    to = code.bytesAt(to, code.integer(first));
    if (isScalar)
      return void(size > 0 && code.CreateMemCpy(to, Align(1), from, Align(1),
                                                uint64_t(size)));
    inVectors(
        size,
        [&](Value *offset, int64_t words) {
          Value *bytes =
              loadElements(code, code.getInt32Ty(), code.bytesAt(from, offset),
                           words, Align(1));
          if (c.moves())
            bytes = code.CreateXor(
                bytes, ConstantInt::get(bytes->getType(), 0x80808080));
          Value *second = c.inWords ? evenOf(code.CreateLShr(bytes, 8)) : bytes;
          storeWords(c.inWords ? evenOf(bytes) : bytes, second,
                     code.bytesAt(to, offset), words);
        },
        [&](Value *offset) {
          storeByte(moved(code.CreateAlignedLoad(code.getInt8Ty(),
                                                 code.bytesAt(from, offset),
                                                 Align(1))),
                    code.bytesAt(to, offset));
        });
  }

  /// The first and the third byte of each word, as numbers of 16 bits.
  Value *evenOf(Value *words) { return code.CreateAnd(words, evenBytes); }
  /// Stores words, or both pairs of each where an image is in words.
  void storeWords(Value *words, Value *second, Value *to, int64_t count) {
    storeElements(code, words, to, count, Align(1));
    if (c.inWords)
      storeElements(code, second, code.bytesAt(to, c.partBytes()), count,
                    Align(1));
  }

  /// The byte that is written for a byte of the image, an i64.
  Value *moved(Value *byte) {
    Value *wide = code.CreateZExt(byte, code.getInt64Ty());
    return c.moves() ? code.CreateXor(wide, signOffset) : wide;
  }
  void storeByte(Value *wide, Value *to) {
    code.CreateAlignedStore(code.CreateTrunc(wide, code.getInt8Ty()), to,
                            Align(1));
  }

  /// Writes whole vectors, of which the last may overlap the one before. If
  /// there are fewer bytes than a vector has, a part of a vector writes whole
  /// words, and the rest is written byte by byte.
  void inVectors(int64_t size, function_ref<void(Value *, int64_t)> body,
                 function_ref<void(Value *)> byte) {
    constexpr int64_t vector = 4 * lanes;
    if (size >= vector) {
      code.loop(code.integer(0), code.integer(size / vector),
                [&](Value *v) { body(code.times(v, vector), lanes); });
      if (size % vector)
        body(code.integer(size - vector), lanes);
      return;
    }
    if (size / 4)
      body(code.integer(0), size / 4);
    for (int64_t i = size / 4 * 4; i < size; ++i)
      byte(code.integer(i));
  }

  static constexpr uint64_t evenBytes = 0x00ff00ff;

  const CpuConvIntegerCall &call;
  const IntegerSizes &c;
  Emitter code;
  const bool isScalar;                           ///< without vectors
  const int64_t band;                            ///< rows of a chunk
  Value *padding = nullptr, *paddings = nullptr; // a byte; a vector of it
};

} // namespace

void cpu::prepareFirst(CodeModule &module, const CpuConvIntegerCall &call,
                       const IntegerSizes &sizes, const Twine &name,
                       NativeStep &step) {
  ImageEmitter(module, call, sizes, name).emitFirst(step);
}
