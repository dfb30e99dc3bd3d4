//===- main.cpp - glow: the user's command --------------------------------===//

#include "Arguments.h"
#include "Plugins.h"
#include "glow/Base/NewFile.h"
#include "glow/Toolchain/Toolchain.h"
#include <algorithm>
#include <cctype>
#include <cstdio>

using namespace glow;
using namespace glow::tool;

static Status loadBackends() {
  for (const std::string &file : loadedBackends())
    if (Status status = loadPluginOf(file); !status.ok())
      return status;
  return Status();
}

static std::string commandsOf(const CLI::App &glow) {
  std::string all;
  for (const CLI::App *command : glow.get_subcommands({}))
    all += (all.empty() ? "" : ", ") + command->get_name();
  return "there are: " + all;
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

static int usageError(const CLI::App &glow, const CLI::ParseError &error) {
  std::vector<CLI::App *> chosen = glow.get_subcommands();
  std::vector<std::string> words = glow.remaining();
  auto word = std::ranges::find_if(
      words, [](const std::string &word) { return !word.starts_with("-"); });
  if (chosen.empty() && word != words.end())
    return fail("there is no command '" + *word + "'; " + commandsOf(glow));
  if (dynamic_cast<const CLI::RequiredError *>(&error) && chosen.empty())
    return fail("no command is given; " + commandsOf(glow));
  std::string message = missingValue(error.what());
  // A sentence becomes one of ours; names of arguments stay as they are.
  if (message.size() > 1 &&
      std::islower(static_cast<unsigned char>(message[1])))
    message[0] = char(std::tolower(static_cast<unsigned char>(message[0])));
  while (!message.empty() && message.back() == '.')
    message.pop_back();
  std::string command = chosen.empty() ? "" : chosen[0]->get_name() + " ";
  return fail(message + "; see glow " + command + "--help");
}

/// Help says of every flag what it is without it.
static void sayDefaults(CLI::App &app) {
  for (CLI::Option *option : app.get_options()) {
    std::string text = option->get_description();
    bool takesValue = option->get_type_size_max() > 0;
    if (takesValue && !option->get_positional() && !option->get_required() &&
        option->get_default_str().empty() &&
        text.find("default") == std::string::npos)
      option->description(text + "; default: none");
  }
}

/// The parser has seen to it that there is one.
static int runChosen(const std::vector<Subcommand> &subcommands) {
  if (Status status = loadBackends(); !status.ok())
    return fail(status);
  return std::ranges::find_if(subcommands,
                              [](const Subcommand &subcommand) {
                                return subcommand.app->parsed();
                              })
      ->run();
}

/// Parses the command line and runs what it says. Libraries of tools throw: the
/// parser for a user's mistake, the JSON writer and the allocator otherwise.
static int runTool(int count, char **arguments) {
  CLI::App app("glow: compiles neural networks and runs them", "glow");
  addLoadOption(app);
  app.set_version_flag("--version",
                       "glow " GLOW_VERSION " with LLVM " GLOW_LLVM_VERSION);
  app.require_subcommand(1);
  std::vector<Subcommand> subcommands;
  for (auto add :
       {addRun, addTestOnnx, addTestPlugin, addBench, addCompile, addClassify,
        addCalibrate, addExplain, addProfile, addQuantize, addOps, addDevice, addTop})
    subcommands.push_back(add(app, toolchain()));
  for (const Subcommand &subcommand : subcommands)
    sayDefaults(*subcommand.app);
  try {
    app.parse(withValues(count, arguments));
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
