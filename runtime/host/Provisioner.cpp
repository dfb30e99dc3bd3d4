//===- Provisioner.cpp - placement and removal of copies ------------------===//
// SPDX-License-Identifier: MIT

#include "Provisioner.h"
#include "Core.h"
#include "base/Mistake.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

/// The bytes that all variants of a part take on a device. Constants that the
/// variants share are counted once.
static uint64_t bytesOf(const Model &model, size_t part) {
  std::set<const void *> constants;
  uint64_t bytes = 0;
  for (const std::unique_ptr<Variant> &variant : model.variants) {
    const Program &program = *variant->parts[part].program;
    bytes += program.arenaBytes;
    for (const Constant &constant : program.constants)
      if (!constant.owner || constants.insert(constant.data).second)
        bytes += constant.type.bytes();
  }
  return bytes;
}

/// For each copy, the device of each part. Devices with the most free memory
/// are preferred. A device takes one copy of a model: a second gains nothing.
std::vector<std::vector<Slot *>>
Provisioner::choose(const Model &model, const std::vector<uint64_t> &free,
                    Status &status) const {
  std::vector<uint64_t> left = free;
  std::set<const Slot *> used;
  std::vector<std::vector<Slot *>> copies;
  const unsigned wanted = model.spec.copies ? model.spec.copies : ~0u;
  const std::vector<Part> &parts = model.variants.front()->parts;
  while (copies.size() < wanted) {
    std::vector<Slot *> chosen;
    std::set<const Slot *> ofCopy;
    for (size_t part = 0; part < parts.size(); ++part) {
      const std::string &backend = parts[part].program->backend;
      const std::string &device = parts[part].program->device;
      const uint64_t bytes = bytesOf(model, part);
      Slot *best = nullptr;
      std::string there;
      bool isThere = false; // a good device of the backend exists
      // Each part of a copy gets its own device, where there are enough.
      auto isBetter = [&](const Slot &slot) {
        if (!best || ofCopy.contains(best) != ofCopy.contains(&slot))
          return !best || ofCopy.contains(best);
        return left[slot.index] > left[best->index];
      };
      for (const std::unique_ptr<Slot> &slot : core.slots) {
        if (slot->info.backend != backend || slot->index >= left.size() ||
            (!device.empty() && slot->name != device))
          continue;
        isThere |= slot->state == DeviceState::Good;
        there += (there.empty() ? "" : ", ") + ("'" + slot->name + "' has ") +
                 (slot->state == DeviceState::Good
                      ? std::to_string(left[slot->index]) + " free"
                      : "none, it " + slot->why);
        if (slot->state == DeviceState::Good && !used.contains(slot.get()) &&
            left[slot->index] >= bytes && isBetter(*slot))
          best = slot.get();
      }
      if (!best) {
        if (copies.empty() || model.spec.copies)
          status = failure(there.empty() ? Code::NotFound
                           : isThere     ? Code::OutOfMemory
                                         : Code::DeviceLost,
                           "copy ", copies.size() + 1, " of model '",
                           model.spec.name, "' needs ", bytes, " bytes on ",
                           device.empty() ? "a device" : "'" + device + "'",
                           " of backend '", backend,
                           "': ", there.empty() ? "there is none" : there,
                           used.empty() ? "" : "; each device takes one copy");
        return copies;
      }
      chosen.push_back(best);
      ofCopy.insert(best);
      left[best->index] -= bytes;
    }
    used.insert(ofCopy.begin(), ofCopy.end());
    copies.push_back(std::move(chosen));
  }
  return copies;
}

std::shared_ptr<Copy> Provisioner::makeCopy(const std::shared_ptr<Model> &model,
                                            const std::vector<Slot *> &slots) {
  auto copy = std::make_shared<Copy>();
  copy->model = model;
  copy->spare.resize(model->variants.size());
  for (const std::unique_ptr<Variant> &variant : model->variants) {
    std::vector<Place> places(variant->parts.size());
    for (size_t i = 0; i < places.size(); ++i) {
      places[i].slot = slots[i];
      places[i].time = model->spec.predicted / int64_t(places.size());
    }
    copy->places.push_back(std::move(places));
  }
  for (Slot *slot : slots)
    if (std::ranges::find(copy->slots, slot) == copy->slots.end()) {
      copy->slots.push_back(slot);
      slot->copies.push_back(copy);
    }
  copy->loadsLeft = unsigned(copy->slots.size());
  model->copies.push_back(copy);
  return copy;
}

/// Unloads the least recently used idle model, if `model` may evict others;
/// false if there is none.
bool Provisioner::evictFor(Model &model) {
  if (!model.spec.evictsOthers)
    return false;
  std::shared_ptr<Model> oldest;
  auto isIdle = [](const auto &copy) { return copy->running == 0; };
  for (const std::shared_ptr<Model> &other : core.ring)
    if (other.get() != &model && other->state == Model::Serving &&
        other->queue.empty() && !other->copies.empty() &&
        std::ranges::all_of(other->copies, isIdle) &&
        (!oldest || other->lastUse < oldest->lastUse))
      oldest = other;
  if (!oldest)
    return false;
  oldest->evictedFor = uint64_t(model.id);
  oldest->state = Model::Leaving;
  leave(*oldest);
  return true;
}

void Provisioner::provision(const std::shared_ptr<Core> &core,
                            const std::shared_ptr<Model> &model) {
  // The lock is taken twice, because Device::freeBytes is called without it. A
  // device that is added in between has no entry in `free`, and is not chosen.
  std::vector<std::shared_ptr<Device>> devices;
  {
    Core::Entry entry(core);
    for (const std::unique_ptr<Slot> &slot : core->slots)
      devices.push_back(slot->device);
  }
  std::vector<uint64_t> free;
  for (const std::shared_ptr<Device> &device : devices)
    free.push_back(device ? device->freeBytes() : 0);
  std::vector<std::shared_ptr<Copy>> copies;
  {
    Core::Entry entry(core);
    if (model->state != Model::Loading) // unloaded meanwhile
      return;
    Status status;
    auto chosen = core->provisioner.choose(*model, free, status);
    if (!status.ok()) {
      if (status.code() == Code::OutOfMemory &&
          core->provisioner.evictFor(*model)) {
        // The memory is free after the deferred unload calls of this Entry:
        // another task tries again.
        core->workers->post([core, model] { provision(core, model); });
        return;
      }
      return core->provisioner.modelLoaded(*model, status);
    }
    for (const std::vector<Slot *> &slots : chosen)
      copies.push_back(core->provisioner.makeCopy(model, slots));
  }
  for (const std::shared_ptr<Copy> &copy : copies)
    loadCopy(core, copy);
}

/// A copy cannot be loaded: a new model fails, a served one loses the copy.
void Provisioner::failed(const std::shared_ptr<Copy> &copy,
                         const Status &status) {
  Model &model = *copy->model;
  if (model.state == Model::Loading)
    modelLoaded(model, status);
  else
    removeCopy(copy);
}

/// Whether requests to one model can go to the other one.
static bool takesTheSame(const Model &one, const Model &other) {
  auto isSame = [](const Binding &a, const Binding &b) {
    return a.name == b.name && a.type == b.type;
  };
  auto isSameBatch = [](const auto &a, const auto &b) {
    return a->batch == b->batch;
  };
  return one.spec.mayPad == other.spec.mayPad &&
         std::ranges::equal(one.inputs(), other.inputs(), isSame) &&
         std::ranges::equal(one.outputs(), other.outputs(), isSame) &&
         std::ranges::equal(one.variants, other.variants, isSameBatch);
}

/// Forwards later requests of an older version to a newer one, and removes the
/// older one after its own requests.
void Provisioner::replace(std::shared_ptr<Model> older,
                          std::shared_ptr<Model> newer) {
  if (takesTheSame(*older, *newer)) {
    for (auto &[old, next] : core.replaced)
      if (next == older->id)
        next = newer->id;
    core.replaced[uint64_t(older->id)] = newer->id;
  }
  older->state = Model::Leaving;
  leave(*older);
}

/// Ends the state Loading: Serving after a success, else Leaving.
void Provisioner::modelLoaded(Model &model, Status status) {
  auto told = std::exchange(model.whenLoaded, nullptr);
  std::shared_ptr<Model> self = core.find(model.id);
  if (status.ok()) {
    model.state = Model::Serving;
    std::shared_ptr<Model> &newest = core.newest[model.spec.name];
    const bool isReplaced =
        newest && newest->state == Model::Serving && !model.spec.name.empty();
    // Of two versions that load at once, the one that was added later stays.
    std::shared_ptr<Model> older = self;
    if (!isReplaced || newest->id < model.id)
      older = std::exchange(newest, self);
    if (isReplaced)
      replace(older, newest);
  } else {
    model.state = Model::Leaving;
    leave(model);
  }
  if (told)
    core.later([told, status, id = model.id] {
      told(status.ok() ? Result<ModelId>(id) : Result<ModelId>(status));
    });
}

void Provisioner::leave(Model &model) {
  if (!model.queue.empty())
    return;
  // A copy of the list: leaveIfIdle() erases entries.
  std::vector<std::shared_ptr<Copy>> copies = model.copies;
  for (const std::shared_ptr<Copy> &copy : copies) {
    if (copy->state == Copy::Gone)
      continue;
    copy->state = Copy::Leaving;
    leaveIfIdle(copy);
  }
  // A busy copy calls this again through leaveIfIdle().
  if (!model.copies.empty() || model.state == Model::Gone)
    return;
  model.state = Model::Gone;
  std::shared_ptr<Model> self = core.models[uint64_t(model.id)];
  core.models.erase(uint64_t(model.id));
  std::erase(core.ring, self);
  if (auto found = core.newest.find(model.spec.name);
      found != core.newest.end() && found->second == self)
    core.newest.erase(found);
  core.workers->cancel(model.collecting);
  // The last reference goes after the Entry: large constants are freed without
  // the lock.
  core.later([self] {});
}

/// Whether a device runs a part of a copy. The run of that part may be over,
/// because another device was lost.
static bool isBusy(const Copy &copy) {
  auto isOfCopy = [&](const auto &task) {
    return task->run->copy.get() == &copy;
  };
  return copy.running || std::ranges::any_of(copy.slots, [&](const Slot *slot) {
           return std::ranges::any_of(slot->active, isOfCopy);
         });
}

void Provisioner::leaveIfIdle(const std::shared_ptr<Copy> &copy) {
  if (copy->state != Copy::Leaving ||
      (isBusy(*copy) && !mistake(Mistake::LeaveAtOnce)))
    return;
  removeCopy(copy);
  std::shared_ptr<Model> model = copy->model;
  if (model->state == Model::Leaving)
    leave(*model);
}

void Provisioner::stay(const std::shared_ptr<Copy> &copy) {
  if (copy->state != Copy::Leaving)
    return;
  copy->state = Copy::Waiting;
  advance(copy);
}

void Provisioner::removeCopy(const std::shared_ptr<Copy> &copy) {
  copy->state = Copy::Gone;
  // A part that loads now is unloaded when its load call ends (loadedOn).
  for (Slot *slot : copy->slots) {
    std::erase(slot->copies, copy);
    core.markDirty(*slot);
  }
  std::erase(copy->model->copies, copy);
  for (std::vector<Place> &variant : copy->places)
    for (Place &place : variant)
      if (std::exchange(place.state, Place::Absent) == Place::Loaded &&
          !mistake(Mistake::ForgetMemory))
        core.later([device = place.slot->device, id = place.program] {
          device->unload(id);
        });
}
