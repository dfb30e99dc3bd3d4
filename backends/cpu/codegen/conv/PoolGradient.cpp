//===- PoolGradient.cpp - the gradient of a max pool of packed images -----===//
// SPDX-License-Identifier: MIT
//
// A vector has the 16 channels of a block. A chunk is a plane: a block of
// channels of an image. Each window is visited once: its elements that are its
// largest one share the gradient of the result. Windows that reach over an edge
// of the image have code of their own, the others are a loop.
//
//===----------------------------------------------------------------------===//

#include "FilterGradient.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuMaxPoolGradientCall;

namespace {

GradientAxis axisOf(const CpuMaxPoolGradientCall &call, size_t axis) {
  return {call.in.shape()[axis + 2], call.largest.shape()[axis + 2],
          call.window[axis],         call.strides[axis],
          call.pads[axis],           call.dilations[axis]};
}

class PoolGradientEmitter {
public:
  PoolGradientEmitter(CodeModule &module, const CpuMaxPoolGradientCall &call,
                      const Twine &name)
      : call(call), y(axisOf(call, 0)), x(axisOf(call, 1)),
        planes(call.in.shape()[0] * call.in.shape()[1]),
        code(module, module.addStep(name)) {}

  /// Whether code of a reasonable size has all windows at edges.
  static bool canEmit(const CpuMaxPoolGradientCall &call) {
    constexpr int64_t mostEdges = 8, mostTaps = 25;
    const GradientAxis y = axisOf(call, 0), x = axisOf(call, 1);
    return y.edges() <= mostEdges && x.edges() <= mostEdges &&
           y.taps * x.taps <= mostTaps;
  }

  NativeStep emit() {
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *plane) { emitPlane(plane); });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, planes});
    step.choice = {"", "1x16", "cnhw16c"};
    step.work = Work();
    step.work->operations =
        double(planes * y.out * x.out * y.taps * x.taps * 3);
    return step;
  }

private:
  void emitPlane(Value *plane) {
    const int64_t pixels = y.in * x.in, windows = y.out * x.out;
    auto at = [&](Value *buffer, int64_t size) {
      return code.at(buffer, code.times(plane, size * lanes));
    };
    in = at(code.buffer(call.in), pixels);
    largest = at(code.buffer(call.largest), windows);
    flow = at(code.buffer(call.gradient), windows);
    gradient = at(code.buffer(0), pixels);
    code.loop(code.integer(0), code.integer(pixels), [&](Value *pixel) {
      code.storeVector(Constant::getNullValue(code.vector),
                       code.at(gradient, code.times(pixel, lanes)));
    });
    visit(y, [&](Value *row, std::pair<int64_t, int64_t> rows) {
      visit(x, [&](Value *column, std::pair<int64_t, int64_t> columns) {
        emitWindow(row, rows, column, columns);
      });
    });
  }

  /// Calls `body` with each result along an axis, and the taps of its window
  /// inside of the image.
  void visit(const GradientAxis &axis,
             function_ref<void(Value *, std::pair<int64_t, int64_t>)> body) {
    auto [first, end] = axis.inner();
    auto atEdge = [&](int64_t from, int64_t to) {
      for (int64_t result = from; result < to; ++result) {
        std::pair<int64_t, int64_t> taps(axis.taps, 0);
        for (int64_t tap = 0; tap < axis.taps; ++tap)
          if (auto [begin, last] = axis.inside(tap);
              result >= begin && result < last)
            taps = {std::min(taps.first, tap), tap + 1};
        body(code.integer(result), taps);
      }
    };
    atEdge(0, first);
    if (first < end)
      code.loop(code.integer(first), code.integer(end),
                [&](Value *result) { body(result, {0, axis.taps}); });
    atEdge(end, axis.out);
  }

  void emitWindow(Value *row, std::pair<int64_t, int64_t> rows, Value *column,
                  std::pair<int64_t, int64_t> columns) {
    Value *window = code.times(code.add(code.times(row, x.out), column), lanes);
    Value *most = code.loadVector(code.at(largest, window));
    Value *top = code.times(code.times(row, y.stride), x.in);
    Value *corner =
        code.times(code.add(top, code.times(column, x.stride)), lanes);
    Value *zero = Constant::getNullValue(code.vector);
    Value *one = ConstantFP::get(code.vector, 1.0), *count = zero;
    SmallVector<std::pair<Value *, Value *>> elements; // address, is largest
    for (int64_t r = rows.first; r < rows.second; ++r)
      for (int64_t s = columns.first; s < columns.second; ++s) {
        const int64_t offset =
            ((r * y.dilation - y.pad) * x.in + s * x.dilation - x.pad) * lanes;
        Value *pixel = code.loadVector(code.at(code.at(in, corner), offset));
        Value *isMost = code.CreateFCmpOEQ(pixel, most);
        elements.push_back(
            {code.at(code.at(gradient, corner), offset), isMost});
        count = code.CreateFAdd(count, code.CreateSelect(isMost, one, zero));
      }
    Value *share =
        code.CreateFDiv(code.loadVector(code.at(flow, window)), count);
    for (auto [address, isMost] : elements)
      code.storeVector(code.CreateFAdd(code.loadVector(address),
                                       code.CreateSelect(isMost, share, zero)),
                       address);
  }

  const CpuMaxPoolGradientCall &call;
  const GradientAxis y, x;
  const int64_t planes;
  Emitter code;
  Value *in = nullptr, *largest = nullptr, *flow = nullptr,
        *gradient = nullptr; // of a plane
};

} // namespace

std::optional<NativeStep>
cpu::emitPoolGradient(CodeModule &module, const CpuMaxPoolGradientCall &call,
                      const Twine &name) {
  if (!PoolGradientEmitter::canEmit(call))
    return std::nullopt;
  return PoolGradientEmitter(module, call, name).emit();
}
