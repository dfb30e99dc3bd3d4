//===- Processors.cpp - the processors of this machine --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/Processors.h"
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <set>

using namespace glow;
namespace fs = std::filesystem;

static std::optional<unsigned> numberIn(std::string_view text) {
  unsigned number = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number >= CPU_SETSIZE)
    return std::nullopt;
  return number;
}

std::optional<Processors> glow::parseProcessors(std::string_view text) {
  std::set<unsigned> found;
  for (bool more = true; more;) {
    const size_t comma = text.find(',');
    const std::string_view range = text.substr(0, comma);
    more = comma != std::string_view::npos;
    text.remove_prefix(more ? comma + 1 : 0);
    const size_t dash = range.find('-');
    auto first = numberIn(range.substr(0, dash));
    auto last = dash == std::string_view::npos
                    ? first
                    : numberIn(range.substr(dash + 1));
    if (!first || !last || *first > *last)
      return std::nullopt;
    for (unsigned number = *first; number <= *last; ++number)
      if (!found.insert(number).second)
        return std::nullopt;
  }
  return Processors(found.begin(), found.end());
}

std::string glow::textOf(const Processors &processors) {
  std::string text;
  for (size_t i = 0, end = 0; i < processors.size(); i = end) {
    end = i + 1;
    while (end < processors.size() &&
           processors[end] == processors[end - 1] + 1)
      ++end;
    text += (text.empty() ? "" : ",") + std::to_string(processors[i]);
    if (end - i > 1)
      text += "-" + std::to_string(processors[end - 1]);
  }
  return text;
}

Processors glow::allowedProcessors() {
  Processors allowed;
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    for (unsigned i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &set))
        allowed.push_back(i);
  return allowed.empty() ? Processors{0} : allowed;
}

/// The processors of `allowed` that a list file of Linux names.
static Processors readList(const fs::path &file, const Processors &allowed) {
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  Processors both;
  if (std::optional<Processors> named = parseProcessors(line))
    std::ranges::set_intersection(*named, allowed, std::back_inserter(both));
  return both;
}

std::vector<Processors> glow::processorGroups(GroupBy what,
                                              const Processors &allowed,
                                              const std::string &system) {
  std::set<Processors> groups;
  if (what == GroupBy::Cores)
    for (unsigned processor : allowed)
      groups.insert(readList(system + "/cpu/cpu" + std::to_string(processor) +
                                 "/topology/thread_siblings_list",
                             allowed));
  std::error_code error;
  if (what == GroupBy::Nodes)
    for (fs::directory_iterator entry(fs::path(system) / "node", error), end;
         !error && entry != end; entry.increment(error))
      groups.insert(readList(entry->path() / "cpulist", allowed));
  groups.erase(Processors());
  // Allowed processors that no file lists form groups as well, so that every
  // processor is in a group.
  Processors rest = allowed;
  for (const Processors &group : groups)
    std::erase_if(rest, [&](unsigned processor) {
      return std::ranges::binary_search(group, processor);
    });
  if (what == GroupBy::Cores)
    for (unsigned processor : rest)
      groups.insert({processor});
  else if (!rest.empty())
    groups.insert(rest);
  return {groups.begin(), groups.end()};
}
