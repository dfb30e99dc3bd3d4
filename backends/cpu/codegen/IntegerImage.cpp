//===- IntegerImage.cpp - images of bytes as tiles read them --------------===//

#include "IntegerSizes.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvIntegerCall;

IntegerSizes::IntegerSizes(const cpu::Target &target,
                           const CpuConvIntegerCall &call)
    : products(byteProductsOf(target, call.filter.kind())),
      isSigned(call.in.kind() == ElementKind::I8) {
  Ints in = call.in.shape(), filter = call.filter.shape(),
       shape = call.out.shape();
  images = in[0], channels = in.back(), columns = filter[0],
  perGroup = filter[1], groups = call.group;
  size_t axes = call.strides.size();
  for (size_t i = 0; i < axes; ++i)
    (i + 1 == axes ? x : y) = {
        in[i + 1],         shape[i + 1], filter[i + 2],      call.strides[i],
        call.dilations[i], call.pads[i], call.pads[i + axes]};
  // Pixels on their own are one row, whatever image they are of.
  if (x.isPlain() && y.isPlain()) {
    x.in = x.out = images * y.in * x.in;
    y.in = y.out = images = 1;
  }
  depthwise = perGroup == 1 && groups > 1;
  merged = x.dilation == 1 && groups == 1;
  prepared = x.before || x.after || y.before || y.after || moves() ||
             (!depthwise && wholeBytes(products, tapBytes()) != tapBytes());
}

/// What bytes with a sign are moved by where they must have none.
static constexpr int64_t signOffset = 128;

Value *cpu::loadZero(Emitter &code, const CpuConvIntegerCall &call,
                     const IntegerSizes &sizes) {
  Value *zero = code.CreateAlignedLoad(code.getInt8Ty(),
                                       code.buffer(call.inZero), Align(1));
  zero = sizes.isSigned ? code.CreateSExt(zero, code.getInt32Ty())
                        : code.CreateZExt(zero, code.getInt32Ty());
  return sizes.moves() ? code.CreateAdd(zero, code.getInt32(signOffset)) : zero;
}

Packing cpu::packIntegerBias(const IntegerSizes &sizes, const Operand &bias) {
  int64_t count = sizes.columns;
  return {bias, sizes.blocks() * lanes,
          [=](const float *from, float *to) { std::copy_n(from, count, to); }};
}

namespace {

/// Bytes with an offset, if any, and padding around them.
class ImageEmitter {
public:
  ImageEmitter(CodeModule &unit, const CpuConvIntegerCall &call,
               const IntegerSizes &sizes, const Twine &name)
      : call(call), c(sizes), code(unit, unit.addStep(name + ".image")) {}

  void emitFirst(NativeStep &step) {
    int64_t bands = (c.imageRows() + band - 1) / band;
    padding = code.CreateAlignedLoad(code.getInt8Ty(), code.buffer(call.inZero),
                                     Align(1));
    if (c.moves())
      padding = code.CreateXor(padding, code.getInt8(signOffset));
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
    step.phases.insert(step.phases.begin(), {code.function, c.images * bands});
    // What is multiplied last may be bytes behind the image, which count
    // nothing.
    step.sharedBytes = c.images * c.imageRows() * c.rowBytes() + 64;
  }

private:
  static constexpr int64_t band = 8; // rows of a chunk

  bool moves() const { return c.isSigned && c.products == ByteProducts::Quads; }

  void emitRow(Value *image, Value *row) {
    Value *to = at(code.buffer(call.in.shared()),
                   code.times(code.add(code.times(image, c.imageRows()), row),
                              c.rowBytes()));
    Value *source = code.CreateNSWSub(row, code.integer(c.y.before));
    // As one without a sign, a row above the image is far below it.
    Value *inside = code.CreateICmpULT(source, code.integer(c.y.in));
    code.when(inside, [&] {
      Value *from = at(code.buffer(call.in),
                       code.times(code.add(code.times(image, c.y.in), source),
                                  c.x.in * c.channels));
      int64_t left = c.x.before * c.channels;
      int64_t size = std::min(c.x.in, c.x.reach() - c.x.before) * c.channels;
      fill(to, 0, left);
      copy(from, to, left, size);
      fill(to, left + size, c.rowBytes());
    });
    code.when(code.CreateNot(inside), [&] { fill(to, 0, c.rowBytes()); });
  }

  Value *at(Value *pointer, Value *offset) {
    return code.CreateGEP(code.getInt8Ty(), pointer, offset);
  }

  void fill(Value *to, int64_t from, int64_t end) {
    inVectors(end - from, [&](Value *offset, FixedVectorType *type) {
      Value *place = at(to, code.add(offset, code.integer(from)));
      code.CreateAlignedStore(
          code.CreateVectorSplat(type->getNumElements(), padding), place,
          Align(1));
    });
  }
  void copy(Value *from, Value *to, int64_t first, int64_t size) {
    inVectors(size, [&](Value *offset, FixedVectorType *type) {
      Value *bytes = code.CreateAlignedLoad(type, at(from, offset), Align(1));
      if (c.moves())
        bytes =
            code.CreateXor(bytes, ConstantInt::get(type, uint64_t(signOffset)));
      code.CreateAlignedStore(
          bytes, at(to, code.add(offset, code.integer(first))), Align(1));
    });
  }
  /// Vectors of 64 bytes, and what is left in ever smaller ones.
  void inVectors(int64_t size,
                 function_ref<void(Value *, FixedVectorType *)> body) {
    auto type = [&](int64_t bytes) {
      return FixedVectorType::get(code.getInt8Ty(), unsigned(bytes));
    };
    constexpr int64_t vector = 64;
    if (size >= vector)
      code.loop(code.integer(0), code.integer(size / vector),
                [&](Value *v) { body(code.times(v, vector), type(vector)); });
    int64_t done = size / vector * vector;
    for (int64_t part = vector / 2; part > 0; part /= 2)
      if (size - done >= part) {
        body(code.integer(done), type(part));
        done += part;
      }
  }

  const CpuConvIntegerCall &call;
  const IntegerSizes &c;
  Emitter code;
  Value *padding = nullptr;
};

} // namespace

void cpu::prepareFirst(CodeModule &unit, const CpuConvIntegerCall &call,
                       const IntegerSizes &sizes, const Twine &name,
                       NativeStep &step) {
  ImageEmitter(unit, call, sizes, name).emitFirst(step);
}
