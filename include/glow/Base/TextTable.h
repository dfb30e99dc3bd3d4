//===- TextTable.h - columns of text ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_TEXTTABLE_H
#define GLOW_BASE_TEXTTABLE_H

#include <string>
#include <vector>

namespace glow {

/// Lines of cells under a heading. A cell never breaks its line, even if its
/// text has line ends.
class TextTable {
public:
  using Line = std::vector<std::string>;
  explicit TextTable(Line heading) { add(std::move(heading)); }

  /// Adds a line with as many cells as the heading.
  void add(Line line);

  /// The table as aligned columns of text.
  std::string text() const;

  /// The table in Markdown.
  std::string markdown() const;

private:
  std::vector<Line> lines;
};

} // namespace glow

#endif // GLOW_BASE_TEXTTABLE_H
