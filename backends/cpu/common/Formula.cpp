//===- Formula.cpp - chains of Pointwise nodes as text --------------------===//

#include "Formula.h"
#include "Library.h"
#include <cctype>
#include <charconv>

using namespace glow;
using namespace glow::cpu;

namespace {

class Reader {
public:
  Reader(std::string_view text, size_t inputs) : text(text), inputs(inputs) {}

  Result<Formula> read() {
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
      std::string_view argument = word();
      if (!readArgument(argument, results, call))
        return "'" + std::string(argument) + "' is no argument";
    } while (eat(','));
    return eat(')') ? "" : "expected ')'";
  }

  bool readArgument(std::string_view argument, size_t results,
                    Formula::Call &call) {
    if (argument.size() > 1 && (argument[0] == 'x' || argument[0] == 't')) {
      size_t index = 0;
      auto [end, error] = std::from_chars(
          argument.data() + 1, argument.data() + argument.size(), index);
      if (error != std::errc() || end != argument.data() + argument.size() ||
          index >= (argument[0] == 'x' ? inputs : results))
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
    auto [end, error] = std::from_chars(
        argument.data(), argument.data() + argument.size(), number);
    call.arguments.push_back(number);
    return error == std::errc() && end == argument.data() + argument.size() &&
           !argument.empty();
  }

  Status fail(const std::string &message) const {
    return failure(Code::InvalidArgument, "formula '", std::string(text),
                   "', character ", position + 1, ": ", message);
  }

  std::string_view text;
  size_t inputs, position = 0;
};

std::string textOf(const Formula::Argument &argument) {
  if (auto *input = std::get_if<Formula::Input>(&argument))
    return "x" + std::to_string(input->index);
  if (auto *value = std::get_if<Formula::Value>(&argument))
    return "t" + std::to_string(value->index);
  if (auto *kind = std::get_if<ElementKind>(&argument))
    return std::string(name(*kind));
  char digits[40]; // the shortest that reads back as the same number
  auto end =
      std::to_chars(digits, digits + sizeof digits, std::get<double>(argument));
  return std::string(digits, end.ptr);
}

} // namespace

Result<Formula> Formula::parse(std::string_view text, size_t inputs) {
  return Reader(text, inputs).read();
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

Formula Formula::then(const Formula &next, size_t inputs, size_t place) const {
  Formula result = *this;
  Argument mine = Input{0};
  if (!calls.empty())
    mine = Value{calls.size() - 1};
  for (Call call : next.calls) {
    for (Argument &argument : call.arguments) {
      if (auto *value = std::get_if<Value>(&argument))
        value->index += calls.size();
      else if (auto *input = std::get_if<Input>(&argument)) {
        if (input->index == place)
          argument = mine;
        else
          input->index = inputs + input->index - (input->index > place);
      }
    }
    // Either way it is the same, and tiles that do the same are shared.
    if (commutes(call.mnemonic) && call.arguments[1] == mine)
      std::swap(call.arguments[0], call.arguments[1]);
    result.calls.push_back(std::move(call));
  }
  return result;
}
