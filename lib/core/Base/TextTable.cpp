//===- TextTable.cpp - columns of text ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/TextTable.h"
#include "glow/Base/OneLine.h"
#include <algorithm>

using namespace glow;

void TextTable::add(Line line) {
  for (std::string &cell : line)
    cell = oneLine(cell);
  lines.push_back(std::move(line));
}

std::string TextTable::text() const {
  std::vector<size_t> widths(lines[0].size());
  for (const Line &line : lines)
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  std::string all;
  for (const Line &line : lines) {
    std::string text;
    for (size_t i = 0; i < line.size(); ++i)
      text += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
    text.resize(text.find_last_not_of(" \t\n\v\f\r") + 1);
    all += text + "\n";
  }
  return all;
}

static std::string escaped(const std::string &cell) {
  std::string text;
  for (char c : cell)
    text += c == '|' ? std::string("\\|") : std::string(1, c);
  return text;
}

std::string TextTable::markdown() const {
  std::string all;
  for (const Line &line : lines) {
    all += "|";
    for (const std::string &cell : line)
      all += " " + escaped(cell) + " |";
    all += "\n";
    if (&line != &lines.front())
      continue;
    all += "|";
    for (size_t column = 0; column < line.size(); ++column)
      all += "---|";
    all += "\n";
  }
  return all;
}
