//===- LoadedPrograms.h - programs that a host keeps ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_SESSION_LOADEDPROGRAMS_H
#define GLOW_SESSION_LOADEDPROGRAMS_H

#include "glow/Runtime/Host.h"
#include "glow/Values/MemoryBudget.h"
#include <algorithm>
#include <list>
#include <optional>

namespace glow {

/// A program of a list below.
struct LoadedProgram {
  std::optional<ModelId> model = {}; ///< on the host; nullopt without a program
  MemoryBudget::Share values = {};   ///< its `valueBytes`, if they count
};

/// Bytes of a program besides those of its device: constants, inputs and
/// outputs, but for those whose sizes a run gives.
inline uint64_t valueBytes(const Program &program) {
  uint64_t bytes = program.constantBytes();
  for (const std::vector<Binding> *list : {&program.inputs, &program.outputs})
    for (const Binding &value : *list)
      if (value.lengths.empty())
        bytes += value.type.bytes();
  return bytes;
}

/// The most recently used programs of a model on a host, which outlives the
/// list. `Entry` is a LoadedProgram with the properties for which it was
/// compiled.
template <typename Entry> class LoadedPrograms {
public:
  /// Keeps at most `most` entries. Their values count in `budget`, if it is not
  /// null.
  LoadedPrograms(Host &host, size_t most, const MemoryBudget *budget = nullptr)
      : host(host), most(most), budget(budget) {}
  ~LoadedPrograms() {
    while (!entries.empty())
      dropLast();
  }
  LoadedPrograms(const LoadedPrograms &) = delete;
  LoadedPrograms &operator=(const LoadedPrograms &) = delete;

  /// The entry that was used last. An entry is valid until the next `add`.
  const Entry &front() const { return entries.front(); }

  /// The most recently used entry that fits, which becomes the first; null
  /// without one.
  template <typename Fits> const Entry *find(Fits fits) {
    auto found = std::ranges::find_if(entries, fits);
    if (found == entries.end())
      return nullptr;
    entries.splice(entries.begin(), entries, found);
    return &entries.front();
  }

  template <typename Fits> size_t count(Fits fits) const {
    return size_t(std::ranges::count_if(entries, fits));
  }

  /// Loads the program of an entry, if it has one, and makes the entry the
  /// first. Drops the least recently used entries, as many as `most` demands,
  /// and then as many as the device needs for memory. Fails as Host::load and
  /// MemoryBudget::take do.
  Status add(Entry entry, const Program *program) {
    // Dropped before the new program is loaded, which may need the memory.
    while (entries.size() >= most)
      dropLast();
    Status status = load(entry, program);
    while (status.code() == Code::OutOfMemory && !entries.empty()) {
      dropLast();
      status = load(entry, program);
    }
    if (status.ok())
      entries.push_front(std::move(entry));
    return status;
  }

private:
  Status load(LoadedProgram &entry, const Program *program) {
    if (!program)
      return Status();
    std::optional<MemoryBudget::Use> use;
    MemoryBudget::Share values;
    if (budget) {
      use.emplace(*budget);
      Result<MemoryBudget::Share> share =
          MemoryBudget::take(valueBytes(*program));
      if (!share)
        return share.status();
      values = share.take();
    }
    Result<ModelId> loaded = host.load(*program);
    if (loaded)
      entry.model = *loaded, entry.values = std::move(values);
    return loaded.status();
  }

  void dropLast() {
    if (entries.back().model)
      host.unload(*entries.back().model);
    entries.pop_back();
  }

  Host &host;
  const size_t most;
  const MemoryBudget *budget;
  std::list<Entry> entries; ///< the one used last first
};

} // namespace glow

#endif // GLOW_SESSION_LOADEDPROGRAMS_H
