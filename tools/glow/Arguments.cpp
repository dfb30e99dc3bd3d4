//===- Arguments.cpp - the command line before it is parsed ---------------===//

#include "Arguments.h"
#include "CommandLine.h"

using namespace glow;

std::vector<std::string> tool::withValues(int count, char **arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  for (std::string &word : words) {
    if (word == "--")
      break;
    if (word == "--random")
      word = "--random=0";
    if (word == "--cache-dir=")
      word = "--no-cache";
  }
  return {words.rbegin(), words.rend()};
}

void tool::addLoadOption(CLI::App &glow) {
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
                  "passes for the graph at the end of room optimize, as "
                  "glow-opt names them: merge-constants,cse")
      ->type_name("PASSES");
  glow.add_flag_callback("-q,--quiet", beQuiet,
                         "no notes, no steps and no progress: results and "
                         "errors only");
  glow.fallthrough();
}
