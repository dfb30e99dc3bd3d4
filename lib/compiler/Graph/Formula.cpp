//===- Formula.cpp - fused nodes as text ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// `mul(x0, x1); relu(t0)`: x is an input, t the result of an earlier call.
// Numbers are written with enough digits to be read back exactly. Any other
// word is an element kind or a number, tried in this order: no kind looks like
// a number.
//
//===----------------------------------------------------------------------===//

#include "glow/Graph/Formula.h"
#include "glow/Graph/FormulaAttr.h"
#include <algorithm>
#include <cctype>
#include <charconv>

using namespace glow;

namespace {

class FormulaReader {
public:
  explicit FormulaReader(std::string_view text) : text(text) {}

  std::optional<Formula> read() {
    Formula formula;
    while (skip(), position < text.size()) {
      if (!formula.calls.empty() && !eat(';'))
        return fail("expected ';'");
      Formula::Call call;
      if (std::string wrong = readCall(call, formula.calls.size());
          !wrong.empty())
        return fail(wrong);
      formula.calls.push_back(std::move(call));
    }
    return formula;
  }

  std::string wrong;

private:
  void skip() {
    while (position < text.size() && text[position] == ' ')
      ++position;
  }
  bool eat(char wanted) {
    skip();
    if (position >= text.size() || text[position] != wanted)
      return false;
    ++position;
    return true;
  }
  std::string_view word() {
    skip();
    size_t begin = position;
    auto isPart = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' ||
             c == '.' || c == '-' || c == '+';
    };
    while (position < text.size() && isPart(text[position]))
      ++position;
    return text.substr(begin, position - begin);
  }

  std::string readCall(Formula::Call &call, size_t results) {
    call.mnemonic = word();
    if (call.mnemonic.empty() || !eat('('))
      return "expected a call";
    if (eat(')'))
      return "";
    do {
      std::string wrong = readArgument(call, results);
      if (!wrong.empty())
        return wrong;
    } while (eat(','));
    return eat(')') ? "" : "expected ')'";
  }

  std::string readArgument(Formula::Call &call, size_t results) {
    if (eat('\''))
      return readText(call);
    if (eat('['))
      return readList(call);
    std::string_view argument = word();
    return readWord(argument, results, call)
               ? ""
               : "'" + std::string(argument) + "' is no argument";
  }

  std::string readText(Formula::Call &call) {
    size_t end = text.find('\'', position);
    if (end == std::string_view::npos)
      return "expected a quote";
    call.arguments.push_back(
        Formula::Text{std::string(text.substr(position, end - position))});
    position = end + 1;
    return "";
  }

  std::string readList(Formula::Call &call) {
    Formula::Numbers numbers;
    if (!eat(']')) {
      do {
        std::string_view digits = word();
        if (!readNumber(digits, numbers.emplace_back()))
          return "'" + std::string(digits) + "' is no number";
      } while (eat(','));
      if (!eat(']'))
        return "expected ']'";
    }
    call.arguments.push_back(std::move(numbers));
    return "";
  }

  static bool readNumber(std::string_view digits, double &number) {
    auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size() &&
           !digits.empty();
  }

  bool readWord(std::string_view argument, size_t results,
                Formula::Call &call) {
    if (argument == "none") {
      call.arguments.push_back(Formula::Absent());
      return true;
    }
    if (argument.size() > 1 && (argument[0] == 'x' || argument[0] == 't')) {
      size_t index = 0;
      auto [end, error] = std::from_chars(
          argument.data() + 1, argument.data() + argument.size(), index);
      if (error != std::errc() || end != argument.data() + argument.size() ||
          (argument[0] == 't' && index >= results))
        return false;
      if (argument[0] == 'x')
        call.arguments.push_back(Formula::Input{index});
      else
        call.arguments.push_back(Formula::Value{index});
      return true;
    }
    if (auto kind = elementKindNamed(argument)) {
      call.arguments.push_back(*kind);
      return true;
    }
    double number = 0;
    bool isNumber = readNumber(argument, number);
    call.arguments.push_back(number);
    return isNumber;
  }

  std::nullopt_t fail(const std::string &message) {
    wrong = "formula '" + std::string(text) + "', character " +
            std::to_string(position + 1) + ": " + message;
    return std::nullopt;
  }

  std::string_view text;
  size_t position = 0;
};

std::string textOf(double number) {
  char digits[40]; // the shortest that reads back as the same number
  auto end = std::to_chars(digits, digits + sizeof digits, number);
  return std::string(digits, end.ptr);
}

std::string textOf(const Formula::Numbers &numbers) {
  std::string text;
  for (double number : numbers)
    text += (text.empty() ? "" : ", ") + textOf(number);
  return "[" + text + "]";
}

std::string textOf(const Formula::Argument &argument) {
  if (auto *input = std::get_if<Formula::Input>(&argument))
    return "x" + std::to_string(input->index);
  if (auto *value = std::get_if<Formula::Value>(&argument))
    return "t" + std::to_string(value->index);
  if (auto *kind = std::get_if<ElementKind>(&argument))
    return std::string(name(*kind));
  if (std::get_if<Formula::Absent>(&argument))
    return "none";
  if (auto *text = std::get_if<Formula::Text>(&argument))
    return "'" + text->characters + "'";
  if (auto *numbers = std::get_if<Formula::Numbers>(&argument))
    return textOf(*numbers);
  return textOf(std::get<double>(argument));
}

} // namespace

std::optional<Formula> Formula::parse(std::string_view text,
                                      std::string *wrong) {
  FormulaReader reader(text);
  std::optional<Formula> formula = reader.read();
  if (wrong)
    *wrong = reader.wrong;
  return formula;
}

size_t Formula::inputs() const {
  size_t count = calls.empty() ? 1 : 0;
  for (const Call &call : calls)
    for (const Argument &argument : call.arguments)
      if (auto *input = std::get_if<Input>(&argument))
        count = std::max(count, input->index + 1);
  return count;
}

std::string Formula::text() const {
  std::string result;
  for (const Call &call : calls) {
    result += (result.empty() ? "" : "; ") + call.mnemonic + "(";
    for (size_t i = 0; i < call.arguments.size(); ++i)
      result += (i ? ", " : "") + textOf(call.arguments[i]);
    result += ")";
  }
  return result;
}

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

detail::FormulaAttrStorage::FormulaAttrStorage(llvm::StringRef text)
    : text(text.str()) {
  if (std::optional<Formula> parsed = Formula::parse(text, &wrong))
    formula = std::move(*parsed);
}

llvm::StringRef FormulaAttr::getText() const { return getImpl()->text; }
const Formula &FormulaAttr::value() const { return getImpl()->formula; }
const std::string &FormulaAttr::wrong() const { return getImpl()->wrong; }

mlir::Attribute FormulaAttr::parse(mlir::AsmParser &parser, mlir::Type) {
  FormulaAttr formula;
  if (parser.parseLess() || parseText(parser, formula) || parser.parseGreater())
    return {};
  return formula;
}

mlir::ParseResult FormulaAttr::parseText(mlir::AsmParser &parser,
                                         FormulaAttr &formula) {
  std::string text;
  llvm::SMLoc at = parser.getCurrentLocation();
  if (parser.parseString(&text))
    return mlir::failure();
  formula = get(parser.getContext(), text);
  if (!formula.isValid())
    return parser.emitError(at) << formula.wrong();
  return mlir::success();
}

void FormulaAttr::print(mlir::AsmPrinter &printer) const {
  printer << '<';
  printText(printer);
  printer << '>';
}
void FormulaAttr::printText(mlir::AsmPrinter &printer) const {
  printer.printString(getText());
}
