//===- Arguments.cpp - the command line before it is parsed ---------------===//
// SPDX-License-Identifier: MIT

#include "Arguments.h"
#include "CommandLine.h"
#include <cctype>

using namespace glow;

/// Whether the word after --json is its file; it may also be a model.
static bool namesJson(const std::string &word) {
  return word == "-" || word.ends_with(".json");
}

/// The words in the order that the parser takes them: from the back.
static std::vector<std::string> withValues(int count, char **arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    std::string &word = words[i];
    if (word == "--json") {
      const bool hasFile = i + 1 < words.size() && namesJson(words[i + 1]);
      word += "=" + (hasFile ? words[i + 1] : std::string("-"));
      if (hasFile)
        words.erase(words.begin() + ptrdiff_t(i) + 1);
      continue;
    }
    if (word == "--random")
      word = "--random=0";
    if (word == "--cache-dir=")
      word = "--no-cache";
  }
  return {words.rbegin(), words.rend()};
}

static bool isFlag(const std::string &word) {
  return word.size() > 1 && word[0] == '-' &&
         (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])));
}

/// Of "--labels --top 3" the value of --labels is missing. The first check of
/// all: others ask what a value means.
static void refuseFlagsAsValues(CLI::App &command) {
  for (CLI::Option *option : command.get_options())
    if (option->nonpositional() && option->get_items_expected_min() > 0)
      option->transform(CLI::Validator(
          [option](const std::string &value) {
            return isFlag(value) ? "'" + value.substr(0, value.find('=')) +
                                       "' is a flag, it should be " +
                                       option->get_type_name()
                                 : "";
          },
          /*description=*/""));
  for (CLI::App *one : command.get_subcommands({}))
    refuseFlagsAsValues(*one);
}

void tool::parse(CLI::App &glow, int count, char **arguments) {
  refuseFlagsAsValues(glow);
  glow.parse(withValues(count, arguments));
}

void tool::addLoadOption(CLI::App &glow) {
  HelpGroup group(glow, developerHeading);
  glow.add_option("--load-backend", loadedBackends(),
                  "load a backend from a shared library first")
      ->type_name("FILE.so")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  glow.add_option("--load-pass-plugin", ownPasses().plugins,
                  "load passes of MLIR from a shared library first")
      ->type_name("FILE.so")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  glow.add_option("--passes", ownPasses().pipeline,
                  "passes for the graph at the end of phase optimize, as "
                  "glow-opt names them: merge-constants,cse")
      ->type_name("PASSES");
  glow.add_flag_callback("-q,--quiet", beQuiet,
                         "no notes, no steps and no progress: results and "
                         "errors only")
      ->group("Options");
  glow.fallthrough();
}
