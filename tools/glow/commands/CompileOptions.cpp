//===- CompileOptions.cpp - options of glow compile -----------------------===//
// SPDX-License-Identifier: MIT

#include "commands/CompileOptions.h"
#include "cli/CommandLine.h"
#include "cli/TrainingFlags.h"
#include "glow/Base/Nearest.h"
#include "model/Runner.h"
#include <algorithm>
#include <filesystem>
#include <unistd.h>

using namespace glow;
using namespace glow::tool;

static const std::vector<std::string> codes = {"llvm",   "asm", "obj",
                                               "bundle", "so",  "c"};

static bool contains(const std::vector<std::string> &list,
                     const std::string &word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// The outputs that need only the nodes: all texts, and the ONNX model.
static std::vector<std::string> graphKinds(const CompileOptions &options) {
  std::vector<std::string> kinds = options.model.sessions->phaseNames();
  kinds.insert(kinds.end(), {"gradient", "loops", "dot", "onnx"});
  return kinds;
}

/// The contents that the end of an output's name selects. A text may be that
/// after any phase.
struct Ending {
  std::string ending;
  std::vector<std::string> emits; ///< the first one is the default
};

static std::vector<Ending> endings(const CompileOptions &options) {
  std::vector<std::string> texts = options.model.sessions->phaseNames();
  std::ranges::rotate(texts, std::ranges::find(texts, "plan"));
  // A drawing may also be that after any phase.
  std::vector<std::string> drawings = texts;
  texts.push_back("gradient");
  drawings.insert(drawings.begin(), "dot");
  return {{".so", {"so"}},     {".o", {"obj"}},       {".s", {"asm"}},
          {".ll", {"llvm"}},   {".c", {"c"}},         {".dot", drawings},
          {".mlir", texts},    {".mlirbc", texts},    {".loops", {"loops"}},
          {".onnx", {"onnx"}}, {"/", {"bundle", "c"}}};
}

/// Derives --emit from the output's name. Fails if the name selects nothing, or
/// contradicts --emit.
static Status readOutput(CompileOptions &options) {
  std::string &emit = options.emit.what, &output = options.output;
  std::error_code error;
  bool isFolder = std::filesystem::is_directory(output, error);
  std::string known;
  for (const Ending &ending : endings(options)) {
    bool says =
        output.ends_with(ending.ending) || (isFolder && ending.ending == "/");
    known += (known.empty() ? "" : ", ") + ending.ending;
    if (!says)
      continue;
    if (emit.empty())
      emit = ending.emits.front();
    // A bundle of C may be named by its folder, or by the file of its code.
    if (contains(ending.emits, emit) || (isFolder && !options.isBundle()))
      return Status();
    return failure(Code::InvalidArgument, "-o ", output,
                   " is for --emit=", CLI::detail::join(ending.emits, " or "),
                   ", but --emit says ", emit);
  }
  if (emit.empty() && output == "-")
    emit = "plan";
  if (emit.empty())
    return failure(Code::InvalidArgument, "-o ", output,
                   " does not say what to write: say --emit, or an ending of ",
                   known);
  return Status();
}

Status tool::checkTerminal(const CompileOptions &options) {
  const std::string &emit = options.emit.what;
  if (options.output != "-" || !::isatty(STDOUT_FILENO) ||
      (emit != "obj" && emit != "so" && emit != "onnx"))
    return Status();
  return failure(Code::InvalidArgument, "emit '", emit,
                 "' is no text, which a terminal would show: say -o FILE");
}

void tool::splitSource(CompileOptions &options) {
  if (options.emit.what != "c" || !options.output.ends_with(".c"))
    return;
  std::filesystem::path path = options.output;
  if (options.emit.name.empty())
    options.emit.name = path.stem();
  options.output = path.has_parent_path() ? path.parent_path().string() : ".";
}

static Status checkTraining(const CompileOptions &options) {
  const std::string &function = options.model.function;
  if (!options.trains)
    return Status();
  std::string names;
  bool isKnown = function.empty();
  for (auto [name, part] : trainParts) {
    isKnown |= function == name;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  if (!isKnown)
    return failure(Code::InvalidArgument, "--function is '", function,
                   "', but the functions of --train are ", names);
  if (options.emit.what == "gradient" || options.emit.what == "onnx")
    return failure(Code::InvalidArgument,
                   "--train has no --emit=", options.emit.what);
  if (!options.entries.empty())
    return Status(Code::InvalidArgument, "--train takes one model, no --entry");
  const bool isStep = function.empty() || function == trainParts[0].first;
  if (!options.session.empty() && (options.emit.what != "so" || !isStep))
    return Status(Code::InvalidArgument,
                  "--session is for the step in a library, -o FILE.so");
  return Status();
}

/// Whether it is emitted, and the output and entries fit it.
static Status checkEmit(CompileOptions &options) {
  const std::string &emit = options.emit.what;
  const std::vector<std::string> kinds = graphKinds(options);
  if (!options.trains && emit != "gradient" &&
      !(options.training.output.empty() && options.training.weights.empty()))
    return failure(Code::InvalidArgument,
                   "--of and --trainable are for --emit=gradient and --train, "
                   "not for --emit=",
                   emit);
  if (contains(kinds, emit) || contains(codes, emit)) {
    if (options.isBundle() && options.output == "-")
      return failure(Code::InvalidArgument,
                     "a bundle is several files: say -o DIR");
    if (!options.isBundle() && !options.isModule() && !options.entries.empty())
      return failure(Code::InvalidArgument,
                     "--entry is for --emit=bundle and --emit=c, and for "
                     "--emit=import and --emit=graph, not for --emit=",
                     emit);
    return Status();
  }
  std::vector<std::string> all = kinds;
  all.insert(all.end(), codes.begin(), codes.end());
  std::string names = CLI::detail::join(all, ", ");
  return failure(Code::InvalidArgument, "there is no emit '", emit, "'",
                 didYouMean(emit, all), ": this build emits ", names);
}

bool CompileOptions::isCode() const { return contains(codes, emit.what); }

Status tool::readOptions(CompileOptions &options) {
  for (Status (*read)(CompileOptions &) : {readOutput, checkEmit})
    if (Status status = read(options); !status.ok())
      return status;
  return checkTraining(options);
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

/// Flags of what is made to run elsewhere.
static void addCodeFlags(CLI::App &app, CompileOptions &options) {
  HelpGroup group(app, "Files of code");
  addSettings(app, options.model.code.settings, /*forFiles=*/true);
  app.add_option("--name", options.emit.name,
                 "name of the function and of a bundle's files; default: the "
                 "model's file")
      ->type_name("NAME");
  app.add_option("--entry", options.entries,
                 "another model of the same bundle, or with --emit=import or "
                 "graph of the same module, as function NAME; equal weights "
                 "are there once")
      ->type_name("NAME=MODEL")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--bundle-weights", options.weights,
                 "where a bundle has its weights: file, to be read or mapped; "
                 "embedded in the object")
      ->check(CLI::IsMember({"file", "embedded"}))
      ->capture_default_str();
  app.add_option("--bundle-object", options.object,
                 "what a bundle has its code in: object, a .o; archive, a "
                 "static library, .a")
      ->check(CLI::IsMember({"object", "archive"}))
      ->capture_default_str();
  app.add_option("--bundle-form", options.form,
                 "what a bundle is for: files, for any build; cmake, a folder "
                 "for add_subdirectory; arduino, a library of sketches, with "
                 "its weights embedded")
      ->check(CLI::IsMember({"files", "cmake", "arduino"}))
      ->capture_default_str();
  app.add_option("--bundle-api", options.api,
                 "how a bundle tells sizes and places: static, by macros; "
                 "dynamic, by a table of symbols")
      ->check(CLI::IsMember({"static", "dynamic"}))
      ->capture_default_str();
}

/// Flags of programs that train.
static void addTrainingFlags(CLI::App &app, CompileOptions &options) {
  HelpGroup group(app, "Training");
  CLI::Option *train = app.add_flag(
      "--train", options.trains,
      "make functions over the weights of an ONNX model: train, a step; "
      "evaluate, its loss; infer. A library has the step, or that of "
      "--function");
  addTrainableFlag(app, options.training);
  const size_t before = app.get_options().size();
  addLossFlags(app, options.training);
  addLayerFlags(app, options.training);
  app.add_option("--session", options.session,
                 "file of the states with which the step of -o FILE.so begins")
      ->type_name("FILE");
  addOptimizerFlags(app, options.training.optimizer);
  const std::vector<CLI::Option *> all = app.get_options();
  for (size_t i = before; i < all.size(); ++i)
    all[i]->needs(train);
  app.get_option("--of")->excludes(train);
}

void tool::addCompileFlags(CLI::App &app, CompileOptions &options) {
  HelpGroup output(app, "Output");
  app.add_option(
         "-o,--output", options.output,
         "file to write, or folder of a bundle; its ending says what: "
         ".so, .o, .s, .ll, .c, .dot, .onnx, .loops, text as .mlir or "
         ".mlirbc, bundle DIR/; - is standard output; text leaves long weights "
         "out, FILE.mlirbc has them")
      ->type_name("OUT")
      ->capture_default_str();
  app.add_option("--emit", options.emit.what,
                 CLI::detail::join(options.model.sessions->phaseNames(), ", ") +
                     ": text after that phase, or with -o FILE.dot a drawing; "
                     "gradient: the graph and the gradients of weights; "
                     "loops: the loops of the plan's instructions, and how "
                     "they run; "
                     "dot: one of the graph, for Graphviz; "
                     "llvm, asm or obj: code; bundle: an object, a C header "
                     "and weights; c: the same with C in place of the object; "
                     "so: a library for glow run; onnx: the model as it was "
                     "imported; default: what -o says, plan on standard "
                     "output")
      ->type_name("WHAT");
  app.add_option("--colours", options.colours,
                 "of a drawing: family, by the records; time, by the times "
                 "that are predicted")
      ->check(CLI::IsMember({"family", "time"}))
      ->capture_default_str();
  app.add_option("--of", options.training.output,
                 "of --emit=gradient: name of the output that is "
                 "differentiated; default: the only one of one number")
      ->type_name("OUTPUT");
  addTrainingFlags(app, options);
  addPlanOption(app, options.model.code.plans);
  addCodeFlags(app, options);
}
