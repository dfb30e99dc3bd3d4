//===- Labels.cpp - scores of a classifier, and their names ---------------===//
// SPDX-License-Identifier: MIT

#include "Labels.h"
#include "glow/TensorFiles/File.h"
#include "model/Outputs.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

using namespace glow;
using namespace glow::tool;

Result<Labels> Labels::read(const std::string &path) {
  Labels labels;
  if (path.empty())
    return labels;
  Result<std::string> text = readFile(path, 1 << 26);
  if (!text)
    return text.status();
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r'))
      line.pop_back();
    labels.lines.push_back(line);
  }
  return labels;
}

Labels Labels::ofImageNet(size_t classes) {
  Labels labels;
  if (classes != 1000 && classes != 1001)
    return labels;
  if (classes == 1001)
    labels.lines.push_back("background");
  std::istringstream lines(imageNetLabels);
  for (std::string line; std::getline(lines, line);)
    labels.lines.push_back(line);
  return labels;
}

std::string Labels::name(size_t index) const {
  return index < lines.size() ? lines[index] : std::to_string(index);
}

/// Lower case, without spaces at the ends.
static std::string plain(std::string_view text) {
  size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(first);
  text = text.substr(0, text.find_last_not_of(" \t") + 1);
  std::string lower(text);
  for (char &c : lower)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

static bool isWordNetNumber(std::string_view word) {
  return word.size() == 9 && word[0] == 'n' &&
         word.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool Labels::means(const std::string &expected, size_t index) const {
  std::string wanted = plain(expected);
  std::string label = plain(name(index));
  if (wanted == std::to_string(index) || wanted == label)
    return true;
  size_t space = std::min(label.find(' '), label.size());
  if (isWordNetNumber(std::string_view(label).substr(0, space))) {
    if (wanted == label.substr(0, space))
      return true;
    label = plain(std::string_view(label).substr(space));
  }
  std::istringstream names(label);
  for (std::string one; std::getline(names, one, ',');)
    if (wanted == plain(one))
      return true;
  return wanted == label;
}

/// Turns scores into probabilities. The largest is subtracted first, which
/// leaves the quotients as they are and keeps exp finite.
static void softmax(std::vector<double> &scores) {
  double largest = *std::max_element(scores.begin(), scores.end());
  double sum = 0;
  for (double &score : scores) {
    score = score == largest ? 1 : std::exp(score - largest);
    sum += score;
  }
  for (double &score : scores)
    score /= sum;
}

static std::vector<double> probabilities(const Tensor &output) {
  std::vector<double> scores;
  double sum = 0, least = 0;
  for (int64_t i = 0; i < output.type().elements(); ++i) {
    double score = elementAt(output, i);
    scores.push_back(std::isnan(score) ? -INFINITY : score);
    sum += scores.back();
    least = std::min(least, scores.back());
  }
  if (!scores.empty() && (least < 0 || !(std::fabs(sum - 1) <= 0.01)))
    softmax(scores);
  return scores;
}

std::vector<Score> tool::bestScores(const Tensor &output, size_t count) {
  std::vector<Score> scores;
  for (double probability : probabilities(output))
    scores.push_back({scores.size(), probability});
  count = std::min(count, scores.size());
  // Among equals, the lower number: a result must not depend on the sort.
  std::partial_sort(scores.begin(), scores.begin() + ptrdiff_t(count),
                    scores.end(), [](const Score &a, const Score &b) {
                      return a.probability != b.probability
                                 ? a.probability > b.probability
                                 : a.index < b.index;
                    });
  scores.resize(count);
  return scores;
}
