//===- Table.h - a table of a report, and its printers ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_REPORT_TABLE_H
#define GLOW_REPORT_TABLE_H

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace glow {

using Json = nlohmann::ordered_json;

/// An indented text. Invalid UTF-8, as names of models may be, is replaced.
std::string jsonText(const Json &json);

/// The value of a cell that its row lacks: JSON omits its key.
inline const Json noValue(Json::value_t::discarded);

/// `value`, or `noValue` for an empty text or list.
template <typename Value> Json unlessEmpty(const Value &value) {
  return value.empty() ? noValue : Json(value);
}

/// A column of a table: how its values are called and shown.
struct TableColumn {
  std::string heading;  ///< "": only in JSON
  std::string key = {}; ///< "": only in text
  /// Text of a value; null: a string or a number as it is.
  std::function<std::string(const Json &)> shown = {};
  bool isNumber = false; ///< aligned to the right
  bool isCode = false;   ///< as code in Markdown
};

/// A column of names that are code.
TableColumn codeColumn(std::string heading, std::string key);

/// A column of numbers. Text shows `scale` times the number in printf's
/// `format`, which has the unit. It shows `none` for 0 and for no number.
TableColumn quantity(std::string heading, std::string key, const char *format,
                     double scale = 1, const char *none = "");

/// A column of milliseconds: "1.23 ms".
TableColumn milliseconds(std::string heading, std::string key);

/// A column of bytes: "1.5 GiB".
TableColumn memorySize(std::string heading, std::string key);

/// Rows of values under named columns, for several printers.
class Table {
public:
  explicit Table(std::vector<TableColumn> columns)
      : columns(std::move(columns)) {}

  /// Adds a row with one value for each column.
  void add(std::vector<Json> row) { rows.push_back(std::move(row)); }

  /// Aligned columns of text under their headings. A cell never breaks its
  /// line, even if its value has line ends.
  std::string text() const;

  /// The same as a table of Markdown.
  std::string markdown() const;

  /// An array with an object for each row.
  Json json() const;

private:
  /// The heading of a column, and the texts of its values.
  std::vector<std::string> cellsOf(size_t column) const;

  std::vector<TableColumn> columns;
  std::vector<std::vector<Json>> rows;
};

} // namespace glow

#endif // GLOW_REPORT_TABLE_H
