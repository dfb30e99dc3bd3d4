//===- Nearest.cpp - suggestions for misspelt words -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Nearest.h"
#include <algorithm>
#include <numeric>

using namespace glow;

/// The optimal string alignment distance: Levenshtein's distance, except that a
/// swap of two adjacent letters counts once.
static size_t distance(std::string_view from, std::string_view to) {
  // Distances to each prefix of `to`: from the prefix of `from` that was read
  // so far (`now`), and from the prefixes one and two letters shorter.
  std::vector<size_t> now(to.size() + 1), last, earlier;
  std::iota(now.begin(), now.end(), size_t(0));
  for (size_t i = 0; i < from.size(); ++i) {
    earlier = std::move(last);
    last = now;
    now[0] = i + 1;
    for (size_t j = 0; j < to.size(); ++j) {
      now[j + 1] =
          std::min({last[j] + (from[i] != to[j]), last[j + 1] + 1, now[j] + 1});
      if (i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j])
        now[j + 1] = std::min(now[j + 1], earlier[j - 1] + 1);
    }
  }
  return now.back();
}

std::string glow::nearest(std::string_view word,
                          const std::vector<std::string> &known) {
  // Words of any length come from a command line.
  size_t best = std::max<size_t>(std::min<size_t>(word.size(), 60) / 3, 1) + 1;
  std::string found;
  for (const std::string &candidate : known) {
    if (candidate.size() + best < word.size())
      continue;
    if (size_t cost = distance(word, candidate); cost < best)
      best = cost, found = candidate;
  }
  return found;
}

std::string glow::didYouMean(std::string_view word,
                             const std::vector<std::string> &known) {
  std::string meant = nearest(word, known);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}
