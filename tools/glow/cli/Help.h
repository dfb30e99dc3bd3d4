//===- Help.h - layout of the help ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_CLI_HELP_H
#define GLOW_TOOLS_GLOW_CLI_HELP_H

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace glow::tool {

/// Lines of at most 100 columns, descriptions in a column of their own.
class HelpFormatter final : public CLI::Formatter {
public:
  std::string make_option(const CLI::Option *option,
                          bool isPositional) const override;
  std::string make_option_opts(const CLI::Option *option) const override;
  std::string make_option_desc(const CLI::Option *option) const override;
  std::string make_subcommand(const CLI::App *command) const override;
  std::string make_description(const CLI::App *command) const override;
  /// Commands stand before flags.
  std::string make_help(const CLI::App *command, std::string name,
                        CLI::AppFormatMode mode) const override;

private:
  /// Flags under their headings; flags for developers are last.
  std::string groupsOf(const CLI::App *command) const;
};

/// The commands below another one that help lists.
std::vector<std::string> commandNames(const CLI::App &command);

/// Puts commands that work when pasted at the end of a command's help.
void addExamples(CLI::App &command, const std::vector<std::string> &examples);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_CLI_HELP_H
