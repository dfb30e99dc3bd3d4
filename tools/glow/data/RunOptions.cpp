//===- RunOptions.cpp - options of glow run -------------------------------===//
// SPDX-License-Identifier: MIT

#include "RunOptions.h"
#include "cli/Help.h"
#include "cli/Numbers.h"
#include "glow/Program/BackendRecord.h"
#include "glow/Session/Session.h"
#include "images/Pictures.h"
#include <limits>

using namespace glow;
using namespace glow::tool;

void tool::addSpecializeOption(CLI::App &app, std::string &when) {
  app.add_option("--specialize", when,
                 "compile a program of one size beside that of ranges, in the "
                 "background: lazy, for a size that has come often; eager, for "
                 "each size; none, the default")
      ->type_name("WHEN")
      ->check(CLI::IsMember(std::vector<std::string>(specializeNames.begin(),
                                                     specializeNames.end())));
}

/// Flags that say where inputs come from.
static void addInputFlags(CLI::App &app, RunOptions &options) {
  HelpGroup group(app, "Inputs");
  CLI::Option *files =
      app.add_option("--input", options.inputs.files,
                     "value of an input: .npy, .npz, .pb (of ONNX: a tensor, "
                     "strings, a sequence, an optional or a map), .png, .jpg, "
                     "or raw little-endian elements")
          ->type_name("NAME=FILE")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  CLI::Option *random =
      addNumberFlag(
          app, "--random", [&](uint64_t seed) { options.inputs.seed = seed; },
          uint64_t(0), std::numeric_limits<uint64_t>::max(),
          "random values for inputs without a file; =SEED for others, default "
          "0")
          ->type_name("[=SEED]");
  addImageOptions(app, options.inputs.pictures);
  options.inputs.tells = true;
  app.add_option("--data-set", options.dataSet,
                 "folder with input_K.pb and output_K.pb, or with "
                 "test_data_set_K folders, to run on and compare with")
      ->type_name("DIR")
      ->excludes(files)
      ->excludes(random)
      ->excludes("--value");
  app.add_option("--session", options.session,
                 "keep the states of the model (--state) in this file: they "
                 "are read from it, or zeros without the file, fed to the run, "
                 "and written back; --input has the other inputs")
      ->type_name("FILE")
      ->excludes("--data-set");
  addNumber(app, "--repeat", options.repeat, 1u, 1000000000u,
            "number of runs, for the time")
      ->type_name("N");
  addSpecializeOption(app, options.model.specialize);
}

/// Adds the flags for outputs.
static void addOutputFlags(CLI::App &app, RunOptions &options,
                           const std::vector<std::string> &phases) {
  HelpGroup comparison(app, "Comparison");
  app.add_option("--compare", options.compare,
                 "run on this backend too and compare with it")
      ->type_name("BACKEND")
      ->excludes("--data-set")
      ->excludes("--session");
  app.add_flag("--stages", options.stages,
               "with --compare=" + referenceBackend() +
                   ": compare every instruction, and name the first that "
                   "differs")
      ->needs("--compare");
  addNumberFlag(
      app, "--atol", [&](double x) { options.atol = x; }, 0.0, 1e300,
      "allowed absolute difference; default 1e-6")
      ->type_name("X");
  addNumberFlag(
      app, "--rtol", [&](double x) { options.rtol = x; }, 0.0, 1e300,
      "allowed difference relative to the largest expected value of the "
      "tensor; default 1e-4, for f16, bf16 and --math=fast 2e-2")
      ->type_name("X");
  HelpGroup output(app, "Output");
  app.add_option("--output-dir", options.outputDir,
                 "write every tensor to NAME.npy in this folder, bytes that "
                 "are no letters, digits, '.', '-' or '_' as %XX; where an "
                 "output is none, all as output_K.pb too; where an input is a "
                 "picture, outputs that are some as NAME.png")
      ->type_name("DIR");
  addJsonOption(app, options.json, "types, times in ms, and values where few");
  app.add_option("--trace", options.trace,
                 "write the time of every step, in microseconds, as a Chrome "
                 "trace")
      ->type_name("FILE")
      ->excludes("--session");
  HelpGroup developers(app, developerHeading);
  app.add_option("--debug", options.model.code.listing,
                 "write the instructions to this file, and make code that a "
                 "debugger shows them for, with the model's names")
      ->type_name("FILE");
  addPlanOption(app, options.model.code.plans);
  app.add_option("--perf", options.model.code.perfFolder,
                 "tell perf the model's names of the code, in "
                 "/tmp/perf-PID.map and in a jitdump in this folder")
      ->type_name("DIR");
  app.add_option("--stop-after", options.stopAfter,
                 "print the text after this phase and do not run: " +
                     CLI::detail::join(phases, ", "))
      ->type_name("PHASE");
}

void tool::addRunFlags(CLI::App &app, RunOptions &options,
                       const std::vector<std::string> &phases) {
  addInputFlags(app, options);
  addOutputFlags(app, options, phases);
}
