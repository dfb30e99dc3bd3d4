//===- Labels.h - scores of a classifier, and their names -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_IMAGES_LABELS_H
#define GLOW_TOOLS_GLOW_IMAGES_LABELS_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <string>
#include <vector>

namespace glow::tool {

/// The labels of ImageNet, one a line.
extern const char *const imageNetLabels;

/// The names of classes, one a line of a file. Without a file, a class is
/// called by its number.
class Labels {
public:
  static Result<Labels> read(const std::string &path);

  /// The labels of ImageNet for a model with that number of classes: 1,000, or
  /// 1,001 where the first is the background. Empty for any other number.
  static Labels ofImageNet(size_t classes);

  bool isEmpty() const { return lines.empty(); }

  std::string name(size_t index) const;

  /// Whether `expected` means class `index`: its number, its whole label, the
  /// label without a leading WordNet number (n01234567), or one of its names
  /// between commas; in any case of letters.
  bool means(const std::string &expected, size_t index) const;

private:
  std::vector<std::string> lines;
};

/// A class and its probability, 0 to 1.
struct Score {
  size_t index;
  double probability;
};

/// The `count` most probable classes, best first. The elements are taken as
/// probabilities if none is negative and their sum is 1 within 0.01, and turned
/// into some by softmax otherwise. NaN counts as impossible.
std::vector<Score> bestScores(const Tensor &output, size_t count);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_IMAGES_LABELS_H
