//===- LengthText.cpp - lengths as texts ----------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Functions/Numbers.h"
#include "glow/Base/Status.h"
#include "glow/Program/Length.h"
#include <charconv>
#include <map>

using namespace glow;

namespace {

/// Reads sum = product {("+" | "-") product}, product = factor {("*" | "/")
/// factor}, factor = ["-"] (number | name | "(" sum ")" | ("max" | "min")
/// "(" sum "," sum ")").
class LengthReader {
public:
  LengthReader(std::string_view text,
               const std::vector<SizeVariable> &variables)
      : text(text), variables(variables) {}

  Result<Length> read() {
    Length result = sum();
    if (status.ok() && at != text.size())
      fail("an operator");
    return status.ok() ? Result<Length>(result) : Result<Length>(status);
  }

private:
  static constexpr unsigned deepest = 64;

  void fail(std::string_view expected) {
    if (status.ok())
      status = failure(Code::InvalidArgument, "at character ", at + 1, " of '",
                       text, "': ", expected, " should be here");
    at = text.size();
  }
  void skipSpace() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  bool takes(char c) {
    skipSpace();
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    skipSpace();
    return true;
  }

  Length sum() {
    Length result = product();
    while (status.ok())
      if (takes('+'))
        result = result + product();
      else if (takes('-'))
        result = result - product();
      else
        break;
    return result;
  }

  Length product() {
    Length result = factor();
    while (status.ok())
      if (takes('*'))
        result = result * factor();
      else if (takes('/'))
        result = quotient(result, factor());
      else
        break;
    return result;
  }

  Length factor() {
    if (++depth > deepest)
      return fail("less nesting"), Length();
    Length result = takes('-') ? Length() - factor() : primary();
    --depth;
    return result;
  }

  Length primary() {
    if (takes('(')) {
      Length result = sum();
      if (!takes(')'))
        fail("')'");
      return result;
    }
    skipSpace();
    auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    auto isLetter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const size_t begin = at;
    if (at < text.size() && isDigit(text[at])) {
      int64_t value = 0;
      while (at < text.size() && isDigit(text[at]))
        value = expr::add(expr::multiply(value, 10), text[at++] - '0');
      return value;
    }
    while (at < text.size() &&
           (isLetter(text[at]) ||
            (at > begin && (isDigit(text[at]) || text[at] == '.'))))
      ++at;
    const std::string_view name = text.substr(begin, at - begin);
    if ((name == "max" || name == "min") && takes('('))
      return call(name == "max");
    for (const SizeVariable &variable : variables)
      if (variable.name == name)
        return Length(variable);
    at = begin;
    fail("a number, or the name of a size");
    return Length();
  }

  Length call(bool isGreater) {
    Length first = sum();
    if (!takes(','))
      fail("','");
    Length second = sum();
    if (!takes(')'))
      fail("')'");
    return isGreater ? greater(first, second) : lesser(first, second);
  }

  std::string_view text;
  const std::vector<SizeVariable> &variables;
  size_t at = 0;
  unsigned depth = 0;
  Status status;
};

} // namespace

Result<Length> Length::parse(std::string_view text,
                             const std::vector<SizeVariable> &variables) {
  return LengthReader(text, variables).read();
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

std::string glow::lengthsText(const std::vector<Length> &lengths) {
  std::map<std::string, std::string> variables;
  std::string text = "[";
  for (const Length &length : lengths) {
    text += (text.size() > 1 ? ", " : "") + length.text();
    length.visitVariables([&](const SizeVariable &variable) {
      variables[variable.name] = variable.text();
    });
  }
  text += "]";
  for (const auto &variable : variables)
    text += ", " + variable.second;
  return text;
}

static std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

static bool readNumber(std::string_view text, int64_t &number) {
  text = trimmed(text);
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Result<SizeVariable> SizeVariable::parse(std::string_view text) {
  SizeVariable variable;
  const size_t equals = text.find('='), dots = text.find(".."),
               by = text.find(" by ");
  auto fail = [&](const auto &...should) {
    return failure(Code::InvalidArgument, "size '", trimmed(text), "' ",
                   should...);
  };
  if (equals == text.npos || dots == text.npos || dots < equals ||
      (by != text.npos && by < dots))
    return fail("should be as in 'N = 1..16' or 'S = 8..512 by 8'");
  variable.name = trimmed(text.substr(0, equals));
  const std::string_view high = by == text.npos
                                    ? text.substr(dots + 2)
                                    : text.substr(dots + 2, by - dots - 2);
  if (variable.name.empty() ||
      !readNumber(text.substr(equals + 1, dots - equals - 1), variable.low) ||
      !readNumber(high, variable.high) ||
      (by != text.npos && !readNumber(text.substr(by + 4), variable.multiple)))
    return fail("should be as in 'N = 1..16' or 'S = 8..512 by 8'");
  if (variable.low < 0 || variable.high < variable.low)
    return fail("should have a range that is not empty, without negative "
                "numbers");
  if (variable.multiple < 1 || variable.low % variable.multiple != 0 ||
      variable.high % variable.multiple != 0)
    return fail("should have a range from one multiple of ", variable.multiple,
                " to another");
  return variable;
}

/// Reads `, N = 1..16, S = 8..512 by 8`.
static Result<std::vector<SizeVariable>> readVariables(std::string_view text) {
  std::vector<SizeVariable> variables;
  while (!text.empty()) {
    if (text.front() != ',')
      return failure(Code::InvalidArgument, "',' and a size should be at '",
                     text, "'");
    text.remove_prefix(1);
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(one.size());
    Result<SizeVariable> variable = SizeVariable::parse(one);
    if (!variable)
      return variable.status();
    for (const SizeVariable &other : variables)
      if (other.name == variable->name)
        return failure(Code::InvalidArgument, "size '", other.name,
                       "' has two ranges");
    variables.push_back(variable.take());
  }
  return variables;
}

Result<std::vector<Length>> glow::parseLengths(std::string_view text) {
  const size_t end = text.find(']');
  if (text.empty() || text.front() != '[' || end == text.npos)
    return failure(Code::InvalidArgument, "list '", text,
                   "' should be in brackets, as in '[N, 784], N = 1..16'");
  Result<std::vector<SizeVariable>> variables =
      readVariables(text.substr(end + 1));
  if (!variables)
    return variables.status();
  std::string_view list = text.substr(1, end - 1);
  std::vector<Length> lengths;
  while (!trimmed(list).empty()) {
    // Commas in brackets belong to calls: max(N, M).
    size_t size = 0;
    for (unsigned depth = 0; size < list.size(); ++size) {
      depth += list[size] == '(';
      depth -= list[size] == ')' && depth > 0;
      if (list[size] == ',' && depth == 0)
        break;
    }
    Result<Length> length =
        Length::parse(trimmed(list.substr(0, size)), *variables);
    if (!length)
      return length.status();
    lengths.push_back(length.take());
    list.remove_prefix(std::min(size + 1, list.size()));
  }
  return lengths;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

std::string SizeCondition::text() const {
  const char *word = relation == Relation::Equal    ? " == "
                     : relation == Relation::Differ ? " != "
                     : relation == Relation::Below  ? " < "
                                                    : " <= ";
  return left.text() + word + right.text();
}

bool SizeCondition::holds(int64_t a, int64_t b) const {
  return relation == Relation::Equal    ? a == b
         : relation == Relation::Differ ? a != b
         : relation == Relation::Below  ? a < b
                                        : a <= b;
}
