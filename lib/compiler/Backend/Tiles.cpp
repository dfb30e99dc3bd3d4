//===- Tiles.cpp - tiles of nodes that fit a memory -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/Tiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace glow;

static std::vector<TilingInfo> &tilings() {
  static std::vector<TilingInfo> table;
  return table;
}

void glow::registerTilings(std::span<const TilingInfo> added) {
  tilings().insert(tilings().end(), added.begin(), added.end());
}

const TilingInfo *glow::tilingOf(const BackendInfo &backend,
                                 mlir::Operation *node) {
  for (const TilingInfo &tiling : tilings())
    if (node->getName().getStringRef() == tiling.node &&
        llvm::StringRef(tiling.backend) == backend.name)
      return &tiling;
  return nullptr;
}

static uint64_t capacityOf(const BackendInfo &backend, llvm::StringRef memory) {
  for (const ir::MemorySpace &space : backend.memories)
    if (space.name == memory)
      return space.bytes;
  return 0;
}

/// Whether `copies` tiles fit into the memories at once. For more than one
/// copy, an eighth stays free: the free space may be in several pieces.
static bool fits(const BackendInfo &backend, const TilingInfo &tiling,
                 mlir::Operation *node, const Ints &tile, uint64_t copies) {
  Ints needs = tiling.needs(node, tile);
  for (auto [memory, bytes] : llvm::zip_equal(tiling.memories, needs))
    if (uint64_t all = capacityOf(backend, memory);
        copies * uint64_t(std::max<int64_t>(bytes, 0)) >
        (copies > 1 ? all / 8 * 7 : all))
      return false;
  return true;
}

/// Tile sizes that split `size` into one, two, three... about equal parts.
static Ints partsOf(int64_t size, int64_t multiple) {
  Ints parts;
  for (int64_t count = 1; count <= size; ++count) {
    int64_t part = std::min<int64_t>(
        size, llvm::alignTo(uint64_t(llvm::divideCeil(size, count)),
                            uint64_t(multiple)));
    if (parts.empty() || parts.back() != part)
      parts.push_back(part);
  }
  return parts;
}

static Ints smallestTile(const TilingInfo &tiling, const Ints &sizes) {
  Ints tile;
  for (auto [size, multiple] : llvm::zip_equal(sizes, tiling.multiples))
    tile.push_back(std::min(size, multiple));
  return tile;
}

/// Calls `visit` with every tile, the largest first.
static void forEachTile(llvm::ArrayRef<Ints> parts, Ints &tile,
                        llvm::function_ref<void(const Ints &)> visit) {
  if (tile.size() == parts.size())
    return visit(tile);
  for (int64_t part : parts[tile.size()]) {
    tile.push_back(part);
    forEachTile(parts, tile, visit);
    tile.pop_back();
  }
}

std::optional<Ints> glow::tileFor(const BackendInfo &backend,
                                  const TilingInfo &tiling,
                                  mlir::Operation *node) {
  Ints sizes = tiling.sizes(node);
  if (!fits(backend, tiling, node, smallestTile(tiling, sizes), 1))
    return std::nullopt;
  std::vector<Ints> parts;
  for (auto [size, multiple] : llvm::zip_equal(sizes, tiling.multiples))
    parts.push_back(partsOf(size, multiple));
  std::optional<Ints> best;
  std::pair<bool, int64_t> least;
  Ints tile;
  forEachTile(parts, tile, [&](const Ints &one) {
    if (!fits(backend, tiling, node, one, 1))
      return;
    bool isAlone = one != sizes && !fits(backend, tiling, node, one, 2);
    std::pair<bool, int64_t> rank(isAlone, tiling.cost(node, one));
    if (!best || rank < least)
      best = one, least = rank;
  });
  return best;
}

std::string glow::whyNoTile(const BackendInfo &backend,
                            const TilingInfo &tiling, mlir::Operation *node) {
  Ints needs = tiling.needs(node, smallestTile(tiling, tiling.sizes(node)));
  for (auto [memory, bytes] : llvm::zip_equal(tiling.memories, needs))
    if (uint64_t all = capacityOf(backend, memory); uint64_t(bytes) > all)
      return "its smallest tile needs " + std::to_string(bytes) +
             " bytes of memory '" + memory + "', which has " +
             std::to_string(all);
  return "";
}
