//===- Tool.h - shared parts of the subcommands -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_CLI_TOOL_H
#define GLOW_TOOLS_GLOW_CLI_TOOL_H

#include "glow/Base/OneLine.h"
#include "glow/Base/Status.h"
#include "glow/Base/TimeText.h"
#include "glow/Program/CodeOptions.h"
#include "glow/Program/Partition.h"
#include "glow/Report/Table.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace glow {
class Host;
class SessionFactory;
} // namespace glow

namespace glow::tool {

// Exit statuses beside 0: a failure; an invalid command line; a comparison, or
// a test, with an unexpected outcome.
inline constexpr int errorStatus = 1, usageStatus = 2, differsStatus = 3;

/// A subcommand: its parser, and the function that runs it and returns the exit
/// status.
struct Subcommand {
  CLI::App *app;
  std::function<int()> run;
};

// Each file has one subcommand. Subcommands with `sessions` use it to open
// models, as long as they run.
Subcommand addRun(CLI::App &glow, SessionFactory &sessions);
Subcommand addTestOnnx(CLI::App &glow, SessionFactory &sessions);
Subcommand addTestPlugin(CLI::App &glow, SessionFactory &sessions);
Subcommand addTestBackend(CLI::App &glow, SessionFactory &sessions);
Subcommand addPackageEp(CLI::App &glow, SessionFactory &sessions);
Subcommand addBench(CLI::App &glow, SessionFactory &sessions);
Subcommand addCompile(CLI::App &glow, SessionFactory &sessions);
Subcommand addClassify(CLI::App &glow, SessionFactory &sessions);
Subcommand addCalibrate(CLI::App &glow, SessionFactory &sessions);
Subcommand addExplain(CLI::App &glow, SessionFactory &sessions);
Subcommand addProfile(CLI::App &glow, SessionFactory &sessions);
Subcommand addQuantize(CLI::App &glow, SessionFactory &sessions);
Subcommand addPartition(CLI::App &glow, SessionFactory &sessions);
Subcommand addOps(CLI::App &glow, SessionFactory &sessions);
Subcommand addDevice(CLI::App &glow, SessionFactory &sessions);
Subcommand addDeviceList(CLI::App &glow, SessionFactory &sessions);
Subcommand addTrain(CLI::App &glow, SessionFactory &sessions);
Subcommand addTop(CLI::App &glow, SessionFactory &sessions);
Subcommand addCache(CLI::App &glow, SessionFactory &sessions);
Subcommand addDescribe(CLI::App &glow, SessionFactory &sessions);
Subcommand addTokenize(CLI::App &glow, SessionFactory &sessions);
Subcommand addGenerate(CLI::App &glow, SessionFactory &sessions);
Subcommand addHelp(CLI::App &glow, SessionFactory &sessions);

/// Flags of every subcommand that runs a model.
struct ModelOptions {
  SessionFactory *sessions = nullptr;
  std::string model;    // with --init, both paths
  std::string init;     // --init
  std::string function; // --function; "": the only one
  std::string backend;
  std::vector<std::string> shapes; // --shape, unparsed
  std::vector<std::string> values; // --value, the same
  std::vector<std::string> states; // --state, checked
  int64_t maxIterations = 0;       // 0: no limit
  bool predicates = false;         // --predicate
  std::string cacheDir;
  unsigned threads = 0;
  CodeOptions code;
  std::string specialize;          // --specialize, a word; "": none
  std::string devices;             // --devices, a file; "": one of the backend
  std::string partitionMode;       // --partition; "": the model is not cut
  std::vector<std::string> assign; // --assign, unparsed
  std::optional<PartitionRequest> partition; // of these three
};

/// Adds MODEL, --backend, --init, --shape, --value, --state, --memory-limit,
/// --math and the options of backends. `files` is what MODEL may be, for
/// people.
inline constexpr const char *modelFiles =
    "an .onnx, .mlir or .mlirbc file, or a Caffe2 net";
inline constexpr const char *modelOrCompiledFiles =
    "an .onnx, .mlir or .mlirbc file, a Caffe2 net, or a compiled .so or "
    ".parts";
void addModelOptions(CLI::App &app, ModelOptions &options,
                     SessionFactory &sessions, const char *files = modelFiles);
void addBackendOption(CLI::App &app, std::string &backend);
void addMemoryOption(CLI::App &app, uint64_t &limit);
void addCacheOption(CLI::App &app, std::string &cacheDir);

/// Adds --init, which makes the path of both nets of it and of the model.
void addInitOption(CLI::App &app, ModelOptions &options);

/// `--plan FILE`, a file of loops with plans for layers.
void addPlanOption(CLI::App &app, std::string &file);
/// Adds --math, --backend-option, and the options of backends that are not for
/// files alone.
void addCodeOptions(CLI::App &app, CodeOptions &options);
/// Adds the options of all backends that are, or are not, for files alone.
void addSettings(CLI::App &app, Settings &settings, bool forFiles);
void addThreadsOption(CLI::App &app, unsigned &threads);
/// Adds --devices to a command that has the options above.
void addDevicesOption(CLI::App &app, ModelOptions &options);

/// Gives a host the devices that the user names, if any.
Status addDevices(Host &host, const ModelOptions &options);

/// The files given to --load-backend, in order.
std::vector<std::string> &loadedBackends();

/// The values of --load-pass-plugin, in order, and of --passes.
struct OwnPasses {
  std::vector<std::string> plugins;
  std::string pipeline;
};
OwnPasses &ownPasses();

/// Prints "glow: error: ..." as one line and returns `errorStatus`.
int fail(const Status &status);
int fail(const std::string &message);

/// As `fail`, where there is no memory for a message.
int endOutOfMemory();

/// The exit status for `main`: `status`, or 1 with a message if standard output
/// did not take all output.
int endOutput(int status);

/// Gives standard input, output and error that are closed a file of no
/// contents, so that no file of the command takes their place. First of all.
void openStandardFiles();

/// Fails if a file cannot be written for want of a folder, or if it is one of
/// `inputs` by whatever path or link. Entries without a path are ignored.
Status checkOutputs(const std::vector<std::string> &outputs,
                    const std::vector<std::string> &inputs);

/// Prints for people, as std::printf, unless `silenceText` was called.
[[gnu::format(printf, 1, 2)]] void printText(const char *format, ...);
/// Standard output is for programs from here on.
void silenceText();
/// Prints "PASSED", or "FAILED: " and the reason where there is one.
void printOutcome(const std::string &failure);

/// Adds --json[=FILE], which has the same meaning at every command: what is
/// reported, as JSON; on standard output in place of the text, or in a file
/// beside it. `path` becomes "-" or the file. `what` describes the members.
CLI::Option *addJsonOption(CLI::App &app, std::string &path,
                           const std::string &what);

/// Writes JSON, indented; to standard output when `path` is "-". Does nothing
/// when it is "".
Status writeJson(const std::string &path, const Json &json);

/// Replaces the shown progress by `text`, if stderr is a terminal; "" clears
/// the line.
void showProgress(const std::string &text);

/// Shows the current activity and its time on a terminal, after a second, as
/// long as it lives. Inside another activity, it is shown in place of the outer
/// one.
class Activity {
public:
  /// `what` is a literal: "compiling".
  explicit Activity(const char *what);
  ~Activity();
  Activity(const Activity &) = delete;

private:
  const char *before;
};

/// The heading of flags that show or change the compiler. Help has it last.
inline constexpr const char *developerHeading = "For developers";

/// The options that are added to a command as long as it lives stand under this
/// heading in its help.
class HelpGroup {
public:
  HelpGroup(CLI::App &app, const std::string &heading);
  ~HelpGroup();
  HelpGroup(const HelpGroup &) = delete;

private:
  CLI::App &app;
  std::string before;
};

/// Milliseconds since it was made.
class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now() - start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

using glow::timeText;

/// The most memory this process has had, in bytes.
uint64_t peakResidentBytes();

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_CLI_TOOL_H
