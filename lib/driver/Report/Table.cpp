//===- Table.cpp - a table of a report, and its printers ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Report/Table.h"
#include "glow/Base/MemorySize.h"
#include "glow/Base/OneLine.h"
#include "glow/Base/TimeText.h"
#include <algorithm>
#include <cstdio>

using namespace glow;

std::string glow::jsonText(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

static bool isAbsent(const Json &value) {
  return value.is_null() || value.is_discarded();
}

TableColumn glow::codeColumn(std::string heading, std::string key) {
  return {std::move(heading), std::move(key), {}, false, /*isCode=*/true};
}

TableColumn glow::quantity(std::string heading, std::string key,
                           const char *format, double scale, const char *none) {
  TableColumn column(
      std::move(heading), std::move(key), [=](const Json &value) {
        const double number = isAbsent(value) ? 0 : value.get<double>();
        char text[64];
        std::snprintf(text, sizeof text, format, number * scale);
        return number != 0 ? text : std::string(none);
      });
  column.isNumber = true;
  return column;
}

TableColumn glow::milliseconds(std::string heading, std::string key) {
  return {std::move(heading), std::move(key),
          [](const Json &value) { return timeText(value.get<double>()); }};
}

TableColumn glow::memorySize(std::string heading, std::string key) {
  return {std::move(heading), std::move(key),
          [](const Json &value) { return sizeText(value.get<uint64_t>()); }};
}

static std::string shownAs(const TableColumn &column, const Json &value) {
  if (column.shown)
    return column.shown(value);
  if (isAbsent(value))
    return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::vector<std::string> Table::cellsOf(size_t column) const {
  std::vector<std::string> cells = {columns[column].heading};
  for (const std::vector<Json> &row : rows)
    cells.push_back(oneLine(shownAs(columns[column], row[column])));
  return cells;
}

std::string Table::text() const {
  std::vector<std::string> lines(rows.size() + 1);
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].heading.empty())
      continue;
    const std::vector<std::string> cells = cellsOf(i);
    const size_t width = std::ranges::max(cells, {}, &std::string::size).size();
    for (size_t line = 0; line < lines.size(); ++line) {
      const std::string space(width - cells[line].size(), ' ');
      lines[line] +=
          (columns[i].isNumber ? space + cells[line] : cells[line] + space) +
          "  ";
    }
  }
  std::string text;
  for (const std::string &line : lines)
    text += line.substr(0, line.find_last_not_of(" \t\n\v\f\r") + 1) + "\n";
  return text;
}

static std::string escaped(const std::string &cell) {
  std::string text;
  for (char c : cell)
    text += c == '|' ? std::string("\\|") : std::string(1, c);
  return text;
}

std::string Table::markdown() const {
  std::vector<std::string> lines(rows.size() + 1, "|");
  std::string rule = "|";
  for (size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].heading.empty())
      continue;
    rule += "---|";
    const std::vector<std::string> cells = cellsOf(i);
    for (size_t line = 0; line < lines.size(); ++line) {
      const std::string tick = columns[i].isCode && line ? "`" : "";
      lines[line] += " " + tick + escaped(cells[line]) + tick + " |";
    }
  }
  lines[0] += "\n" + rule;
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

Json Table::json() const {
  Json array = Json::array();
  for (const std::vector<Json> &row : rows) {
    Json object = Json::object();
    for (size_t i = 0; i < columns.size(); ++i)
      if (!columns[i].key.empty() && !row[i].is_discarded())
        object[columns[i].key] = row[i];
    array.push_back(std::move(object));
  }
  return array;
}
