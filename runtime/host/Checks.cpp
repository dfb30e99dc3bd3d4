//===- Checks.cpp - runs that were right, repeated ------------------------===//
//
// The first copy of a model makes, with inputs that are given or made up, what
// later copies and devices that came back are held to.
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include "base/Mistake.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

/// Repeats, on a device that came back, what was right before.
void Provisioner::checkSlot(Slot &slot) {
  std::vector<std::shared_ptr<Copy>> copies;
  for (const std::shared_ptr<Copy> &copy : slot.copies) {
    const Variant &variant = *copy->model->variants.front();
    auto isLoaded = [&](const Place &place) {
      return place.slot != &slot || place.state == Place::Loaded;
    };
    if (variant.canary.size() == variant.types.size() &&
        copy->model->spec.hasCanary && !mistake(Mistake::SkipTheCanary) &&
        std::ranges::all_of(copy->places[0], isLoaded))
      copies.push_back(copy);
  }
  slot.checksLeft = unsigned(copies.size());
  if (copies.empty())
    return becomeGood(slot);
  for (const std::shared_ptr<Copy> &copy : copies) {
    auto run = std::make_shared<Run>();
    run->kind = Run::Check;
    run->copy = copy;
    run->checked = &slot;
    run->epoch = slot.epoch;
    ++slot.counters.checks;
    core.executor.start(run);
  }
}

void Provisioner::becomeGood(Slot &slot) {
  slot.state = DeviceState::Good;
  slot.why.clear();
  std::vector<std::shared_ptr<Copy>> copies = slot.copies;
  for (const std::shared_ptr<Copy> &copy : copies)
    if (copy->state == Copy::Waiting)
      advance(copy);
  if (std::ranges::all_of(slot.copies, &Copy::isChecked))
    slot.failures = 0;
  core.markDirty(slot);
}

/// The next step of a copy towards being ready.
void Provisioner::advance(const std::shared_ptr<Copy> &copy) {
  Model &model = *copy->model;
  if (copy->state == Copy::Leaving || copy->state == Copy::Gone)
    return;
  copy->state = Copy::Waiting;
  for (Slot *slot : copy->slots)
    if (slot->state != DeviceState::Good)
      return;
  auto isAbsent = [](const Place &place) {
    return place.state != Place::Loaded;
  };
  for (const std::vector<Place> &variant : copy->places)
    if (std::ranges::any_of(variant, isAbsent)) {
      // It was to be loaded while its device was lost.
      copy->state = Copy::Loading;
      copy->loadsLeft = unsigned(copy->slots.size());
      core.workers->post([weak = core.weak_from_this(), copy] {
        if (std::shared_ptr<Core> core = weak.lock())
          loadCopy(core, copy);
      });
      return;
    }
  if (!copy->isChecked && model.spec.hasCanary && startCheck(copy))
    return;
  copy->isChecked = true;
  copy->state = Copy::Ready;
  for (Slot *slot : copy->slots)
    slot->failures = 0;
  auto isReady = [](const auto &one) { return one->state == Copy::Ready; };
  if (model.state == Model::Loading &&
      std::ranges::all_of(model.copies, isReady))
    modelLoaded(model, Status());
  core.scheduler.wake(model);
}

/// Runs the next variant of a new copy; false if there is none. One copy of a
/// model after the other, as the first makes what the others are held to.
bool Provisioner::startCheck(const std::shared_ptr<Copy> &copy) {
  Model &model = *copy->model;
  while (copy->nextCheck < model.variants.size() &&
         model.variants[copy->nextCheck]->noCanary)
    ++copy->nextCheck;
  if (copy->nextCheck == model.variants.size())
    return false;
  copy->state = Copy::Checking;
  if (std::exchange(model.isChecking, true))
    return true;
  auto run = std::make_shared<Run>();
  run->kind = Run::Check;
  run->copy = copy;
  run->variant = copy->nextCheck;
  for (Slot *slot : copy->slots)
    ++slot->counters.checks, run->epoch += slot->epoch;
  core.executor.start(run);
  return true;
}

/// Whether the values that a check wrote are those of its canary, or, of the
/// first, what was given.
Status Provisioner::compareValues(const Run &run) {
  const Model &model = *run.copy->model;
  const Variant &variant = *model.variants[run.variant];
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

void Provisioner::checked(const std::shared_ptr<Run> &run) {
  // Results are compared without the lock, and meanwhile the device may be
  // lost.
  core.later([weak = core.weak_from_this(), run] {
    std::shared_ptr<Core> core = weak.lock();
    if (!core)
      return;
    Status status = run->status;
    std::vector<Tensor> values;
    const Variant &variant = *run->copy->model->variants[run->variant];
    if (status.ok())
      status = compareValues(*run);
    if (status.ok() && !run->checked &&
        variant.canary.size() < variant.types.size())
      for (const TensorView &view : run->values)
        if (Result<Tensor> copy = Tensor::copyOf(view))
          values.push_back(copy.take());
    Core::Entry entry(core);
    if (run->checked)
      core->provisioner.slotChecked(*run, status);
    else
      core->provisioner.copyChecked(*run, status, std::move(values));
  });
}

void Provisioner::slotChecked(const Run &run, const Status &status) {
  Slot &slot = *run.checked;
  if (run.epoch != slot.epoch)
    return;
  if (!status.ok())
    core.executor.fault(slot, "failed its check: " + status.message());
  else if (--slot.checksLeft == 0)
    becomeGood(slot);
}

void Provisioner::copyChecked(const Run &run, const Status &status,
                              std::vector<Tensor> values) {
  const std::shared_ptr<Copy> copy = run.copy;
  Model &model = *copy->model;
  Variant &variant = *model.variants[run.variant];
  model.isChecking = false;
  uint64_t epoch = 0;
  for (Slot *slot : copy->slots)
    epoch += slot->epoch;
  const bool isFirst = variant.canary.size() < variant.types.size();
  if (epoch == run.epoch && status.ok()) {
    if (isFirst && values.size() == variant.types.size())
      variant.canary = std::move(values);
    else if (isFirst)
      variant.noCanary = true;
    ++copy->nextCheck;
  } else if (epoch == run.epoch && run.status.ok()) {
    // One of its devices is wrong; of several, their own checks say which.
    for (Slot *slot : copy->slots)
      if (copy->slots.size() == 1 || isFirst) {
        core.executor.fault(*slot, "failed its check: " + status.message());
      } else {
        slot->state = DeviceState::Suspect;
        slot->why = "is being checked";
        if (copy->state == Copy::Checking)
          copy->state = Copy::Waiting;
        checkSlot(*slot);
      }
  } else if (epoch == run.epoch && isFirst) {
    variant.noCanary = true; // such inputs make no sense to it
  } else if (epoch == run.epoch) {
    core.executor.fault(*copy->slots.front(),
                        "failed its check: " + status.message());
  }
  std::vector<std::shared_ptr<Copy>> copies = model.copies;
  for (const std::shared_ptr<Copy> &other : copies)
    if (other->state == Copy::Checking)
      advance(other);
}

Status glow::runtime::makeCanaryInputs(Variant &variant, const ModelSpec &spec,
                                       bool isFirst) {
  const Program &program = variant.program;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    if (isFirst && i < spec.canaryInputs.size() &&
        spec.canaryInputs[i].type() != program.inputs[i].type)
      return failure(Code::ShapeMismatch, "input '", program.inputs[i].name,
                     "' of the canary is ", spec.canaryInputs[i].type().text(),
                     ", it should be ", program.inputs[i].type.text());
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
  return Status();
}
