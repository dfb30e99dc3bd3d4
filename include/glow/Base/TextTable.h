//===- TextTable.h - columns of text ----------------------------*- C++ -*-===//

#ifndef GLOW_BASE_TEXTTABLE_H
#define GLOW_BASE_TEXTTABLE_H

#include <string>
#include <vector>

namespace glow {

/// Lines of cells under a heading. Whatever a cell holds, it stays on its line.
class TextTable {
public:
  using Line = std::vector<std::string>;
  explicit TextTable(Line heading) { add(std::move(heading)); }

  /// `line` has as many cells as the heading.
  void add(Line line);

  /// As columns that begin at one place.
  std::string text() const;

  /// As a table of Markdown.
  std::string markdown() const;

private:
  std::vector<Line> lines;
};

} // namespace glow

#endif // GLOW_BASE_TEXTTABLE_H
