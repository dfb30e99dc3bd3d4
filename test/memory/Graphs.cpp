//===- Graphs.cpp - graphs for scheduling ---------------------------------===//
// SPDX-License-Identifier: MIT

#include "Graphs.h"
#include "glow/Memory/Placement.h"

#include <algorithm>
#include <functional>

using namespace glow;

using Order = std::vector<unsigned>;

Steps glow::randomSteps(std::mt19937 &random, unsigned count) {
  Steps steps;
  for (unsigned step = 0; step < count; ++step) {
    steps.bytes.push_back(1 + random() % 1000);
    std::vector<unsigned> &needs = steps.needs.emplace_back();
    needs.push_back(step);
    for (unsigned i = 0; step > 0 && i < 1 + random() % 2; ++i) {
      unsigned input = step - 1 - random() % std::min(step, 20u);
      if (std::ranges::find(needs, input) == needs.end())
        needs.push_back(input);
    }
    steps.after.emplace_back(needs.begin() + 1, needs.end());
  }
  return steps;
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

/// Branches that each go through a wide tensor to a narrow one, the narrowest
/// first.
static Steps unequalBranches() {
  GraphSteps graph;
  unsigned image = graph.add(64);
  std::vector<unsigned> ends;
  for (unsigned wide : {128, 256, 512, 1024}) {
    unsigned first = graph.add(wide, {image});
    ends.push_back(graph.add(wide / 4, {graph.add(wide, {first})}));
  }
  graph.add(480, ends);
  return graph.steps;
}

/// Modules of four branches, the pool last, as in GoogLeNet.
static Steps inception(unsigned modules) {
  GraphSteps graph;
  unsigned in = graph.add(588);
  for (unsigned i = 0; i < modules; ++i) {
    unsigned one = graph.add(196, {in});
    unsigned three = graph.add(392, {graph.add(294, {in})});
    unsigned five = graph.add(98, {graph.add(49, {in})});
    unsigned pool = graph.add(98, {graph.add(588, {in})});
    in = graph.add(784, {one, three, five, pool});
  }
  return graph.steps;
}

/// A reduction of Inception: a branch that widens before its stride.
static Steps inceptionReduction() {
  GraphSteps graph;
  unsigned in = graph.add(1225 * 288 / 256);
  unsigned pool = graph.add(324, {in});
  unsigned plain = graph.add(433, {in});
  unsigned wide = graph.add(459, {graph.add(306, {in})});
  graph.add(864, {plain, graph.add(108, {wide}), pool});
  return graph.steps;
}

/// A decoder in which each level gives an image of full size.
static Steps supervisedUNet() {
  GraphSteps graph;
  std::vector<unsigned> skips, pictures;
  unsigned in = graph.add(192);
  for (unsigned level = 0; level < 4; ++level) {
    unsigned bytes = 4096 >> level;
    skips.push_back(graph.add(bytes, {graph.add(bytes, {in})}));
    in = graph.add(bytes / 4, {skips.back()});
  }
  in = graph.add(256, {in});
  for (unsigned level = 4; level-- > 0;) {
    unsigned bytes = 4096 >> level;
    unsigned joined =
        graph.add(2 * bytes, {skips[level], graph.add(bytes, {in})});
    in = graph.add(bytes, {graph.add(bytes, {joined})});
    unsigned score = graph.add(64 >> (2 * level) ? 64 >> (2 * level) : 1, {in});
    pictures.push_back(graph.add(1024, {score}));
  }
  graph.add(64, {graph.add(4096, pictures)});
  return graph.steps;
}

/// U-Net++, column by column.
static Steps nestedUNet() {
  GraphSteps graph;
  constexpr unsigned depth = 4;
  std::vector<std::vector<unsigned>> nodes(depth);
  unsigned in = graph.add(192);
  for (unsigned level = 0; level < depth; ++level) {
    nodes[level].push_back(graph.add(4096 >> level, {in}));
    in = graph.add(1024 >> level, {nodes[level][0]});
  }
  for (unsigned column = 1; column < depth; ++column)
    for (unsigned level = 0; level + column < depth; ++level) {
      std::vector<unsigned> inputs = nodes[level];
      inputs.push_back(
          graph.add(4096 >> level, {nodes[level + 1][column - 1]}));
      nodes[level].push_back(graph.add(4096 >> level, inputs));
    }
  return graph.steps;
}

/// Each layer reads all earlier layers: only one order is possible.
static Steps denseBlock() {
  GraphSteps graph;
  std::vector<unsigned> all = {graph.add(784)};
  for (unsigned layer = 0; layer < 12; ++layer) {
    unsigned joined = graph.add(784 + 98 * layer, all);
    all.push_back(graph.add(98, {graph.add(392, {joined})}));
  }
  return graph.steps;
}

/// Cells of `count` sums of two operations on earlier results, as architecture
/// searches find them: all operations of a cell precede its sums.
static Steps searchedCells(unsigned cells, unsigned count, unsigned seed) {
  std::mt19937 random(seed);
  GraphSteps graph;
  unsigned before = graph.add(400), last = graph.add(400, {before});
  for (unsigned cell = 0; cell < cells; ++cell) {
    std::vector<unsigned> states = {graph.add(200, {before}),
                                    graph.add(200, {last})};
    std::vector<unsigned> sums;
    for (unsigned i = 0; i < count; ++i) {
      std::vector<unsigned> operands;
      for (unsigned side = 0; side < 2; ++side) {
        unsigned from = states[random() % states.size()];
        bool separable = random() % 3 != 0;
        unsigned wide = separable ? graph.add(600, {from}) : from;
        operands.push_back(graph.add(200, {wide}));
      }
      states.push_back(graph.add(200, operands));
      sums.push_back(states.back());
    }
    before = last;
    last = graph.add(1000, sums);
  }
  return graph.steps;
}

/// Sums of random earlier nodes, as in networks wired at random.
static Steps randomlyWired(unsigned nodes, unsigned seed) {
  std::mt19937 random(seed);
  GraphSteps graph;
  std::vector<unsigned> made = {graph.add(300)};
  for (unsigned i = 1; i < nodes; ++i) {
    std::vector<unsigned> inputs = {made[random() % made.size()]};
    unsigned other = made[random() % made.size()];
    if (other != inputs[0])
      inputs.push_back(other);
    unsigned sum = inputs.size() > 1 ? graph.add(300, inputs) : inputs[0];
    made.push_back(graph.add(300, {graph.add(300, {sum})}));
  }
  graph.add(300, made);
  return graph.steps;
}

std::vector<NamedSteps> glow::namedGraphs() {
  std::mt19937 random(1);
  std::vector<NamedSteps> graphs = {
      {"unequal branches", unequalBranches()},
      {"Inception, one module", inception(1)},
      {"Inception, nine modules", inception(9)},
      {"Inception, reduction", inceptionReduction()},
      {"U-Net with pictures of all levels", supervisedUNet()},
      {"U-Net++", nestedUNet()},
      {"DenseNet, a block", denseBlock()},
      {"searched cell, three sums", searchedCells(1, 3, 2)},
      {"searched cell, five sums", searchedCells(1, 5, 2)},
      {"searched cells, six of five sums", searchedCells(6, 5, 3)},
      {"randomly wired, 16 nodes", randomlyWired(16, 4)},
      {"randomly wired, 32 nodes", randomlyWired(32, 5)}};
  for (unsigned count : {14, 50, 200}) {
    Steps steps = randomSteps(random, count);
    for (uint64_t &bytes : steps.bytes)
      bytes *= 1024;
    graphs.push_back({"random, " + std::to_string(count) + " steps", steps});
  }
  return graphs;
}

//===----------------------------------------------------------------------===//
// Orders and their memory
//===----------------------------------------------------------------------===//

Order glow::childrenByMemory(const Steps &steps) {
  std::vector<int64_t> peak(steps.size()), result(steps.size());
  std::vector<bool> begun(steps.bytes.size()), read(steps.size());
  for (unsigned step = 0; step < steps.size(); ++step) {
    for (unsigned piece : steps.needs[step]) {
      result[step] += begun[piece] ? 0 : int64_t(steps.bytes[piece]);
      begun[piece] = true;
    }
    int64_t held = 0;
    for (unsigned child : steps.after[step]) {
      read[child] = true;
      held += result[child];
      peak[step] = std::max({peak[step], held, peak[child]});
    }
  }
  Order order;
  std::vector<bool> done(steps.size());
  std::function<void(unsigned)> visit = [&](unsigned step) {
    if (done[step])
      return;
    done[step] = true;
    Order children = steps.after[step];
    std::ranges::sort(children, {}, [&](unsigned child) {
      return std::pair(result[child] - peak[child], child);
    });
    std::ranges::for_each(children, visit);
    order.push_back(step);
  };
  for (unsigned step = 0; step < steps.size(); ++step)
    if (!read[step])
      visit(step);
  return order;
}

uint64_t glow::leastPeak(const Steps &steps) {
  constexpr uint64_t unknown = ~uint64_t(0);
  std::vector<uint32_t> usersOf(steps.bytes.size()), waits(steps.size());
  for (unsigned step = 0; step < steps.size(); ++step) {
    for (unsigned piece : steps.needs[step])
      usersOf[piece] |= 1u << step;
    for (unsigned earlier : steps.after[step])
      waits[step] |= 1u << earlier;
  }
  // By the set of completed steps, which determines the live tensors.
  std::vector<uint64_t> least(size_t(1) << steps.size(), unknown);
  least[0] = 0;
  for (uint32_t done = 0; done + 1 < least.size(); ++done)
    for (unsigned step = 0; step < steps.size(); ++step) {
      if (least[done] == unknown || done >> step & 1 || (waits[step] & ~done))
        continue;
      uint32_t with = done | 1u << step;
      uint64_t live = 0;
      for (unsigned piece = 0; piece < usersOf.size(); ++piece)
        if ((usersOf[piece] & with) && (usersOf[piece] & ~done))
          live += steps.bytes[piece];
      least[with] = std::min(least[with], std::max(least[done], live));
    }
  return least.back();
}

uint64_t glow::arenaOf(const Steps &steps, const Order &order) {
  std::vector<Interval> intervals(steps.bytes.size());
  std::vector<bool> begun(steps.bytes.size());
  for (unsigned place = 0; place < order.size(); ++place)
    for (unsigned piece : steps.needs[order[place]]) {
      if (!begun[piece])
        intervals[piece] = {steps.bytes[piece], place, place};
      begun[piece] = true;
      intervals[piece].last = place;
    }
  return place(intervals, 64).arenaBytes;
}
