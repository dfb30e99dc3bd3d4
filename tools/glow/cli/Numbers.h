//===- Numbers.h - numbers on the command line ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_CLI_NUMBERS_H
#define GLOW_TOOLS_GLOW_CLI_NUMBERS_H

#include "Tool.h"
#include <charconv>
#include <optional>

namespace glow::tool {

/// The decimal number that is all of `text`, neither infinite nor NaN. Returns
/// nothing if it is not from `least` to `most`.
template <typename Number>
std::optional<Number> numberIn(const std::string &text, Number least,
                               Number most) {
  Number number = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  bool isIn = number >= least && number <= most; // NaN is not
  if (error != std::errc() || rest != end || !isIn)
    return std::nullopt;
  return number;
}

/// "12", "0.5".
template <typename Number> std::string numberText(Number number) {
  char text[32];
  return std::string(text, std::to_chars(text, text + 32, number).ptr);
}

/// Adds a flag for a number from `least` to `most`, without a default.
template <typename Number, typename Take>
CLI::Option *addNumberFlag(CLI::App &app, const std::string &flag, Take take,
                           Number least, Number most,
                           const std::string &description) {
  std::string range = " should be a number from " + numberText(least) + " to " +
                      numberText(most);
  return app.add_option_function<std::string>(
      flag,
      [=](const std::string &text) {
        std::optional<Number> number = numberIn(text, least, most);
        if (!number)
          throw CLI::ValidationError(flag + ": '" + text + "'" + range);
        take(*number);
      },
      description);
}

/// Adds a flag for a number. The default is the value of `number`.
template <typename Number>
CLI::Option *addNumber(CLI::App &app, const std::string &flag, Number &number,
                       Number least, Number most,
                       const std::string &description) {
  return addNumberFlag(
             app, flag, [&number](Number value) { number = value; }, least,
             most, description)
      ->default_str(numberText(number));
}

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_CLI_NUMBERS_H
