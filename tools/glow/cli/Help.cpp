//===- Help.cpp - layout of the help --------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Help.h"
#include "Tool.h"
#include "glow/Base/Nearest.h"
#include <algorithm>
#include <cstdio>
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

/// An entry: the text at the left, and a description, which begins on the next
/// line if the left is too long.
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

/// The type and the default value. The description has the flags that it needs
/// or excludes.
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

std::string HelpFormatter::make_help(const CLI::App *command, std::string name,
                                     CLI::AppFormatMode mode) const {
  return make_description(command) + make_usage(command, name) +
         make_positionals(command) + make_subcommands(command, mode) +
         groupsOf(command) + "\n" + make_footer(command);
}

std::string HelpFormatter::groupsOf(const CLI::App *command) const {
  std::vector<std::string> groups = command->get_groups();
  std::ranges::stable_partition(groups, [](const std::string &group) {
    return group != developerHeading;
  });
  std::string text;
  for (const std::string &group : groups) {
    std::vector<const CLI::Option *> options =
        command->get_options([&](const CLI::Option *option) {
          return option->get_group() == group && option->nonpositional();
        });
    if (!group.empty() && !options.empty())
      text += make_group(group, /*is_positional=*/false, options);
  }
  return text;
}

std::vector<std::string> tool::commandNames(const CLI::App &command) {
  std::vector<std::string> names;
  for (const CLI::App *below : command.get_subcommands({}))
    if (!below->get_group().empty())
      names.push_back(below->get_name());
  return names;
}

/// Prints the help of a command, or of one below it.
static Status printHelp(const CLI::App &glow,
                        const std::vector<std::string> &words) {
  const CLI::App *command = &glow;
  std::string name = glow.get_name(); // with those above it
  for (const std::string &word : words) {
    const std::vector<const CLI::App *> below = command->get_subcommands(
        [&](const CLI::App *one) { return one->get_name() == word; });
    if (below.empty()) {
      std::vector<std::string> names = commandNames(*command);
      return failure(Code::NotFound, "there is no command '", word, "'",
                     didYouMean(word, names),
                     "; there are: ", CLI::detail::join(names, ", "));
    }
    command = below.front();
    name += " " + command->get_name();
  }
  // Not by CLI::App::help, which is of the command that was parsed: this one.
  std::fputs(HelpFormatter()
                 .make_help(command, name, CLI::AppFormatMode::Normal)
                 .c_str(),
             stdout);
  return Status();
}

Subcommand tool::addHelp(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand("help", "print the help of a command");
  addExamples(*app, {"glow help run", "glow help cache list"});
  auto words = std::make_shared<std::vector<std::string>>();
  app->add_option("COMMAND", *words, "the command; default: glow itself");
  return {app, [&glow, words] {
            Status status = printHelp(glow, *words);
            return status.ok() ? 0 : fail(status);
          }};
}

void tool::addExamples(CLI::App &command,
                       const std::vector<std::string> &examples) {
  std::string text = "Examples:";
  for (const std::string &example : examples)
    text += "\n  " + example;
  command.footer(text);
}
