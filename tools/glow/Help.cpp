//===- Help.cpp - how help is laid out ------------------------------------===//

#include "Help.h"
#include <algorithm>
#include <sstream>

using namespace glow;
using namespace glow::tool;

static constexpr size_t columns = 100, textColumn = 30;

/// Adds words to a text whose last line has `at` columns, in lines that begin
/// at column `begin`.
static void wrap(std::string &text, size_t at, size_t begin,
                 const std::string &added) {
  text += std::string(begin - at, ' ');
  at = begin;
  std::istringstream words(added);
  for (std::string word; words >> word;) {
    if (at > begin && at + 1 + word.size() > columns) {
      text += "\n" + std::string(begin, ' ');
      at = begin;
    }
    text += (at > begin ? " " : "") + word;
    at += word.size() + (at > begin);
  }
  text += "\n";
}

/// What is written at the left, and a description, which begins on the next
/// line if that is too long.
static std::string entry(const std::string &left,
                         const std::string &description) {
  std::string text = "  " + left;
  bool isLong = text.size() + 2 > textColumn;
  size_t at = isLong ? 0 : text.size();
  text += isLong ? "\n" : "";
  wrap(text, at, textColumn, description);
  return text;
}

std::string HelpFormatter::make_description(const CLI::App *command) const {
  std::string text;
  wrap(text, 0, 0, command->get_description());
  return text;
}

std::string HelpFormatter::make_option(const CLI::Option *option,
                                       bool isPositional) const {
  return entry(make_option_name(option, isPositional) +
                   make_option_opts(option),
               make_option_desc(option));
}

/// The type and the value that it has without it; what it goes with stands in
/// the description.
std::string HelpFormatter::make_option_opts(const CLI::Option *option) const {
  std::string text = Formatter::make_option_opts(option);
  for (const char *rest : {" Excludes:", " Needs:"})
    text = text.substr(0, text.find(rest));
  return text;
}

static std::string namesOf(const std::set<CLI::Option *> &options) {
  std::vector<std::string> names;
  for (const CLI::Option *option : options)
    names.push_back(option->get_name());
  std::ranges::sort(names);
  return CLI::detail::join(names, " or ");
}

std::string HelpFormatter::make_option_desc(const CLI::Option *option) const {
  std::string text = option->get_description();
  if (!option->get_excludes().empty())
    text += "; not with " + namesOf(option->get_excludes());
  if (!option->get_needs().empty())
    text += "; only with " + namesOf(option->get_needs());
  return text;
}

std::string HelpFormatter::make_subcommand(const CLI::App *command) const {
  return entry(command->get_name(), command->get_description());
}

void tool::addExamples(CLI::App &command,
                       const std::vector<std::string> &examples) {
  std::string text = "Examples:";
  for (const std::string &example : examples)
    text += "\n  " + example;
  command.footer(text);
}
