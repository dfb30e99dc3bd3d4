//===- main.cpp - glow: runs programs or starts the compiler --------------===//
// SPDX-License-Identifier: MIT

#include "../cli/Arguments.h"
#include "../cli/CommandLine.h"
#include "glow/Base/NewFile.h"
#include "glow/Base/ThisProgram.h"
#include "glow/Cache/Cache.h"
#include "glow/Front/Front.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace glow;
using namespace glow::tool;

/// Ends the process if memory runs out before `main`, where no handler can
/// catch the exception.
[[noreturn]] static void endWithoutMemory() {
  constexpr std::string_view message = "glow: error: out of memory\n";
  (void)!::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(1);
}
[[gnu::init_priority(101)]] static const struct UntilMain {
  UntilMain() { std::set_new_handler(endWithoutMemory); }
} untilMain;

/// Checks for memory before any library initialises. Without memory, a library
/// would end the process by a signal, since not even an exception could be
/// made.
static void checkMemory(int, char **, char **) {
  constexpr size_t enough = size_t(1) << 20;
  void *some = ::mmap(nullptr, enough, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (some == MAP_FAILED)
    endWithoutMemory();
  ::munmap(some, enough);
}
[[gnu::section(".preinit_array"),
  gnu::used]] static void (*const beforeLibraries)(int, char **,
                                                   char **) = checkMemory;

static std::string folderOf(const CLI::App &command) {
  return command.count("--no-cache")
             ? ""
             : command.get_option("--cache-dir")->as<std::string>();
}

/// Runs a model that was compiled before. Does not return where that takes a
/// compiler.
static int runKept(Front &front, const std::function<void()> &becomeCompiler,
                   int count, char **arguments) {
  CLI::App app("", "glow");
  app.require_subcommand(1);
  addLoadOption(app);
  Subcommand commands[] = {addRun(app, front), addBench(app, front),
                           addClassify(app, front)};
  parse(app, count, arguments);
  if (!loadedBackends().empty() || !ownPasses().plugins.empty() ||
      !ownPasses().pipeline.empty())
    becomeCompiler();
  // Only the compiler has the descriptions of steps for a trace.
  if (commands[0].app->count("--trace"))
    becomeCompiler();
  for (const Subcommand &command : commands)
    if (command.app->parsed()) {
      front.setCacheDir(folderOf(*command.app));
      return command.run();
    }
  return 1;
}

int main(int count, char **arguments) {
  openStandardFiles();
  commandLine() = arguments;
  holdNotes();
  std::string compiler = fileBeside("glow-compiler");
  auto becomeCompiler = [&] { ::execv(compiler.c_str(), arguments); };
  Front front([&] {
    becomeCompiler();
    return failure(Code::NotFound, "there is no compiler beside ",
                   fileBeside(""), whyNoProgram());
  });
  // Output before the process becomes the compiler is dropped.
  std::setvbuf(stdout, nullptr, _IOFBF, size_t(1) << 20);
  std::string command = count > 1 ? arguments[1] : "";
  if (command == "run" || command == "bench" || command == "classify") {
    removeTemporariesOnSignals();
    std::set_new_handler(nullptr);
    try {
      return endOutput(runKept(front, becomeCompiler, count, arguments));
    } catch (const std::bad_alloc &) {
      return endOutOfMemory(); // the compiler would have less
    } catch (const std::exception &) {
      // The compiler finds the same, and says it.
    }
  }
  becomeCompiler();
  return fail("cannot start '" + compiler +
              "': " + std::generic_category().message(errno) + whyNoProgram());
}
