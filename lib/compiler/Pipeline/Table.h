//===- Table.h - columns of text --------------------------------*- C++ -*-===//

#ifndef GLOW_LIB_PIPELINE_TABLE_H
#define GLOW_LIB_PIPELINE_TABLE_H

#include "llvm/Support/raw_ostream.h"
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
  void print(llvm::raw_ostream &os) const;
  /// As a table of Markdown.
  void printMarkdown(llvm::raw_ostream &os) const;

private:
  std::vector<Line> lines;
};

} // namespace glow

#endif // GLOW_LIB_PIPELINE_TABLE_H
