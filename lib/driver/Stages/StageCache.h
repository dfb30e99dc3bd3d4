//===- StageCache.h - stages that were compiled -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_STAGES_STAGECACHE_H
#define GLOW_LIB_STAGES_STAGECACHE_H

#include "glow/Importer/ModelGraph.h"
#include "glow/Runtime/Host.h"
#include <list>

namespace glow {

/// The next step of a graph after some nodes: a program, or the nodes that
/// wait.
struct CompiledStage {
  std::vector<ImportedStage::Looked> looked;
  std::vector<Constant> assumed;
  std::vector<std::string> inputs, outputs; ///< in the program's order
  std::vector<TensorType> outputTypes;
  std::vector<int> nodes;             ///< that the program computes
  std::map<int, std::string> waiting; ///< see ImportedStage
  std::string refused;
  std::optional<NetworkId> network; ///< nullopt when nothing can be compiled

  /// Whether the stage was compiled for the types, and the values, of a frame.
  bool takesTypes(const GraphFrame &frame) const;
  bool takesValues(const GraphFrame &frame) const;
};

/// The most recently used stages, loaded by a host, which the cache must not
/// outlive.
class StageCache {
public:
  explicit StageCache(Host &host) : host(host) {}
  ~StageCache();
  StageCache(const StageCache &) = delete;
  StageCache &operator=(const StageCache &) = delete;

  /// The stage for the remaining nodes of a frame; null when it must be
  /// compiled. Valid until the next `add`.
  const CompiledStage *find(const GraphFrame &frame);

  /// The number of stages that differ only in their assumed values.
  size_t variants(const GraphFrame &frame) const;

  const CompiledStage &add(const GraphFrame &frame, CompiledStage stage);

  /// Frees the memory of all stages except the newest.
  void shrink();

private:
  struct Entry {
    const ModelGraph *graph;
    std::vector<bool> done;
    CompiledStage stage;
    bool isAt(const GraphFrame &frame) const {
      return graph == frame.graph && done == frame.done;
    }
  };
  void dropLast();

  Host &host;
  std::list<Entry> entries; ///< the one used last first
};

} // namespace glow

#endif // GLOW_LIB_STAGES_STAGECACHE_H
