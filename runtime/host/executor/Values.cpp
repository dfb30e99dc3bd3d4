//===- Values.cpp - values that the parts of a run read and write ---------===//
// SPDX-License-Identifier: MIT
//
// Values are numbered as in Program/Parts.h: inputs, outputs, and intermediate
// values between parts. A run for one request that fills its batch reads and
// writes the request's own tensors; nothing is copied.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "base/Mistake.h"
#include <cstring>

using namespace glow;
using namespace glow::runtime;

namespace {

/// Prepares one run. The thread of its first task does so, while it holds
/// Run::preparing; the lock of the host is free.
class Preparation {
public:
  explicit Preparation(Run &run)
      : run(run), variant(run.code), inputs(variant.program.inputs.size()),
        outputs(variant.program.outputs.size()) {}

  Status prepare() {
    if (variant.isOpen())
      run.types = variant.typesIn(run.sizes);
    if (Status status = bindStates(); !status.ok())
      return status;
    run.values.reserve(variant.types.size());
    // A run on the tensors of one request, without values between its parts,
    // needs no memory of its own.
    if (!run.isCheck && run.isSolo() &&
        variant.types.size() == inputs + outputs)
      return addViews();
    if (!run.buffers)
      run.buffers = std::make_unique<Buffers>();
    run.buffers->values.resize(variant.types.size());
    run.buffers->onDevice.resize(variant.types.size());
    for (size_t value = 0; value < variant.types.size(); ++value) {
      Result<TensorView> view = viewOf(value);
      if (!view)
        return view.status();
      run.values.push_back(*view);
      DeviceBuffer *buffer = run.buffers->onDevice[value].get();
      if (buffer && run.deviceValues.empty())
        run.deviceValues.resize(variant.types.size());
      if (buffer)
        run.deviceValues[value] = buffer;
    }
    return Status();
  }

private:
  /// Sets the tensors of states, if the run is for a session.
  Status bindStates() {
    SessionStates *states =
        run.requestCount() == 1 ? run.request(0)->states : nullptr;
    if (!states)
      return Status();
    bound.inputs.resize(inputs);
    for (size_t i = 0; i < outputs; ++i)
      bound.outputs.push_back({nullptr, &run.typeOf(inputs + i)});
    const size_t number = run.request(0)->stateProgram;
    places = states->places(number);
    return states->bind(bound, number);
  }

  Status addViews() {
    for (size_t value = 0; value < variant.types.size(); ++value) {
      Result<TensorView> view = viewOf(value);
      if (!view)
        return view.status();
      run.values.push_back(*view);
    }
    return Status();
  }

  /// The memory of a value in host memory, or a view without data if the value
  /// lies on a device.
  Result<TensorView> viewOf(size_t value) {
    if (run.isCheck)
      return isRead(value) ? variant.canary[value].view() : own(value);
    for (const StatePlace &state : places)
      if (value == state.input ||
          (state.output != StatePlace::none && value == inputs + state.output))
        return value < inputs ? bound.inputs[value]
                              : bound.outputs[value - inputs];
    if (value < inputs)
      return run.isSolo() ? run.request(0)->inputViews[value] : gathered(value);
    if (value < inputs + outputs && run.isSolo())
      return result(value - inputs);
    if (value >= inputs + outputs)
      if (DeviceSlot *slot = slotOf(value))
        return onDevice(value, *slot);
    return own(value);
  }

  /// Whether a check reads the value from its canary: an input, or, in a check
  /// of one device, a value that no part on this device writes.
  bool isRead(size_t value) const {
    if (value < inputs || !run.checked)
      return value < inputs;
    for (size_t i = 0; i < variant.parts.size(); ++i)
      if (run.instance.programs[run.variant][i].slot == run.checked)
        for (uint32_t output : variant.parts[i].outputs)
          if (output == value)
            return false;
    return true;
  }

  /// Memory of the run itself; kept from an earlier run if it suffices.
  Result<TensorView> own(size_t value) {
    Tensor &tensor = run.buffers->values[value];
    const TensorType &type = run.typeOf(value);
    if (!tensor.data() || tensor.type().bytes() < type.bytes()) {
      Result<Tensor> fresh = Tensor::zeros(type);
      if (!fresh)
        return fresh.status().prefixed("a value of a run: ");
      tensor = fresh.take();
    }
    return TensorView{tensor.data(), &type};
  }

  /// The rows of all requests, one after the other. Padding repeats the last
  /// row.
  Result<TensorView> gathered(size_t value) {
    Result<TensorView> view = own(value);
    if (!view)
      return view;
    const uint64_t rowBytes = view->type->bytes() / uint64_t(run.rows);
    char *to = static_cast<char *>(view->data);
    char *end = to + view->type->bytes();
    for (size_t i = 0; i < run.requestCount(); ++i) {
      const Operands &request = *run.request(i);
      uint64_t bytes = rowBytes * uint64_t(request.rows);
      if (bytes)
        std::memcpy(to, request.inputViews[value].data, bytes);
      to += bytes;
    }
    for (; rowBytes && to < end; to += rowBytes)
      std::memcpy(to, to - rowBytes, rowBytes);
    return view;
  }

  /// An output of a single request: the caller's tensor, or a new one.
  Result<TensorView> result(size_t output) {
    Operands &request = *run.request(0);
    if (!request.outputViews.empty())
      return request.outputViews[output];
    const TensorType &type = run.typeOf(inputs + output);
    Result<Tensor> fresh = Tensor::zeros(type);
    if (!fresh)
      return fresh.status().prefixed(
          "output '" + variant.program.outputs[output].name + "': ");
    run.outputs.push_back(fresh.take());
    run.outputNumbers.push_back(output);
    return TensorView{run.outputs.back().data(), &type};
  }

  /// The device that runs every part which reads or writes a value, if this is
  /// one device with memory for values; else null.
  DeviceSlot *slotOf(size_t value) const {
    DeviceSlot *only = nullptr;
    for (size_t i = 0; i < variant.parts.size(); ++i) {
      const ProgramPart &part = variant.parts[i];
      auto has = [&](const std::vector<uint32_t> &list) {
        return std::find(list.begin(), list.end(), value) != list.end();
      };
      DeviceSlot *slot = run.instance.programs[run.variant][i].slot;
      if (!has(part.inputs) && !has(part.outputs))
        continue;
      if (!slot->info.hasBuffers || (only && only != slot))
        return nullptr;
      only = slot;
    }
    return only;
  }

  Result<TensorView> onDevice(size_t value, DeviceSlot &slot) {
    auto &buffer = run.buffers->onDevice[value];
    const TensorType &type = run.typeOf(value);
    if (!buffer || buffer->bytes() < type.bytes()) {
      buffer = nullptr; // before the device takes more
      Result<std::unique_ptr<DeviceBuffer>> fresh =
          slot.device->allocate(type.bytes());
      if (!fresh) // without device memory the value lies in host memory
        return own(value);
      buffer = fresh.take();
    }
    return TensorView{nullptr, &type};
  }

  Run &run;
  const Variant &variant;
  const size_t inputs, outputs;
  Tensors bound;                      ///< of the states
  std::span<const StatePlace> places; ///< empty without a session
};

} // namespace

std::vector<TensorType> Variant::typesIn(const SizeValues &sizes) const {
  std::vector<TensorType> result;
  for (size_t value = 0; value < types.size(); ++value)
    result.push_back(sizes.typeOf(*types[value], *lengths[value]));
  return result;
}

Status glow::runtime::prepareRun(Run &run) {
  return Preparation(run).prepare();
}

Result<std::vector<Tensor>>
glow::runtime::outputsOf(Run &run, const Operands &request, int64_t first) {
  if (request.outputShapes)
    *request.outputShapes = run.outputShapes;
  if (!run.outputs.empty() || !request.outputViews.empty())
    if (run.requestCount() == 1 && request.outputViews.empty()) {
      for (size_t i = 0; run.outputShapes.size() && i < run.outputs.size(); ++i)
        if (Status status =
                run.outputs[i].shrink(run.outputShapes[run.outputNumbers[i]]);
            !status.ok())
          return status;
      return std::move(run.outputs);
    }
  const Variant &variant = run.code;
  const size_t inputs = variant.program.inputs.size();
  if (run.isSolo())
    return std::vector<Tensor>(); // the run has written the caller's tensors
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < variant.program.outputs.size(); ++i) {
    TensorType type = run.typeOf(inputs + i);
    const uint64_t rowBytes = type.bytes() / uint64_t(run.rows);
    type.shape[0] = request.rows;
    auto *from = static_cast<const char *>(run.values[inputs + i].data) +
                 rowBytes * uint64_t(mistake(Mistake::MixRows) ? 0 : first);
    const uint64_t bytes = rowBytes * uint64_t(request.rows);
    if (!request.outputViews.empty()) {
      if (bytes)
        std::memcpy(request.outputViews[i].data, from, bytes);
      continue;
    }
    Result<Tensor> tensor = Tensor::zeros(type);
    if (!tensor)
      return tensor.status();
    if (bytes)
      std::memcpy(tensor->data(), from, bytes);
    tensors.push_back(tensor.take());
  }
  return tensors;
}
