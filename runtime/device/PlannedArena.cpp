//===- PlannedArena.cpp - an arena for the sizes of a run -----------------===//
// SPDX-License-Identifier: MIT
//
// Where sizes differ much between runs, a Space has no arena at first. A run
// plans the offsets for its sizes, and takes an arena of that size, which stays
// for later runs. A run that lacks memory takes the arenas of spare Spaces.
// Then it waits for runs that hold planned arenas, and holds none itself, so
// that no two runs wait for each other. Runs that begin meanwhile wait behind
// it.
//
//===----------------------------------------------------------------------===//

#include "StepSpace.h"
#include "glow/Base/MemorySize.h"

using namespace glow;

/// Plans the order of the arena, and prepares the Space of the first runs.
void StepDevice::planRuns(const Program &program, Loaded &loaded,
                          Space &space) {
  loaded.greatestBytes = program.arenaBytes;
  loaded.plan =
      OffsetPlan(*loaded.code, space.runner->ownMemory(loaded.greatestBytes));
  space.places = loaded.plan.places();
}

/// Gives the buffers and lists of a Space the sizes of a run.
Status StepDevice::takeSizes(Entered &run, SizeValues sizes) {
  const Loaded &loaded = *run.loaded;
  Space &space = *run.space;
  Status status = sizes.check(loaded.conditions);
  if (!status.ok())
    return status;
  // Until a step computes another size, those of the run before serve as well.
  sizes.adopt(space.sizes);
  space.isPlaced &= sizes == space.sizes;
  status = setSizes(loaded, sizes, space);
  if (!status.ok() || loaded.plan.empty() || space.isPlaced)
    return status;
  status = placeBuffers(run);
  space.isPlaced = status.ok();
  return status;
}

/// Plans the offsets of a run, and takes an arena for them.
Status StepDevice::placeBuffers(Entered &run) {
  const Loaded &loaded = *run.loaded;
  Space &space = *run.space;
  // A size that a step computes may be greater than that of the run before.
  if (!loaded.computesLengths)
    space.runner->measureOwn(space.places.ownBytes);
  const uint64_t bytes = loaded.plan.place(space.types, space.places);
  if (Status status = growArena(run, bytes); !status.ok())
    return status.prefixed("sizes " + space.sizes.text() + ": ");
  auto *start = static_cast<char *>(space.arena.data());
  const size_t buffers = loaded.code->buffers.size();
  space.own.resize(space.places.ownBytes.size());
  for (auto [source, piece, from] : loaded.plan.parts()) {
    char *at = start + space.places.begins[piece] + from;
    if (source < buffers)
      space.views[source].data = at;
    else
      space.own[source - buffers] = at;
  }
  space.runner->placeOwn(space.own);
  return Status();
}

/// Frees the arenas of spare Spaces whose runs plan; the lock is held.
void StepDevice::freeSpareArenas() {
  for (auto &[id, loaded] : programs)
    if (!loaded->plan.empty())
      for (const std::unique_ptr<Space> &space : loaded->spare) {
        returnArena(*loaded, *space);
        space->arena = Tensor();
        space->isPlaced = false;
      }
}

/// The bytes that freeSpareArenas would free; the lock is held.
uint64_t StepDevice::spareBytes() const {
  uint64_t bytes = 0;
  for (const auto &[id, loaded] : programs)
    for (const std::unique_ptr<Space> &space : loaded->spare)
      bytes += space->arenaBytes;
  return bytes;
}

/// Whether so much memory is unused, if need be after spare arenas are freed;
/// the lock is held.
bool StepDevice::makeRoom(uint64_t bytes) {
  if (bytes > unused())
    freeSpareArenas();
  return bytes <= unused();
}

/// Counts the arena of a Space no more; the lock is held.
void StepDevice::returnArena(Loaded &loaded, Space &space) {
  const uint64_t bytes = std::exchange(space.arenaBytes, 0);
  taken -= bytes;
  loaded.bytes -= bytes;
}

/// Counts the bytes of an arena for a run; with `waits`, as soon as other runs
/// give memory back.
Status StepDevice::takeArena(Entered &run, uint64_t bytes, bool waits) {
  std::unique_lock lock(mutex);
  if (waits && !makeRoom(bytes)) {
    ++starved;
    while (!makeRoom(bytes) && holders)
      ended.wait(lock);
    --starved;
    ended.notify_all(); // runs that wait behind this one
  }
  if (bytes > unused())
    return failure(Code::OutOfMemory, "the values between nodes take ",
                   sizeText(bytes), ", the device has ", sizeText(unused()),
                   " free");
  taken += bytes;
  run.loaded->bytes += bytes;
  run.space->arenaBytes = bytes;
  holders += !std::exchange(run.isHolder, true);
  return Status();
}

void StepDevice::dropArena(Entered &run) {
  run.space->arena = Tensor();
  std::lock_guard lock(mutex);
  returnArena(*run.loaded, *run.space);
  holders -= std::exchange(run.isHolder, false);
  ended.notify_all();
}

/// Makes the arena of a run so large.
Status StepDevice::growArena(Entered &run, uint64_t bytes) {
  Space &space = *run.space;
  if (bytes <= space.arenaBytes)
    return Status();
  // Sizes often grow in small steps.
  const uint64_t more =
      std::min(space.arenaBytes / 2 * 3, run.loaded->greatestBytes);
  dropArena(run);
  auto take = [&](uint64_t size, bool waits) {
    Status status = takeArena(run, size, waits);
    if (!status.ok())
      return status;
    Result<Tensor> arena = Tensor::zeros({ElementKind::U8, {int64_t(size)}});
    if (arena)
      space.arena = arena.take();
    else
      dropArena(run);
    return arena.status();
  };
  if (more > bytes && take(more, false).ok())
    return Status();
  return take(bytes, true);
}
