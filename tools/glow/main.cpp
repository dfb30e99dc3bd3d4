//===- main.cpp - glow: the user's command --------------------------------===//
// SPDX-License-Identifier: MIT

#include "cli/Arguments.h"
#include "cli/CommandLine.h"
#include "cli/Help.h"
#include "cli/Plugins.h"
#include "glow/Base/Memory.h"
#include "glow/Base/Nearest.h"
#include "glow/Base/NewFile.h"
#include "glow/Base/Version.h"
#include "glow/Toolchain/Toolchain.h"
#include <algorithm>
#include <cctype>
#include <cstdio>

using namespace glow;
using namespace glow::tool;

static Status loadPlugins() {
  for (const std::string &file : loadedBackends())
    if (Status status = loadPluginOf(file); !status.ok())
      return status;
  for (const std::string &file : ownPasses().plugins)
    if (Status status = loadPassesOf(file); !status.ok())
      return status;
  return ownPasses().pipeline.empty() ? Status()
                                      : choosePasses(ownPasses().pipeline);
}

static std::vector<std::string> flagsOf(const CLI::App &command) {
  std::vector<std::string> names;
  for (const CLI::Option *option : command.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

/// A suggestion for an unknown flag.
static std::string suggestedFlag(const CLI::App &command,
                                 const std::vector<std::string> &words) {
  for (const std::string &word : words)
    if (word.starts_with("--"))
      return didYouMean(word.substr(0, word.find('=')), flagsOf(command));
  return "";
}

/// A word behind --json that is neither a file for it nor the model.
static std::string suggestedJsonFile(const std::vector<std::string> &left) {
  for (char **word = commandLine(); *word && word[1]; ++word)
    if (std::string_view(*word) == "--json" &&
        std::ranges::find(left, word[1]) != left.end())
      return std::string("; a file for JSON is named by --json=") + word[1];
  return "";
}

/// "--repeat has no value, it should be N" for "--repeat: 1 required N
/// missing".
static std::string missingValue(const std::string &message) {
  constexpr std::string_view middle = ": 1 required ", end = " missing";
  size_t at = message.find(middle);
  if (at == std::string::npos || !message.ends_with(end))
    return message;
  size_t from = at + middle.size();
  return message.substr(0, at) + " has no value, it should be " +
         message.substr(from, message.size() - end.size() - from);
}

static std::string messageOf(const CLI::App &glow,
                             const CLI::ParseError &error) {
  std::vector<CLI::App *> chosen = glow.get_subcommands();
  const CLI::App &command = chosen.empty() ? glow : *chosen[0];
  std::string name = chosen.empty() ? "" : command.get_name() + " ";
  std::vector<std::string> words = glow.remaining(/*recurse=*/true);
  std::vector<std::string> commands = commandNames(command);
  if (!commands.empty() && command.get_subcommands().empty()) {
    std::string known = "; there are: " + CLI::detail::join(commands, ", ");
    auto word = std::ranges::find_if(
        words, [](const std::string &word) { return !word.starts_with("-"); });
    if (word != words.end())
      return "there is no command '" + name + *word + "'" +
             didYouMean(*word, commands) + known;
    if (dynamic_cast<const CLI::RequiredError *>(&error))
      return "no command is given" +
             (name.empty() ? "" : " after '" + command.get_name() + "'") +
             known;
  }
  std::string message = missingValue(error.what());
  // A sentence becomes one of ours; names of arguments stay as they are.
  if (message.size() > 1 &&
      std::islower(static_cast<unsigned char>(message[1])))
    message[0] = char(std::tolower(static_cast<unsigned char>(message[0])));
  while (!message.empty() && message.back() == '.')
    message.pop_back();
  if (dynamic_cast<const CLI::ExtrasError *>(&error))
    message += suggestedFlag(command, words) + suggestedJsonFile(words);
  return message + "; see glow " + name + "--help";
}

static int usageError(const CLI::App &glow, const CLI::ParseError &error) {
  fail(messageOf(glow, error));
  return usageStatus;
}

/// Runs the chosen subcommand. The parser guarantees that one is chosen.
static int runChosen(const std::vector<Subcommand> &subcommands) {
  if (Status status = loadPlugins(); !status.ok())
    return fail(status);
  return std::ranges::find_if(subcommands,
                              [](const Subcommand &subcommand) {
                                return subcommand.app->parsed();
                              })
      ->run();
}

namespace {
/// Commands for one purpose, in the order of the help.
struct CommandGroup {
  const char *heading; ///< "": they are in no list
  std::vector<Subcommand (*)(CLI::App &, SessionFactory &)> commands;
};
} // namespace

static std::vector<Subcommand> addCommands(CLI::App &glow) {
  const CommandGroup groups[] = {
      {"Run", {addRun, addClassify, addGenerate, addTokenize, addCache}},
      {"Measure", {addBench, addExplain, addCalibrate}},
      {"Train", {addTrain}},
      {"Deploy",
       {addCompile, addProfile, addQuantize, addPartition, addPackageEp}},
      {"Serve", {addDeviceList, addDevice, addTop}},
      {"Develop", {addOps, addTestOnnx, addTestPlugin, addTestBackend}},
      {"Help", {addHelp}},
      {"", {addDescribe}}};
  std::vector<Subcommand> commands;
  for (const CommandGroup &group : groups)
    for (auto add : group.commands) {
      commands.push_back(add(glow, toolchain()));
      commands.back().app->group(group.heading);
    }
  return commands;
}

/// Parses the command line and runs what it says. Libraries of tools throw: the
/// parser for a user's mistake, the JSON writer and the allocator otherwise.
static int runTool(int count, char **arguments) {
  CLI::App app("glow: compiles neural networks and runs them", "glow");
  app.formatter(std::make_shared<HelpFormatter>());
  addLoadOption(app);
  app.set_version_flag("--version", "glow " + std::string(version()) +
                                        " with LLVM " GLOW_LLVM_VERSION);
  app.require_subcommand(1);
  std::vector<Subcommand> subcommands = addCommands(app);
  // After the subcommands, which would otherwise inherit the footer.
  app.footer("glow help COMMAND prints the flags of a command, with examples.");
  try {
    parse(app, count, arguments);
  } catch (const CLI::CallForHelp &) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (const CLI::CallForVersion &version) {
    std::printf("%s\n", version.what());
    return 0;
  } catch (const CLI::ParseError &error) {
    return usageError(app, error);
  }
  return runChosen(subcommands);
}

int main(int count, char **arguments) {
  openStandardFiles();
  growHeapInSteps();
  removeTemporariesOnSignals();
  commandLine() = arguments;
  int status;
  try {
    status = runTool(count, arguments);
  } catch (const std::bad_alloc &) {
    status = endOutOfMemory();
  } catch (const std::exception &error) {
    status = fail(std::string("internal error: ") + error.what());
  }
  return endOutput(status);
}
