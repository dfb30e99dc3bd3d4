//===- Health.cpp - devices that are lost, and come back ------------------===//
//
// A device that was lost is loaded again after a while, which doubles with each
// failure. Before it is believed, each copy on it repeats a run that was right:
// its own parts, on the values of then. The lock is not held while devices load
// and results are compared.
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include "Mistake.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

std::string_view glow::name(DeviceState state) {
  return state == DeviceState::Good      ? "good"
         : state == DeviceState::Suspect ? "suspect"
                                         : "lost";
}

bool Provisioner::hasHope(const Model &model) const {
  auto isHopeless = [&](const Slot *slot) {
    return slot->state == DeviceState::Lost &&
           slot->failures > core.options.patience;
  };
  return std::ranges::any_of(model.copies, [&](const auto &copy) {
    return std::ranges::none_of(copy->slots, isHopeless);
  });
}

Status Provisioner::hopeless(const Model &model) const {
  std::string why;
  for (const std::shared_ptr<Copy> &copy : model.copies)
    for (const Slot *slot : copy->slots)
      if (slot->state == DeviceState::Lost)
        why += (why.empty() ? "" : "; ") + ("device '" + slot->name + "' ") +
               slot->why;
  return Status(Code::DeviceLost, why);
}

void Provisioner::lost(Slot &slot) {
  for (const std::shared_ptr<Copy> &copy : slot.copies) {
    for (std::vector<Place> &variant : copy->places)
      for (Place &place : variant)
        if (place.slot == &slot && place.state == Place::Loaded) {
          slot.stale.push_back(place.program);
          place.state = Place::Absent;
        }
    for (auto &spare : copy->spare)
      spare.clear();
    if (copy->state == Copy::Ready || copy->state == Copy::Checking)
      copy->state = Copy::Waiting;
  }
  schedule(slot);
}

void Provisioner::schedule(Slot &slot) {
  ++slot.failures;
  if (core.isClosed || (slot.failures > 1 && mistake(Mistake::OneRetry)))
    return;
  const unsigned doublings = std::min(slot.failures - 1, 20u);
  Duration wait = std::min(core.options.backOff * (int64_t(1) << doublings),
                           core.options.backOffMost);
  wait += Duration(int64_t(core.chance() % uint64_t(wait.count() / 2 + 1)));
  slot.retry = core.workers->postAt(
      core.now() + wait, [weak = core.weak_from_this(), &slot] {
        if (std::shared_ptr<Core> core = weak.lock())
          recover(core, slot);
      });
  if (slot.failures <= core.options.patience)
    return;
  std::vector<std::shared_ptr<Copy>> copies = slot.copies;
  for (const std::shared_ptr<Copy> &copy : copies)
    if (!hasHope(*copy->model)) {
      Status status = hopeless(*copy->model);
      core.scheduler.failWaiting(*copy->model, status);
      if (copy->model->state == Model::Loading)
        modelLoaded(*copy->model, status);
    }
}

void Provisioner::mayRecover(Slot &slot) {
  if (!std::exchange(slot.waitsForRuns, false))
    return;
  core.workers->post([weak = core.weak_from_this(), &slot] {
    if (std::shared_ptr<Core> core = weak.lock())
      recover(core, slot);
  });
}

void Provisioner::stateChanged(const std::shared_ptr<Core> &core, Slot &slot) {
  std::shared_ptr<Device> device;
  {
    std::lock_guard lock(core->mutex);
    device = slot.device;
  }
  const DeviceState state = device ? device->state() : DeviceState::Lost;
  Core::Entry entry(core);
  if (core->isClosed)
    return;
  // One that is suspect was lost since it was asked last.
  if (state != DeviceState::Good)
    core->executor.fault(slot, "is out of reach");
  // Sooner than the wait would end, which grew while it was away.
  if (state != DeviceState::Lost && slot.state == DeviceState::Lost)
    core->workers->post([weak = std::weak_ptr(core), &slot] {
      if (std::shared_ptr<Core> core = weak.lock())
        recover(core, slot);
    });
}

static Status resetOf(Device &device) {
  try {
    return device.state() == DeviceState::Lost
               ? Status(Code::DeviceLost, "is out of reach")
               : device.reset();
  } catch (const std::exception &error) {
    return failure(Code::DeviceLost, "threw: ", error.what());
  } catch (...) {
    return Status(Code::DeviceLost, "threw");
  }
}

void Provisioner::recover(const std::shared_ptr<Core> &core, Slot &slot) {
  std::vector<Loading> loads;
  std::vector<ProgramId> stale;
  std::shared_ptr<Device> device;
  bool runs;
  {
    Core::Entry entry(core);
    if (slot.state != DeviceState::Lost || slot.isRecovering || core->isClosed)
      return;
    slot.isRecovering = true;
    core->workers->cancel(std::exchange(slot.retry, TimerId::None));
    device = slot.device;
    runs = !slot.lost.empty();
    stale = std::exchange(slot.stale, {});
    for (const std::shared_ptr<Copy> &copy : slot.copies)
      if (copy->state != Copy::Leaving) {
        auto more = core->provisioner.loadsOf(copy, slot);
        loads.insert(loads.end(), more.begin(), more.end());
      }
  }
  Status status = resetOf(*device);
  const bool wasReset = status.ok();
  if (!wasReset && !runs && status.code() == Code::Unsupported) {
    for (ProgramId id : stale)
      device->unload(id);
    stale.clear();
    status = Status();
  }
  std::vector<ProgramId> ids;
  if (status.ok())
    status = loadOn(loads, *device, ids);

  Core::Entry entry(core);
  slot.isRecovering = false;
  if (wasReset)
    core->executor.forgetLost(slot);
  else
    slot.stale = stale;
  std::vector<ProgramId> unwanted;
  for (size_t i = 0; i < loads.size(); ++i) {
    Place &place = loads[i].copy->places[loads[i].variant][loads[i].part];
    const bool isWanted = place.state == Place::Loading;
    if (isWanted)
      place.state = status.ok() ? Place::Loaded : Place::Absent;
    if (isWanted && status.ok())
      place.program = ids[i];
    else if (status.ok())
      unwanted.push_back(ids[i]);
  }
  if (!unwanted.empty())
    core->later([device, unwanted] {
      for (ProgramId id : unwanted)
        device->unload(id);
    });
  if (!status.ok()) {
    slot.waitsForRuns = status.code() == Code::Unsupported;
    slot.why = "cannot be loaded again: " + status.message();
    return core->provisioner.schedule(slot);
  }
  slot.state = DeviceState::Suspect;
  slot.why = "is being checked";
  core->provisioner.checkSlot(slot);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Inputs of checks
//===----------------------------------------------------------------------===//

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
