//===- Parts.cpp - nodes that become one node -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Parts.h"
#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>

using namespace glow;
using namespace glow::ort;

/// Ten refused nodes among a thousand are found with about as many attempts.
static constexpr size_t mostAttempts = 160;

namespace {
/// Nodes that failed together.
struct Failed {
  Nodes nodes;
  std::string reason;
};
} // namespace

std::vector<Refusal> ort::refusals(const Nodes &nodes,
                                   const std::string &reason,
                                   const Attempt &attempt) {
  std::vector<Refusal> refused;
  size_t attempts = 0;
  std::deque<Failed> open = {{nodes, reason}};
  for (; !open.empty(); open.pop_front()) {
    const Failed failed = open.front();
    if (failed.nodes.size() == 1 || attempts >= mostAttempts) {
      for (const Node *node : failed.nodes)
        refused.push_back({node, failed.reason});
      continue;
    }
    const auto begin = failed.nodes.begin(), end = failed.nodes.end();
    const auto middle = begin + failed.nodes.size() / 2;
    for (const Nodes &half : {Nodes(begin, middle), Nodes(middle, end)}) {
      ++attempts;
      try {
        attempt(half);
      } catch (const std::exception &error) {
        open.push_back({half, error.what()});
      }
    }
  }
  return refused;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// The numbers of the nodes whose results each node reads.
static std::vector<std::vector<size_t>> producersOf(const Nodes &nodes,
                                                    const Host &host) {
  std::map<std::string, size_t> writers;
  std::vector<std::vector<size_t>> producers(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const auto &values :
         {host.inputsOf(nodes[i]), host.implicitInputsOf(nodes[i])})
      for (const ValueInfo *value : values)
        if (auto writer = writers.find(host.nameOf(value));
            writer != writers.end())
          producers[i].push_back(writer->second);
    for (const ValueInfo *value : host.outputsOf(nodes[i]))
      if (value)
        writers[host.nameOf(value)] = i;
  }
  return producers;
}

/// The greatest number of refused sections on a path to each node. A path that
/// leaves a part and returns passes through a refused node, so that its ends
/// differ in their numbers.
static std::vector<size_t>
sectionsOf(const std::vector<std::vector<size_t>> &producers,
           const std::vector<bool> &refused) {
  std::vector<size_t> sections(producers.size());
  for (size_t i = 0; i < producers.size(); ++i)
    for (size_t producer : producers[i])
      sections[i] =
          std::max(sections[i], sections[producer] +
                                    (refused[producer] && !refused[i] ? 1 : 0));
  return sections;
}

/// Whether each node reads constants alone.
static std::vector<bool>
constantNodes(const Nodes &nodes,
              const std::vector<std::vector<size_t>> &producers,
              const Host &host) {
  std::vector<bool> constant(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    size_t constants = 0, inputs = 0;
    for (const auto &values :
         {host.inputsOf(nodes[i]), host.implicitInputsOf(nodes[i])})
      for (const ValueInfo *value : values)
        if (!host.nameOf(value).empty()) {
          ++inputs;
          constants += host.isConstant(value);
        }
    for (size_t producer : producers[i])
      constants += constant[producer];
    constant[i] = constants == inputs;
  }
  return constant;
}

/// Moves constants, such as weights that are made of bytes, into the first
/// section that reads them. Sections still never fall along a path, and rise
/// behind refused nodes, which stay.
static void moveToReaders(std::vector<size_t> &sections,
                          const std::vector<bool> &constant,
                          const std::vector<bool> &refused,
                          const std::vector<std::vector<size_t>> &producers) {
  std::vector<size_t> least(sections.size(), SIZE_MAX); // of all readers
  for (size_t i = sections.size(); i-- > 0;) {
    if (constant[i] && !refused[i] && least[i] != SIZE_MAX)
      sections[i] = least[i];
    for (size_t producer : producers[i])
      least[producer] = std::min(least[producer], sections[i]);
  }
}

std::vector<Nodes> ort::partsWithout(const std::vector<Refusal> &refusals,
                                     const Nodes &nodes, const Host &host) {
  std::set<const Node *> left;
  for (const Refusal &refusal : refusals)
    left.insert(refusal.node);
  std::vector<bool> refused;
  for (const Node *node : nodes)
    refused.push_back(left.contains(node));
  const auto producers = producersOf(nodes, host);
  std::vector<size_t> sections = sectionsOf(producers, refused);
  moveToReaders(sections, constantNodes(nodes, producers, host), refused,
                producers);

  // Nodes of one section that are connected have the first of them.
  std::vector<size_t> first(nodes.size());
  std::iota(first.begin(), first.end(), 0);
  auto firstOf = [&](size_t i) {
    while (first[i] != i)
      i = first[i];
    return i;
  };
  for (size_t i = 0; i < nodes.size(); ++i)
    for (size_t producer : producers[i])
      if (!refused[i] && !refused[producer] &&
          sections[i] == sections[producer]) {
        const size_t a = firstOf(i), b = firstOf(producer);
        first[std::max(a, b)] = std::min(a, b);
      }
  std::map<size_t, Nodes> parts;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (!refused[i])
      parts[firstOf(i)].push_back(nodes[i]);
  std::vector<Nodes> result;
  for (auto &[number, part] : parts)
    result.push_back(std::move(part));
  return result;
}
