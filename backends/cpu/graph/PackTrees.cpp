//===- PackTrees.cpp - trees of constants as one list of small nodes ------===//
// SPDX-License-Identifier: MIT
//
// The nodes of a tree are stored level by level, with sibling nodes in one
// cache line. For few rows, whose walks find no line in the first level of the
// cache, a line has the levels below a pair that fit: a walk of six levels
// reads three lines. A comparison of any mode becomes a chain of nodes that
// test whether a key is less than a bound: one node for <=, two for ==, and two
// for each number of a set. 300 trees of depth 6 take 0.4 MB instead of 1.4.
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"
#include "common/PackedTrees.h"
#include "glow/Base/Trees.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Storage.h"
#include <deque>

using namespace mlir;

namespace glow::cpu {

using mlir::failure;

namespace {

/// The child for each key of a feature: `first` for keys below the first cut,
/// and then the two children alternate at each cut. NaN passes `nanPasses`
/// cuts.
template <typename Key> struct Cuts {
  bool first;
  SmallVector<Key, 2> cuts;
  size_t nanPasses;
};

/// Packs the nodes of one forest; `Node` is one of common/PackedTrees.h.
template <typename T, typename Node> class Packer {
public:
  using Key = typename Node::Key;

  Packer(const trees::Forest<T> &forest, int64_t rows, int64_t features)
      : forest(forest), slots{features}, byLine(rows < rowsTogether),
        limit(size_t(8 * (forest.nodes + 2 * forest.setLength)) + 64) {}

  /// Adds a tree. False if a child index is out of range or leads to a cycle,
  /// if a feature does not exist, or if the tree is too large for the node
  /// format.
  bool add(int64_t root) {
    // The root is the second node of a pair.
    const size_t place = addPair(2 + nodesBelow(root)) + 1;
    roots.push_back(int64_t(place));
    for (near.push_back({root, {place}}); !near.empty() || !far.empty();)
      if (!writeNext() || nodes.size() + ++steps > limit)
        return false;
    return true;
  }

  std::vector<Node> nodes;
  Ints roots;

private:
  using Places = SmallVector<size_t, 2>;
  /// A node of the forest, and where it is to be written.
  struct Open {
    int64_t node;
    Places places;
  };

  static constexpr size_t perLine = 64 / sizeof(Node);

  /// The place of two new nodes, which never lie in two lines. By line,
  /// `wanted` nodes fit into theirs.
  size_t addPair(size_t wanted) {
    size_t pair = nodes.size();
    if (byLine && pair % perLine + std::min(wanted, perLine) > perLine)
      pair = llvm::alignTo(pair, perLine);
    nodes.resize(pair + 2);
    return pair;
  }

  bool isBranch(int64_t node) const {
    return node >= 0 && node < forest.nodes && forest.modes[node] != 0;
  }
  /// Children of a node, and theirs.
  size_t nodesBelow(int64_t node) const {
    if (!isBranch(node))
      return 0;
    return 2 + 2 * size_t(isBranch(forest.whenTrue[node])) +
           2 * size_t(isBranch(forest.whenFalse[node]));
  }

  /// By line, nodes of the last line come first. A node whose children have no
  /// space there waits until no other node fits.
  bool writeNext() {
    const bool isNear = !near.empty();
    std::deque<Open> &list = isNear ? near : far;
    Open next = std::move(list.front());
    list.pop_front();
    if (!isBranch(next.node))
      return writeLeaf(next);
    if (!isNear)
      return writeBranch(next, nodesBelow(next.node));
    if (!byLine || next.places.back() / perLine == nodes.size() / perLine)
      return writeBranch(next, 2);
    far.push_back(std::move(next));
    return true;
  }

  bool writeLeaf(const Open &open) {
    if (open.node < 0 || open.node >= forest.nodes)
      return false;
    for (size_t place : open.places)
      nodes[place] = {Key(open.node), typename Node::Field(slots.ofLeaf()), 0};
    return Key(open.node) == size_t(open.node);
  }

  /// Writes a branch, with `wanted` nodes from its children on in one line.
  bool writeBranch(const Open &branch, size_t wanted) {
    const int64_t feature = forest.features[branch.node];
    if (feature < 0 || feature >= slots.features)
      return false;
    const Cuts<Key> cuts = cutsOf(branch.node);
    Places ways[2], here = branch.places;
    for (auto [i, cut] : llvm::enumerate(cuts.cuts)) {
      const size_t pair = addPair(i == 0 ? wanted : 2);
      for (size_t place : here)
        if (!set(place, cut, slots.of(feature, cuts.nanPasses == i),
                 pair - place))
          return false;
      ways[cuts.first != bool(i % 2)].push_back(pair + 1);
      here = {pair};
    }
    ways[cuts.first != bool(cuts.cuts.size() % 2)].append(here);
    for (bool way : {true, false})
      if (!ways[way].empty())
        near.push_back({(way ? forest.whenTrue : forest.whenFalse)[branch.node],
                        std::move(ways[way])});
    return true;
  }

  bool set(size_t place, Key bound, int64_t slot, size_t distance) {
    using Field = typename Node::Field;
    nodes[place] = {bound, Field(slot), Field(distance)};
    return nodes[place].slot == size_t(slot) &&
           nodes[place].distance == distance;
  }

  /// The key that is the first one greater than that of `number`.
  static Key behind(T number) { return keyOf(number) + 1; }
  static Key keyOf(T number) {
    return packedKey<Key>(PackedNumberOf<Key>(number));
  }

  Cuts<Key> cutsOf(int64_t node) const {
    const T bound = forest.bounds[node];
    const int64_t mode = forest.modes[node];
    Cuts<Key> result = {false, {}, 0};
    if (mode == 7)
      addSet(node, result.cuts);
    else if (bound != bound)
      result.first = mode == 6;
    else if (mode <= 2)
      result = {true, {mode == 1 ? behind(bound) : keyOf(bound)}, 0};
    else if (mode <= 4)
      result.cuts = {mode == 3 ? keyOf(bound) : behind(bound)};
    else
      result = {mode == 6, {keyOf(bound), behind(bound)}, 0};
    // NaN is unequal to every number.
    const bool nan = forest.missingTrue[node] != 0 || mode == 6;
    if (nan == result.first)
      return result;
    if (result.cuts.empty()) {
      // Only the key of NaN is less.
      result = {nan, {Key(PackedSlots::leastOfReals)}, 0};
      return result;
    }
    result.nanPasses = 1;
    return result;
  }

  /// Adds the cuts below and above each number of a node's set. Adjacent
  /// numbers need no cut between them.
  void addSet(int64_t node, SmallVectorImpl<Key> &cuts) const {
    if (!forest.sets || !forest.begins)
      return;
    for (int64_t i = std::max<int64_t>(forest.begins[node], 0);
         i < forest.setLength && forest.sets[i] == forest.sets[i]; ++i)
      cuts.push_back(keyOf(forest.sets[i]));
    llvm::sort(cuts);
    cuts.erase(llvm::unique(cuts), cuts.end());
    SmallVector<Key> ends;
    for (Key key : cuts) {
      if (!ends.empty() && ends.back() == key)
        ends.pop_back();
      else
        ends.push_back(key);
      ends.push_back(key + 1);
    }
    cuts.assign(ends.begin(), ends.end());
  }

  const trees::Forest<T> forest;
  const PackedSlots slots;
  const bool byLine;
  const size_t limit; ///< of nodes and steps, as a tree may have a cycle
  size_t steps = 0;
  std::deque<Open> near, far;
};

/// Reads the elements of constant operands, and keeps them alive.
class Elements {
public:
  /// Null where a tensor is absent or no constant.
  template <typename T> const T *of(Value tensor) {
    ConstantOp constant = tensor ? constantOf(tensor) : ConstantOp();
    if (!constant || !glow::isKnown(constant.getValue()))
      return nullptr;
    kept.push_back(bytesOf(constant.getValue()));
    return reinterpret_cast<const T *>(kept.back().bytes.data());
  }

private:
  SmallVector<TensorBytes> kept;
};

/// The forest of a node; nothing if an operand is not a constant.
template <typename T>
std::optional<trees::Forest<T>> forestOf(TreeLeaves leaves,
                                         Elements &elements) {
  auto integers = [&](Value value) { return elements.of<int64_t>(value); };
  trees::Forest<T> forest = {
      elementsOf(leaves.getFeatures()),   integers(leaves.getFeatures()),
      integers(leaves.getModes()),        integers(leaves.getWhenTrue()),
      integers(leaves.getWhenFalse()),    integers(leaves.getMissingTrue()),
      elements.of<T>(leaves.getBounds()), elements.of<T>(leaves.getSets()),
      integers(leaves.getBegins()),       elementsOf(leaves.getSets())};
  if (!forest.features || !forest.modes || !forest.whenTrue ||
      !forest.whenFalse || !forest.missingTrue || !forest.bounds ||
      (leaves.getSets() && !forest.sets) ||
      (leaves.getBegins() && !forest.begins))
    return std::nullopt;
  return forest;
}

struct PackTrees : OpRewritePattern<TreeLeaves> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TreeLeaves leaves,
                                PatternRewriter &rewriter) const override {
    Type kind = kindOfElements(leaves.getIn());
    if (kind.isF32() &&
        succeeded(pack<float, SmallPackedNode>(leaves, rewriter)))
      return success();
    if (kind.isF32())
      return pack<float, LargePackedNode>(leaves, rewriter);
    if (kind.isF64())
      return pack<double, LargePackedNode>(leaves, rewriter);
    return failure();
  }

private:
  template <typename T, typename Node>
  static LogicalResult pack(TreeLeaves leaves, PatternRewriter &rewriter) {
    Elements elements;
    auto forest = forestOf<T>(leaves, elements);
    const auto *roots = elements.of<int64_t>(leaves.getRoots());
    if (!forest || !roots)
      return failure();
    const auto in = shapeOf(leaves.getIn());
    Packer<T, Node> packer(*forest, in[0], in[1]);
    for (int64_t i = 0; i < elementsOf(leaves.getRoots()); ++i)
      if (!packer.add(roots[i]))
        return failure();
    const Ints shape = {int64_t(packer.nodes.size()),
                        int64_t(sizeof(Node) / sizeof(int64_t))};
    Value nodes =
        constant(rewriter, leaves, "trees", std::move(packer.nodes), shape);
    Value places = constant(rewriter, leaves, "roots", std::move(packer.roots),
                            shapeOf(leaves.getRoots()));
    rewriter.replaceOp(leaves,
                       createCpuTreeLeaves(rewriter, leaves.getLoc(),
                                           leaves.getIn(), nodes, places));
    return success();
  }

  /// A constant of i64 that has the memory of a list.
  template <typename T>
  static Value constant(PatternRewriter &rewriter, TreeLeaves at,
                        llvm::StringRef name, std::vector<T> list, Ints shape) {
    auto owner = std::make_shared<std::vector<T>>(std::move(list));
    auto type = RankedTensorType::get(shape, rewriter.getI64Type());
    TensorBytes bytes = {{reinterpret_cast<const char *>(owner->data()),
                          owner->size() * sizeof(T)},
                         owner};
    auto made = ConstantOp::create(rewriter, at.getLoc(), name,
                                   elementsOf(type, std::move(bytes), name));
    made->remove();
    SymbolTable symbols(at->getParentOfType<ModuleOp>());
    StringAttr symbol = symbols.insert(made);
    return ReadOp::create(rewriter, at.getLoc(), type,
                          FlatSymbolRefAttr::get(symbol));
  }
};

} // namespace

void addTrees(RewritePatternSet &patterns) {
  patterns.add<PackTrees>(patterns.getContext());
  // Records have rewrites of packed trees.
  addRewrites(patterns, {.backend = "cpu", .onlyOwn = true});
}

} // namespace glow::cpu
