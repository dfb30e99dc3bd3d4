//===- Table.cpp - columns of text ----------------------------------------===//

#include "Table.h"
#include "glow/Base/OneLine.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

using namespace glow;

void TextTable::add(Line line) {
  for (std::string &cell : line)
    cell = oneLine(cell);
  lines.push_back(std::move(line));
}

void TextTable::print(llvm::raw_ostream &os) const {
  std::vector<size_t> widths(lines[0].size());
  for (const Line &line : lines)
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  for (const Line &line : lines) {
    std::string text;
    for (size_t i = 0; i < line.size(); ++i)
      text += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
    os << llvm::StringRef(text).rtrim() << "\n";
  }
}

static std::string escaped(const std::string &cell) {
  std::string text;
  for (char c : cell)
    text += c == '|' ? std::string("\\|") : std::string(1, c);
  return text;
}

void TextTable::printMarkdown(llvm::raw_ostream &os) const {
  for (size_t i = 0; i < lines.size(); ++i) {
    os << "|";
    for (const std::string &cell : lines[i])
      os << " " << escaped(cell) << " |";
    os << "\n";
    if (i > 0)
      continue;
    os << "|";
    for (size_t column = 0; column < lines[0].size(); ++column)
      os << "---|";
    os << "\n";
  }
}
