//===- Tool.cpp - shared parts of the subcommands -------------------------===//
// SPDX-License-Identifier: MIT
//
// Options that several subcommands have, and how each ends: errors on standard
// error in lines of their own, results on standard output, and a status that is
// not 0 when anything is missing there.
//
//===----------------------------------------------------------------------===//

#include "Tool.h"
#include "CommandLine.h"
#include "Numbers.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Base/MemorySize.h"
#include "glow/Base/NewFile.h"
#include "glow/Runtime/Devices.h"
#include "glow/Session/Session.h"
#include "glow/TensorFiles/File.h"
#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>

using namespace glow;
using namespace glow::tool;
namespace fs = std::filesystem;

void tool::addBackendOption(CLI::App &app, std::string &backend) {
  backend = preferredBackend();
  HelpGroup group(app, "Model");
  app.add_option("--backend", backend, "what runs the model; see glow ops")
      ->type_name("NAME")
      ->capture_default_str();
}

void tool::addDevicesOption(CLI::App &app, ModelOptions &options) {
  HelpGroup group(app, "Machine");
  app.add_option("--devices", options.devices,
                 "JSON file of devices, as docs/Runtime.md describes it, or "
                 "found, for those of this machine; default: one of the "
                 "backend")
      ->type_name("FILE");
}

Status tool::addDevices(Host &host, const ModelOptions &options) {
  if (options.devices.empty())
    return Status();
  Result<std::vector<DeviceDescription>> devices =
      devicesNamed(options.devices);
  if (!devices)
    return devices.status();
  // Parts name their devices.
  const bool isInParts =
      options.partition || options.model.ends_with(".mlir") ||
      options.model.ends_with(".mlirbc") || options.model.ends_with(".parts");
  if (!isInParts &&
      std::ranges::none_of(*devices, [&](const DeviceDescription &device) {
        return device.backend == options.backend;
      }))
    return failure(Code::NotFound, options.devices,
                   " has no device of backend '", options.backend,
                   "', which should run the model");
  return glow::addDevices(host, *devices);
}

void tool::addPlanOption(CLI::App &app, std::string &file) {
  app.add_option("--plan", file,
                 "run layers by the plans of this file, as glow compile "
                 "--emit=loops writes it; what a plan leaves out is chosen")
      ->type_name("FILE");
}

void tool::addCacheOption(CLI::App &app, std::string &cacheDir) {
  cacheDir = defaultCacheDir();
  HelpGroup group(app, "Machine");
  app.add_option("--cache-dir", cacheDir,
                 "folder that keeps compiled models for later runs, at most 4 "
                 "GiB; not used where another user may write to it")
      ->type_name("DIR")
      ->capture_default_str();
  app.add_flag_callback(
      "--no-cache", [&] { cacheDir.clear(); }, "keep nothing, as --cache-dir=");
}

void tool::addThreadsOption(CLI::App &app, unsigned &threads) {
  HelpGroup group(app, "Machine");
  addNumber(app, "--threads", threads, 0u, DeviceOptions::mostThreads,
            "threads of the host; 0: one a processor")
      ->type_name("N");
}

void tool::addInitOption(CLI::App &app, ModelOptions &options) {
  app.add_option("--init", options.init,
                 "the net that makes the weights, where MODEL is a net of "
                 "Caffe2; default: init_net.pb beside predict_net.pb")
      ->type_name("FILE");
  app.parse_complete_callback([&options] {
    if (!options.init.empty())
      options.model = options.init + "+" + options.model;
  });
}

void tool::addModelOptions(CLI::App &app, ModelOptions &options,
                           SessionFactory &sessions, const char *files) {
  options.sessions = &sessions;
  app.add_option("MODEL", options.model, files)->required();
  addBackendOption(app, options.backend);
  HelpGroup group(app, "Model");
  addInitOption(app, options);
  app.add_option("--function", options.function,
                 "the function of a module (.mlir, .mlirbc) of several "
                 "programs; default: the only one")
      ->type_name("NAME");
  app.add_option("--shape", options.shapes,
                 "size of an input, NAME=1x3x224x224, or of a symbolic "
                 "dimension, NAME=4, in elements; default: from the inputs")
      ->type_name("NAME=SIZES")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option(
         "--value", options.values,
         "fix an input of few elements, as NAME=16000 or NAME=1,-2,0.5; "
         "what depends on it is decided when the model is compiled")
      ->type_name("NAME=NUMBERS")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--state", options.states,
                 "an output that a session feeds to an input in its next run; "
                 "names and types suggest more of them, but not after none, "
                 "and pairs that grow only after append")
      ->type_name("INPUT=OUTPUT|append|none")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->check([](const std::string &text) {
        return stateRequestOf({&text, 1}).status().message();
      });
  app.add_flag("--predicate", options.predicates,
               "compute the rows alone that a Where takes, if products take "
               "most of their time");
  app.add_option("--max-iterations", options.maxIterations,
                 "the most trips of a loop; a run in which another one "
                 "follows fails; default: as many as the loop does")
      ->type_name("NUMBER")
      ->check(CLI::Range(int64_t(1), std::numeric_limits<int64_t>::max()));
  addMemoryOption(app, options.code.memoryLimit);
  addCodeOptions(app, options.code);
}

/// The help text of an option that several backends may have.
static std::string summaryOf(const BackendOption &option) {
  std::string initially = option.initially;
  return option.summary + (initially.empty() ? "" : "; default: " + initially);
}

void tool::addSettings(CLI::App &app, Settings &settings, bool forFiles) {
  for (const BackendRecord &backend : backendRecords())
    for (const BackendOption &option : backend.options)
      if (std::string flag = std::string("--") + option.name;
          // Two backends may have an option of one name; it is offered once.
          option.forFiles == forFiles && !app.get_option_no_throw(flag))
        app.add_option_function<std::string>(
               flag,
               [&settings, name = std::string(option.name)](
                   const std::string &value) { settings[name] = value; },
               summaryOf(option))
            ->type_name(option.value);
}

void tool::addCodeOptions(CLI::App &app, CodeOptions &options) {
  HelpGroup group(app, "Code");
  addSettings(app, options.settings, /*forFiles=*/false);
  app.add_option_function<std::vector<std::string>>(
         "--backend-option",
         [&options](const std::vector<std::string> &given) {
           for (const std::string &text : given) {
             size_t middle = text.find('=');
             if (middle == std::string::npos)
               throw CLI::ValidationError("--backend-option '" + text +
                                          "' should be NAME=VALUE");
             options.settings[text.substr(0, middle)] = text.substr(middle + 1);
           }
         },
         "an option of the backend, as a plug-in's; see its page of reference")
      ->group(developerHeading)
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option_function<std::string>(
         "--math",
         [&options](const std::string &name) {
           options.math = mathNamed(name);
         },
         "how exact: strict, every product of a sum once; default, fewer "
         "products, within 1e-4; fast, large products in bf16 where the "
         "processor has it")
      ->type_name("MODE")
      ->check(CLI::IsMember(
          std::vector<std::string>(mathNames.begin(), mathNames.end())));
}

void tool::addMemoryOption(CLI::App &app, uint64_t &limit) {
  auto take = [&limit](const std::string &text) {
    std::optional<uint64_t> bytes = parseSize(text);
    if (!bytes)
      throw CLI::ValidationError(
          "--memory-limit '" + text +
          "' should be a number of bytes, with k, M or G for 1024 to its "
          "power, as 512M");
    limit = *bytes;
  };
  HelpGroup group(app, "Machine");
  app.add_option_function<std::string>(
         "--memory-limit", take,
         "what all tensors of a run may take, in bytes, or with k, M or G; "
         "default: three quarters of the memory of this machine, at most 64G")
      ->type_name("SIZE");
}

std::vector<std::string> &tool::loadedBackends() {
  static std::vector<std::string> files;
  return files;
}

tool::OwnPasses &tool::ownPasses() {
  static OwnPasses passes;
  return passes;
}

/// Notes have lines of their own.
int tool::fail(const std::string &text) {
  const std::string message = MemoryFile::withNames(text);
  showProgress("");
  releaseNotes();
  std::fflush(stdout);
  // Text of a model can be in a message, and must not write lines of its own.
  std::string lead = "glow: " + coloured(stderr, Colour::Red, "error:") + " ";
  for (size_t at = 0, end; at != std::string::npos; at = end) {
    end = message.find(noteMark, at + 1);
    size_t from = at ? at + std::string_view(noteMark).size() : 0;
    std::string line = message.substr(from, end - from);
    std::fprintf(stderr, "%s%s\n", lead.c_str(), oneLine(line).c_str());
    lead = "  note: ";
  }
  return errorStatus;
}

int tool::fail(const Status &status) {
  if (status.code() == Code::Reported) {
    showProgress("");
    releaseNotes();
    return errorStatus;
  }
  bool ours = status.code() == Code::Internal;
  return fail((ours ? "internal error: " : "") + status.message());
}

int tool::endOutOfMemory() {
  std::fflush(stdout);
  // Without a string of its own, for which there may be no memory.
  std::fputs("glow: error: out of memory\n", stderr);
  return errorStatus;
}

void tool::openStandardFiles() {
  // A file that is opened later would have the number, and take what is
  // printed. Nothing can be written to the one for output, as if it were
  // closed.
  for (int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(file, F_GETFD) < 0)
      (void)::open("/dev/null", file == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

/// Whether the caller closed standard output.
static bool isOutputClosed() {
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  return flags < 0 || (flags & O_ACCMODE) == O_RDONLY;
}

/// Whether the results of the command go to files.
static bool resultsAreInFiles = false;

int tool::endOutput(int status) {
  releaseNotes();
  // A full disk shows itself when the last is written, or before.
  bool isWhole = std::fflush(stdout) == 0 && !std::ferror(stdout);
  // Steps that lead to the files have no reader then.
  isWhole |= resultsAreInFiles && isOutputClosed();
  return isWhole || status != 0 ? status
                                : fail("cannot write to standard output");
}

static Status checkOutput(const std::string &path,
                          const std::vector<std::string> &inputs) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return failure(Code::InvalidArgument, "cannot write '", path,
                   "': it is a folder");
  fs::path folder = fs::path(path).parent_path() / ".";
  if (!fs::is_directory(folder, error))
    return cannotWrite(path, error ? error.value() : ENOTDIR);
  if (::access(folder.c_str(), W_OK) != 0)
    return cannotWrite(path, errno);
  for (const std::string &input : inputs)
    // By the file and not by its name: links lead to it as well.
    if (fs::equivalent(path, input, error))
      return failure(Code::InvalidArgument, "cannot write '", path,
                     "': it is the input '", input, "'");
  return Status();
}

Status tool::checkOutputs(const std::vector<std::string> &outputs,
                          const std::vector<std::string> &inputs) {
  bool isPrinted = false;
  for (const std::string &path : outputs) {
    isPrinted |= path == "-";
    if (path.empty() || path == "-")
      continue;
    if (Status status = checkOutput(path, inputs); !status.ok())
      return status;
    resultsAreInFiles = true;
  }
  resultsAreInFiles &= !isPrinted;
  return Status();
}

static bool isTextSilent = false;

void tool::silenceText() { isTextSilent = true; }

void tool::printText(const char *format, ...) {
  if (isTextSilent)
    return;
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
}

void tool::printOutcome(const std::string &failure) {
  if (failure.empty())
    printText("%s\n", coloured(stdout, Colour::Green, "PASSED").c_str());
  else
    printText("%s %s\n", coloured(stdout, Colour::Red, "FAILED:").c_str(),
              oneLine(failure).c_str());
}

tool::HelpGroup::HelpGroup(CLI::App &app, const std::string &heading)
    : app(app), before(app.option_defaults()->get_group()) {
  app.option_defaults()->group(heading);
}
tool::HelpGroup::~HelpGroup() { app.option_defaults()->group(before); }

CLI::Option *tool::addJsonOption(CLI::App &app, std::string &path,
                                 const std::string &what) {
  return app
      .add_option("--json", path,
                  what + ", as JSON: on standard output in place of the text, "
                         "with =FILE in a file beside it")
      ->type_name("[=FILE]");
}

Status tool::writeJson(const std::string &path, const Json &json) {
  if (path.empty())
    return Status();
  const std::string text = jsonText(json);
  if (path != "-")
    return writeFile(path, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return Status();
}

uint64_t tool::peakResidentBytes() {
  struct rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  return uint64_t(usage.ru_maxrss) * 1024; // Linux counts in KiB
}
