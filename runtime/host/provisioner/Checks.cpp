//===- Checks.cpp - runs that were right, repeated ------------------------===//
// SPDX-License-Identifier: MIT
//
// The first copy of a model runs on given or made-up inputs and so makes the
// reference values. Later copies and recovered devices must repeat them.
// Functions here run under the lock, except in checked() and compareValues().
//
//===----------------------------------------------------------------------===//

#include "Provisioner.h"
#include "base/Mistake.h"
#include "glow/Runtime/Compare.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

/// Starts a check of each copy on a device that was loaded again. The device
/// becomes good when all of them have passed, or if there are none.
void Provisioner::checkSlot(DeviceSlot &slot) {
  std::vector<std::shared_ptr<ModelCopy>> copies;
  for (const std::shared_ptr<ModelCopy> &copy : healthOf(slot).copies) {
    const Variant &variant = *copy->model->variants.front();
    auto isLoaded = [&](const DeviceProgram &program) {
      return program.slot != &slot || program.state == ProgramState::Loaded;
    };
    if (variant.canary.size() == variant.types.size() &&
        copy->model->spec.hasCanary && !mistake(Mistake::SkipTheCanary) &&
        std::ranges::all_of(copy->programs[0], isLoaded))
      copies.push_back(copy);
  }
  healthOf(slot).checksLeft = unsigned(copies.size());
  if (copies.empty())
    return becomeGood(slot);
  for (const std::shared_ptr<ModelCopy> &copy : copies) {
    auto check = std::make_shared<Check>(copy, 0, &slot);
    check->epoch = slot.epoch;
    executor.start(check);
  }
}

/// Ends the recovery of a device: Suspect becomes Good.
void Provisioner::becomeGood(DeviceSlot &slot) {
  executor.judge(slot, DeviceState::Good, "");
  // A copy of the list: advance() may erase entries.
  std::vector<std::shared_ptr<ModelCopy>> copies = healthOf(slot).copies;
  for (const std::shared_ptr<ModelCopy> &copy : copies)
    if (copy->state == CopyState::Waiting)
      advance(copy);
  if (std::ranges::all_of(healthOf(slot).copies, &ModelCopy::isChecked))
    healthOf(slot).failures = 0;
  executor.wake(slot);
}

/// Takes the next step of a copy towards Ready: waits for its devices, loads
/// absent parts, runs its check. The end of each step calls advance() again.
void Provisioner::advance(const std::shared_ptr<ModelCopy> &copy) {
  ServedModel &model = *copy->model;
  if (copy->state == CopyState::Leaving || copy->state == CopyState::Gone)
    return;
  copy->state = CopyState::Waiting;
  for (DeviceSlot *slot : copy->slots)
    if (slot->state != DeviceState::Good)
      return;
  auto isAbsent = [](const DeviceProgram &program) {
    return program.state != ProgramState::Loaded;
  };
  for (const std::vector<DeviceProgram> &variant : copy->programs)
    if (std::ranges::any_of(variant, isAbsent)) {
      // The device was lost when the part was to be loaded. Posted, because
      // loadCopy() needs the lock to be free.
      copy->state = CopyState::Loading;
      copy->loadsLeft = unsigned(copy->slots.size());
      monitor.workers->post(
          monitor.whileAlive([this, copy] { loadCopy(copy); }));
      return;
    }
  if (!copy->isChecked && model.spec.hasCanary && startCheck(copy))
    return;
  copy->isChecked = true;
  copy->state = CopyState::Ready;
  for (DeviceSlot *slot : copy->slots)
    healthOf(*slot).failures = 0;
  if (model.state == ModelState::Loading &&
      std::ranges::all_of(model.copies, &ModelCopy::isReady))
    modelLoaded(model, Status());
  events.onReady(model);
}

/// Starts the check of the next variant of a new copy; false if none is left.
/// The copies of a model are checked one after the other, because the first one
/// makes the reference values. A copy in Checking may so wait for its turn:
/// copyChecked() calls advance() for it.
bool Provisioner::startCheck(const std::shared_ptr<ModelCopy> &copy) {
  ServedModel &model = *copy->model;
  while (copy->nextCheck < model.variants.size() &&
         model.variants[copy->nextCheck]->noCanary)
    ++copy->nextCheck;
  if (copy->nextCheck == model.variants.size())
    return false;
  copy->state = CopyState::Checking;
  if (std::exchange(model.isChecking, true))
    return true;
  auto check = std::make_shared<Check>(copy, copy->nextCheck, nullptr);
  for (DeviceSlot *slot : copy->slots)
    check->epoch += slot->epoch;
  executor.start(check);
  return true;
}

/// Compares the values that a check wrote with its canary, or, if this is the
/// first check, with the outputs that the spec gives. Needs no lock: the canary
/// is only written by copyChecked(), and one check of a new copy runs at a
/// time.
Status Provisioner::compareValues(const Check &run) {
  const ServedModel &model = *run.copy->model;
  const Variant &variant = run.code;
  const size_t inputs = variant.program.inputs.size();
  const bool isKnown = variant.canary.size() == variant.types.size();
  for (size_t i = inputs; i < run.values.size(); ++i) {
    const Tensor *expected = isKnown ? &variant.canary[i] : nullptr;
    if (!isKnown && run.variant == 0 &&
        i - inputs < model.spec.canaryOutputs.size())
      expected = &model.spec.canaryOutputs[i - inputs];
    if (!expected || expected->data() == run.values[i].data)
      continue;
    Result<Difference> found = compare(run.values[i], expected->view(), {});
    Status status = verdict(std::to_string(i - inputs), found);
    if (!status.ok())
      return status;
  }
  return Status();
}

void Provisioner::checked(const std::shared_ptr<Check> &check) {
  // Results are compared after the Entry, without the lock. The device may be
  // lost meanwhile: slotChecked() and copyChecked() compare epochs.
  monitor.later([this, check] {
    Status status = check->status;
    std::vector<Tensor> values;
    const Variant &variant = check->code;
    if (status.ok())
      status = compareValues(*check);
    if (status.ok() && !check->checked &&
        variant.canary.size() < variant.types.size())
      for (const TensorView &view : check->values)
        if (Result<Tensor> copy = Tensor::copyOf(view))
          values.push_back(copy.take());
    Monitor::Entry entry(monitor);
    if (check->checked)
      slotChecked(*check, status);
    else
      copyChecked(*check, status, std::move(values));
  });
}

/// Records the check of a recovered device.
void Provisioner::slotChecked(const Check &check, const Status &status) {
  DeviceSlot &slot = *check.checked;
  if (check.epoch != slot.epoch) // lost since: another recovery checks it
    return;
  if (!status.ok())
    executor.fault(slot, "failed its check: " + status.message());
  else if (--healthOf(slot).checksLeft == 0)
    becomeGood(slot);
}

/// Records the check of a new copy. `values` is empty unless this was the first
/// check of the variant. A changed epoch sum leaves the result unused, and the
/// copy is checked again.
void Provisioner::copyChecked(const Check &check, const Status &status,
                              std::vector<Tensor> values) {
  const std::shared_ptr<ModelCopy> copy = check.copy;
  ServedModel &model = *copy->model;
  Variant &variant = *model.variants[check.variant];
  model.isChecking = false;
  uint64_t epoch = 0;
  for (DeviceSlot *slot : copy->slots)
    epoch += slot->epoch;
  const bool isFirst = variant.canary.size() < variant.types.size();
  if (epoch == check.epoch && status.ok()) {
    if (isFirst && values.size() == variant.types.size())
      variant.canary = std::move(values);
    else if (isFirst)
      variant.noCanary = true;
    ++copy->nextCheck;
  } else if (epoch == check.epoch && check.status.ok()) {
    // The values are wrong. With several devices, a check of each device alone
    // finds the wrong one.
    for (DeviceSlot *slot : copy->slots)
      if (copy->slots.size() == 1 || isFirst) {
        executor.fault(*slot, "failed its check: " + status.message());
      } else {
        executor.judge(*slot, DeviceState::Suspect, "is being checked");
        if (copy->state == CopyState::Checking)
          copy->state = CopyState::Waiting;
        checkSlot(*slot);
      }
  } else if (epoch == check.epoch && isFirst) {
    variant.noCanary = true; // the program refuses such inputs
  } else if (epoch == check.epoch) {
    executor.fault(*copy->slots.front(),
                   "failed its check: " + status.message());
  }
  std::vector<std::shared_ptr<ModelCopy>> copies = model.copies;
  for (const std::shared_ptr<ModelCopy> &other : copies)
    if (other->state == CopyState::Checking)
      advance(other);
}

/// Made-up inputs have the greatest sizes: these take the longest, and use all
/// of the memory.
Status glow::runtime::makeCanaryInputs(Variant &variant, const ModelSpec &spec,
                                       bool isFirst) {
  const Program &program = variant.program;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const Binding &input = program.inputs[i];
    auto assumed =
        std::ranges::find(program.assumed, input.name, &Constant::name);
    Result<Tensor> tensor =
        assumed != program.assumed.end()
            ? Tensor::copyOf({const_cast<void *>(assumed->data), // only read
                              &assumed->type})
        : isFirst && i < spec.canaryInputs.size()
            ? Tensor::copyOf(spec.canaryInputs[i].view())
            : Tensor::zeros(input.type);
    if (!tensor)
      return tensor.status();
    const bool isMade = assumed == program.assumed.end() &&
                        !(isFirst && i < spec.canaryInputs.size());
    if (isMade && input.type.kind == ElementKind::F32) {
      uint32_t state = 1;
      for (float &element : tensor->elements<float>()) {
        state = state * 1664525 + 1013904223;
        element = float(state >> 8) / float(1 << 24);
      }
    } else if (isMade && (input.type.kind == ElementKind::I32 ||
                          input.type.kind == ElementKind::I64)) {
      const uint64_t size = uint64_t(byteSize(input.type.kind));
      for (int64_t e = 1; e < input.type.elements(); e += 2)
        static_cast<char *>(tensor->data())[uint64_t(e) * size] = 1;
    }
    variant.canary.push_back(tensor.take());
  }
  std::vector<TensorView> views;
  for (const Tensor &tensor : variant.canary)
    views.push_back(tensor.view());
  Result<SizeValues> sizes = sizesOf(program, views);
  // The greatest sizes of two inputs may contradict each other.
  variant.noCanary = !sizes && variant.isOpen() && spec.canaryInputs.empty();
  if (!sizes && !variant.noCanary)
    return sizes.status().prefixed("the canary: ");
  if (sizes)
    variant.canarySizes = sizes.take();
  return Status();
}
