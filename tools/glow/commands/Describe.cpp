//===- Describe.cpp - glow describe: for shells, and as a manual ----------===//
// SPDX-License-Identifier: MIT
//
// The build generates the completions of shells, the pages of the manual and
// the page of the reference from the parser of the commands. The command is in
// no list: only the build uses it.
//
//===----------------------------------------------------------------------===//

#include "cli/Help.h"
#include "cli/Tool.h"
#include "glow/Base/NewFile.h"
#include "glow/Base/Version.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>

using namespace glow;
using namespace glow::tool;

namespace {

/// A word of a command line that begins with `-`.
struct Flag {
  std::vector<std::string> names; ///< with their dashes, the long ones first
  std::string type;               ///< "" where no value follows
  std::vector<std::string> values;
  std::string text;
  std::string heading;   ///< its heading in the help
  std::string initially; ///< the default; "" for none
};

struct Command {
  std::string name, text; ///< "run"; "" for glow itself
  std::vector<Flag> flags, places;
  std::vector<std::string> below; ///< commands of its own
  std::string examples;           ///< in lines
};

} // namespace

/// The words of a type like `{one,two}`.
static std::vector<std::string> valuesOf(const std::string &type) {
  size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos)
    return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

/// The default that the parser knows, or that the text ends with.
static std::string initiallyOf(const CLI::Option &option) {
  if (!option.get_default_str().empty())
    return option.get_default_str();
  constexpr std::string_view lead = "; default: ";
  const std::string text = option.get_description();
  const size_t at = text.rfind(lead);
  return at == std::string::npos ? "" : text.substr(at + lead.size());
}

static Flag flagOf(const CLI::Option &option) {
  Flag flag{{},
            "",
            {},
            HelpFormatter().make_option_desc(&option),
            option.get_group(),
            initiallyOf(option)};
  for (const std::string &name : option.get_lnames())
    flag.names.push_back("--" + name);
  for (const std::string &name : option.get_snames())
    flag.names.push_back("-" + name);
  if (flag.names.empty())
    flag.names.push_back(option.get_name());
  if (option.get_expected_max() == 0)
    return flag;
  flag.values = valuesOf(option.get_type_name());
  flag.type = flag.values.empty() ? option.get_type_name()
                                  : CLI::detail::join(flag.values, "|");
  return flag;
}

static Command commandOf(const CLI::App &app, const std::string &name) {
  Command command{name, app.get_description(), {}, {}, {}, ""};
  if (const std::string footer = app.get_footer();
      footer.starts_with("Examples:\n"))
    command.examples = footer.substr(footer.find('\n') + 1);
  for (const CLI::Option *option : app.get_options())
    (option->get_positional() ? command.places : command.flags)
        .push_back(flagOf(*option));
  for (const CLI::App *below : app.get_subcommands({}))
    if (!below->get_group().empty())
      command.below.push_back(below->get_name());
  return command;
}

/// glow itself, and every command.
static std::vector<Command> commandsOf(const CLI::App &glow) {
  std::vector<Command> commands{commandOf(glow, "")};
  for (const CLI::App *app : glow.get_subcommands({}))
    if (!app->get_group().empty())
      commands.push_back(commandOf(*app, app->get_name()));
  return commands;
}

/// Within single quotes of a shell.
static std::string escapeQuotes(const std::string &text) {
  return CLI::detail::find_and_replace(text, "'", "'\\''");
}

/// The names of all flags, and the commands below.
static std::string wordsOf(const Command &command) {
  std::vector<std::string> words = command.below;
  for (const Flag &flag : command.flags)
    words.insert(words.end(), flag.names.begin(), flag.names.end());
  return CLI::detail::join(words, " ");
}

//===----------------------------------------------------------------------===//
// Shells
//===----------------------------------------------------------------------===//

static std::string forBash(const std::vector<Command> &commands) {
  std::string text =
      R"(# Completion of glow for bash; made of its own description.
_glow() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command= words= i
  # A value may stand behind `=`, which is a word to bash.
  [[ $word != = ]] || word=
  [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
  case "$command $before" in
)";
  for (const Command &command : commands)
    for (const Flag &flag : command.flags)
      if (!flag.values.empty())
        for (const std::string &name : flag.names)
          text += "  '" + command.name + " " + name + "')\n    words='" +
                  CLI::detail::join(flag.values, " ") + "' ;;\n";
  text += "  esac\n  if [[ -z $words && ( $word == -* || -z $command ) ]]; "
          "then\n    case \"$command\" in\n";
  for (const Command &command : commands)
    text += "    '" + command.name + "') words='" + wordsOf(command) + "' ;;\n";
  text += R"(    esac
  fi
  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _glow glow
)";
  return text;
}

/// A specification for zsh's _arguments, with special characters escaped.
static std::string zshFlag(const std::string &name, const Flag &flag) {
  std::string about = flag.text;
  for (const char *special : {"\\", "[", "]", ":"})
    about = CLI::detail::find_and_replace(about, special,
                                          "\\" + std::string(special));
  std::string text = name;
  bool takesValue = !flag.type.empty();
  text += (takesValue && name.starts_with("--") ? "=[" : "[") + about + "]";
  if (!takesValue)
    return "'" + escapeQuotes(text) + "'";
  text += ":" + CLI::detail::find_and_replace(flag.type, ":", "\\:") + ":";
  text += flag.values.empty() ? "_files"
                              : "(" + CLI::detail::join(flag.values, " ") + ")";
  return "'" + escapeQuotes(text) + "'";
}

static std::string forZsh(const std::vector<Command> &commands) {
  std::string text = "#compdef glow\n# Completion of glow for zsh; made of its "
                     "own description.\n_glow() {\n  local state\n  local -a "
                     "commands=(\n";
  for (const Command &command : commands)
    if (!command.name.empty())
      text += "    '" + command.name + ":" + escapeQuotes(command.text) + "'\n";
  text += "  )\n  _arguments -C '1: :->command' '*:: :->rest' \\\n";
  for (const Flag &flag : commands.front().flags)
    for (const std::string &name : flag.names)
      text += "    " + zshFlag(name, flag) + " \\\n";
  text += "    && return\n  if [[ $state == command ]]; then\n    _describe "
          "command commands\n    return\n  fi\n  case $words[1] in\n";
  for (const Command &command : commands) {
    if (command.name.empty())
      continue;
    text += "  " + command.name + ")\n    _arguments \\\n";
    for (const Flag &flag : command.flags)
      for (const std::string &name : flag.names)
        text += "      " + zshFlag(name, flag) + " \\\n";
    if (!command.below.empty())
      text += "      '1:command:(" + CLI::detail::join(command.below, " ") +
              ")' \\\n";
    text += "      '*:file:_files' ;;\n";
  }
  text += "  esac\n}\n_glow \"$@\"\n";
  return text;
}

static std::string fishFlag(const Flag &flag) {
  std::string text;
  for (const std::string &name : flag.names)
    text += name.starts_with("--") ? " -l " + name.substr(2)
                                   : " -s " + name.substr(1);
  if (!flag.values.empty())
    text += " -x -a '" + CLI::detail::join(flag.values, " ") + "'";
  else if (!flag.type.empty())
    text += " -r";
  // Fish has a backslash before a quote in quotes.
  return text + " -d '" + CLI::detail::find_and_replace(flag.text, "'", "\\'") +
         "'\n";
}

static std::string forFish(const std::vector<Command> &commands) {
  std::string text =
      "# Completion of glow for fish; made of its own description.\n";
  for (const Command &command : commands) {
    std::string when = "__fish_seen_subcommand_from " + command.name;
    if (command.name.empty())
      when = "__fish_use_subcommand";
    else
      text += "complete -c glow -n __fish_use_subcommand -a " + command.name +
              " -d '" +
              CLI::detail::find_and_replace(command.text, "'", "\\'") + "'\n";
    for (const Flag &flag : command.flags)
      text += "complete -c glow -n '" + when + "'" + fishFlag(flag);
    if (!command.name.empty() && !command.below.empty())
      text += "complete -c glow -n '" + when + "' -a '" +
              CLI::detail::join(command.below, " ") + "'\n";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// The manual
//===----------------------------------------------------------------------===//

/// A text of a page, where some characters have a meaning.
static std::string roff(std::string text) {
  text = CLI::detail::find_and_replace(text, "\\", "\\e");
  text = CLI::detail::find_and_replace(text, "-", "\\-");
  text = CLI::detail::find_and_replace(text, "\n.", "\n\\&.");
  text = CLI::detail::find_and_replace(text, "\n'", "\n\\&'");
  return text.starts_with('.') || text.starts_with('\'') ? "\\&" + text : text;
}

static std::string entries(const std::vector<Flag> &flags) {
  std::string text;
  for (const Flag &flag : flags) {
    text += ".TP\n.B " + roff(CLI::detail::join(flag.names, ", "));
    if (!flag.type.empty() && flag.names[0].starts_with('-'))
      text += " \\fI" + roff(flag.type) + "\\fR";
    text += "\n" + roff(flag.text) + "\n";
  }
  return text;
}

static std::string pageOf(const Command &command,
                          const std::vector<Command> &all) {
  bool isGlow = command.name.empty();
  std::string name = isGlow ? "glow" : "glow-" + command.name;
  std::string text = ".TH " + CLI::detail::to_lower(name) + " 1 \"\" \"glow " +
                     std::string(version()) + "\"\n.SH NAME\n" + roff(name) +
                     " \\- " + roff(command.text) + "\n.SH SYNOPSIS\n.B glow";
  text += isGlow ? " \\fICOMMAND\\fR" : " " + roff(command.name);
  for (const Flag &place : command.places)
    text += " \\fI" + roff(place.names[0]) + "\\fR";
  if (!isGlow && !command.below.empty())
    text += " " + CLI::detail::join(command.below, "|");
  text += " [\\fIOPTIONS\\fR]\n";
  if (isGlow) {
    text += ".SH COMMANDS\n";
    for (const Command &other : all)
      if (!other.name.empty())
        text += ".TP\n.BR glow\\-" + roff(other.name) + " (1)\n" +
                roff(other.text) + "\n";
  }
  if (!command.places.empty())
    text += ".SH ARGUMENTS\n" + entries(command.places);
  text += ".SH OPTIONS\n" + entries(command.flags);
  if (!command.examples.empty())
    text += ".SH EXAMPLES\n.nf\n" + roff(command.examples) + "\n.fi\n";
  return text;
}

//===----------------------------------------------------------------------===//
// The page of the reference
//===----------------------------------------------------------------------===//

/// Within a table of Markdown.
static std::string cell(const std::string &text) {
  return CLI::detail::find_and_replace(text, "|", "\\|");
}

/// Rows under the headings of the help, in its order.
static std::string tables(const std::vector<Flag> &flags) {
  std::vector<std::string> headings;
  for (const Flag &flag : flags)
    if (std::ranges::find(headings, flag.heading) == headings.end())
      headings.push_back(flag.heading);
  std::string text;
  for (const std::string &heading : headings) {
    text += "\n| " + heading + " | value | default | |\n|---|---|---|---|\n";
    for (const Flag &flag : flags)
      if (flag.heading == heading)
        text += "| `" + CLI::detail::join(flag.names, "` `") + "` | " +
                (flag.type.empty() ? "" : "`" + cell(flag.type) + "`") + " | " +
                cell(flag.initially) + " | " + cell(flag.text) + " |\n";
  }
  return text;
}

static std::string forReference(const std::vector<Command> &commands) {
  std::string text = "# Commands\n\nMade of what `glow` says of itself; do not "
                     "edit. Sizes and units stand behind each flag.\n";
  for (const Command &command : commands) {
    std::string name =
        "glow" + (command.name.empty() ? "" : " " + command.name);
    text += "\n## `" + name + "`\n\n" + command.text + "\n";
    if (!command.below.empty() && !command.name.empty())
      text += "\nOne of `" + CLI::detail::join(command.below, "`, `") + "`.\n";
    text += tables(command.places) + tables(command.flags);
    if (!command.examples.empty())
      text += "\n```shell\n" + command.examples + "\n```\n";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// Where packages have each file, below `share`.
static Status writeAll(const CLI::App &glow, const std::string &folder) {
  std::vector<Command> commands = commandsOf(glow);
  std::map<std::string, std::string> files{
      {"bash-completion/completions/glow", forBash(commands)},
      {"zsh/vendor-completions/_glow", forZsh(commands)},
      {"fish/vendor_completions.d/glow.fish", forFish(commands)},
      {"doc/glow/reference/Commands.md", forReference(commands)}};
  for (const Command &command : commands)
    files["man/man1/glow" + (command.name.empty() ? "" : "-" + command.name) +
          ".1"] = pageOf(command, commands);
  for (const auto &[name, text] : files) {
    std::filesystem::path path = std::filesystem::path(folder) / name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (Status status = writeFile(path, text); !status.ok())
      return status;
  }
  return Status();
}

Subcommand tool::addDescribe(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "describe", "write what shells complete, and the manual");
  auto folder = std::make_shared<std::string>();
  app->add_option("DIR", *folder, "where to, as below /usr/share")->required();
  return {app, [&glow, folder] {
            Status status = writeAll(glow, *folder);
            return status.ok() ? 0 : fail(status);
          }};
}
