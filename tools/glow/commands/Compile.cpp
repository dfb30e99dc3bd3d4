//===- Compile.cpp - glow compile: a model as text or as code -------------===//
// SPDX-License-Identifier: MIT
//
// Text after a phase is printed; code goes to files. A bundle can have several
// models, and has equal weights once. Steps with their times are shown unless
// the text itself goes to standard output.
//
//===----------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/Help.h"
#include "commands/EntryNames.h"
#include "data/Inputs.h"
#include "glow/Base/Counted.h"
#include "glow/Base/Nearest.h"
#include "glow/Base/NewFile.h"
#include "glow/TensorFiles/File.h"
#include "glow/Toolchain/Toolchain.h"
#include "report/Layers.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

using namespace glow;
using namespace glow::tool;

namespace {

struct CompileOptions {
  ModelOptions model;
  EmitRequest emit{"", "", {}}; // what the output says, where nothing is said
  std::string output = "-", weights = "file", api = "static";
  std::string object = "object", colours = "family", form = "files";
  std::vector<std::string> entries; // NAME=MODEL, unparsed
  TrainingRequest gradient;         // of --emit=gradient

  /// Whether it is several files in a folder.
  bool isBundle() const { return emit.what == "bundle" || emit.what == "c"; }
};

/// Numbered steps with their times, unless the text itself goes to stdout.
class StepList {
public:
  explicit StepList(bool shown) : shown(shown) {}

  void done(const std::string &what) {
    ++number;
    if (shown)
      std::printf("%d. %s: %s, memory %.1f MiB\n", number, what.c_str(),
                  timeText(watch.milliseconds()).c_str(),
                  double(peakResidentBytes()) / (1 << 20));
    watch = Stopwatch();
  }

private:
  bool shown;
  int number = 0;
  Stopwatch watch;
};

/// A model that is read, and what it is called in a bundle.
struct Opened {
  std::string name;
  std::shared_ptr<Session> session;
};

class CompileCommand {
public:
  explicit CompileCommand(CompileOptions given)
      : options(std::move(given)), steps(options.output != "-" && !isQuiet()) {}

  Status run();

private:
  Status open(const std::string &name, const std::string &path);
  Status openEntries();
  Result<CompileRequest> requestOf(Session &session) const;
  Result<std::vector<EmittedFile>> emitFiles();
  void setForm(EmitRequest &request) const;
  bool isDrawing() const;
  Result<std::string> draw(const CompileRequest &request);
  Status write(const std::vector<EmittedFile> &files);
  Status writeBundle(const std::vector<EmittedFile> &files);
  std::vector<std::string> inputs() const;

  CompileOptions options;
  StepList steps;
  std::vector<Opened> models;
};

} // namespace

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

/// Refuses to write binary data to a terminal.
static Status checkTerminal(const CompileOptions &options) {
  const std::string &emit = options.emit.what;
  if (options.output != "-" || !::isatty(STDOUT_FILENO) ||
      (emit != "obj" && emit != "so" && emit != "onnx"))
    return Status();
  return failure(Code::InvalidArgument, "emit '", emit,
                 "' is no text, which a terminal would show: say -o FILE");
}

/// "DIR/NAME.c" is a bundle of C in DIR whose files are called NAME.
static void splitSource(CompileOptions &options) {
  if (options.emit.what != "c" || !options.output.ends_with(".c"))
    return;
  std::filesystem::path path = options.output;
  if (options.emit.name.empty())
    options.emit.name = path.stem();
  options.output = path.has_parent_path() ? path.parent_path().string() : ".";
}

/// Whether it is emitted, and the output and entries fit it.
static Status checkEmit(CompileOptions &options) {
  const std::string &emit = options.emit.what;
  const std::vector<std::string> kinds = graphKinds(options);
  if (emit != "gradient" &&
      !(options.gradient.output.empty() && options.gradient.weights.empty()))
    return failure(Code::InvalidArgument,
                   "--of and --trainable are for --emit=gradient, not for "
                   "--emit=",
                   emit);
  if (contains(kinds, emit) || contains(codes, emit)) {
    if (options.isBundle() && options.output == "-")
      return failure(Code::InvalidArgument,
                     "a bundle is several files: say -o DIR");
    if (!options.isBundle() && !options.entries.empty())
      return failure(
          Code::InvalidArgument,
          "--entry is for --emit=bundle and --emit=c, not for --emit=", emit);
    return Status();
  }
  std::vector<std::string> all = kinds;
  all.insert(all.end(), codes.begin(), codes.end());
  std::string names = CLI::detail::join(all, ", ");
  return failure(Code::InvalidArgument, "there is no emit '", emit, "'",
                 didYouMean(emit, all), ": this build emits ", names);
}

Status CompileCommand::open(const std::string &name, const std::string &path) {
  if (!isIdentifier(name))
    return failure(
        Code::InvalidArgument, "'", name,
        "' should be a name of C and C++: letters, digits and _, and no word "
        "of the languages");
  for (const Opened &other : models)
    if (other.name == name)
      return failure(Code::InvalidArgument, "there are two entries '", name,
                     "'");
  Result<std::shared_ptr<Session>> session =
      openModel(*options.model.sessions, path);
  if (!session)
    return session.status();
  models.push_back({name, session.take()});
  steps.done("read " + path);
  return Status();
}

Status CompileCommand::openEntries() {
  for (const std::string &entry : options.entries) {
    size_t equals = entry.find('=');
    if (equals == std::string::npos)
      return failure(Code::InvalidArgument, "--entry '", entry,
                     "' should be NAME=MODEL");
    Status status = open(entry.substr(0, equals), entry.substr(equals + 1));
    if (!status.ok())
      return status;
  }
  return Status();
}

Result<CompileRequest> CompileCommand::requestOf(Session &session) const {
  Result<CompileRequest> request =
      completeRequest(options.model, session.inputs());
  if (request && options.emit.what == "gradient")
    request->training = std::make_shared<TrainingRequest>(options.gradient);
  return request ? std::move(request)
                 : Result<CompileRequest>(
                       session.withRefusedNodes(request.status()));
}

/// Sets the contents of a library for a build system.
void CompileCommand::setForm(EmitRequest &request) const {
  if (options.form == "files")
    return;
  request.form =
      options.form == "cmake" ? BundleForm::CMake : BundleForm::Arduino;
  request.archive = request.what == "bundle";
  // A sketch has no files.
  request.embedWeights |= request.form == BundleForm::Arduino;
}

Result<std::vector<EmittedFile>> CompileCommand::emitFiles() {
  std::vector<EmitEntry> entries;
  for (const Opened &model : models) {
    Result<CompileRequest> request = requestOf(*model.session);
    if (!request)
      return request.status();
    entries.push_back({model.session.get(), *request, model.name});
  }
  if (contains(codes, options.emit.what)) {
    EmitRequest request = options.emit;
    request.code = options.model.code;
    request.name = models[0].name;
    request.embedWeights = options.weights == "embedded";
    request.archive = options.object == "archive" && request.what == "bundle";
    request.dynamicApi = options.api == "dynamic";
    setForm(request);
    return emitModels(entries, request);
  }
  if (isDrawing()) {
    Result<std::string> drawing = draw(entries[0].compile);
    if (!drawing)
      return drawing.status();
    return std::vector<EmittedFile>{{"", drawing.take()}};
  }
  bool bytecode = options.output.ends_with(".mlirbc");
  Result<std::string> text =
      models[0].session->print(entries[0].compile, options.emit.what, bytecode);
  if (!text)
    return text.status();
  return std::vector<EmittedFile>{{"", text.take()}};
}

bool CompileCommand::isDrawing() const {
  return options.emit.what == "dot" || options.output.ends_with(".dot");
}

/// Draws the graph. Colours by time use the predicted times of the compiled
/// program.
Result<std::string> CompileCommand::draw(const CompileRequest &request) {
  std::map<std::string, double> times;
  if (options.colours == "time") {
    Result<Layers> layers = layersOf(models[0].session, request, nullptr);
    if (!layers)
      return layers.status();
    for (const Layer &layer : layers->rows)
      times[oneLine(layer.report.node)] += layer.predicted;
    if (timeOf(layers->rows) <= 0)
      return failure(Code::Unsupported, "backend '", request.backend,
                     "' predicts no times; say --colours=family");
  }
  const std::string &what = options.emit.what;
  return drawModel(*models[0].session, request, what == "dot" ? "graph" : what,
                   times);
}

std::vector<std::string> CompileCommand::inputs() const {
  std::vector<std::string> files;
  for (const Opened &model : models)
    for (const std::string &file : model.session->files())
      files.push_back(file);
  return files;
}

/// All of them get their names at the end: a bundle of which one file could not
/// be written is not there.
Status CompileCommand::writeBundle(const std::vector<EmittedFile> &files) {
  NewFiles made;
  if (Status status = made.makeFolder(options.output); !status.ok())
    return status;
  std::vector<std::string> paths;
  const std::filesystem::path folder = options.output;
  for (const EmittedFile &file : files)
    paths.push_back(folder / (file.path.empty() ? models[0].name + file.suffix
                                                : file.path));
  for (const std::string &path : paths)
    if (Status status =
            made.makeFolder(std::filesystem::path(path).parent_path().string());
        !status.ok())
      return status;
  if (Status status = checkOutputs(paths, inputs()); !status.ok())
    return status;
  for (size_t i = 0; i < paths.size(); ++i)
    if (Status status = made.add(paths[i], files[i].bytes); !status.ok())
      return status;
  if (Status status = made.finish(); !status.ok())
    return status;
  // One step: the files have one time together.
  std::string what;
  for (size_t i = 0; i < files.size(); ++i)
    what += (i ? "; " : "") + paths[i] + ", " +
            counted(files[i].bytes.size(), "byte");
  steps.done("wrote " + what);
  return Status();
}

Status CompileCommand::write(const std::vector<EmittedFile> &files) {
  if (options.isBundle())
    return writeBundle(files);
  const std::string &bytes = files[0].bytes;
  if (options.output == "-") {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    return Status();
  }
  Status status = writeFile(options.output, bytes);
  if (status.ok())
    steps.done("wrote " + options.output + ", " +
               counted(bytes.size(), "byte"));
  return status;
}

Status CompileCommand::run() {
  if (Status status = checkTerminal(options); !status.ok())
    return status;
  splitSource(options);
  std::string name = options.emit.name.empty()
                         ? identifierOf(options.model.model)
                         : options.emit.name;
  if (Status status = open(name, options.model.model); !status.ok())
    return status;
  if (Status status = openEntries(); !status.ok())
    return status;
  if (!options.isBundle())
    if (Status status = checkOutputs({options.output}, inputs()); !status.ok())
      return status;
  Result<std::vector<EmittedFile>> files = [&] {
    Activity compiling("compiling");
    return emitFiles();
  }();
  if (!files)
    return files.status();
  steps.done("made " + options.emit.what);
  return write(*files);
}

/// Flags of what is made to run elsewhere.
static void addCodeFlags(CLI::App &app, CompileOptions &options) {
  HelpGroup group(app, "Files of code");
  addSettings(app, options.model.code.settings, /*forFiles=*/true);
  app.add_option("--name", options.emit.name,
                 "name of the function and of a bundle's files; default: the "
                 "model's file")
      ->type_name("NAME");
  app.add_option("--entry", options.entries,
                 "another model of the same bundle, as function NAME; equal "
                 "weights are there once")
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

Subcommand tool::addCompile(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app =
      glow.add_subcommand("compile", "compile a model, and write what it is "
                                     "after any phase of the compiler");
  addExamples(*app, {"glow compile model.onnx -o model.so",
                     "glow compile model.onnx -o folder/",
                     "glow compile model.onnx --emit=lower -o model.mlir"});
  auto options = std::make_shared<CompileOptions>();
  addModelOptions(*app, options->model, sessions);
  HelpGroup output(*app, "Output");
  app->add_option(
         "-o,--output", options->output,
         "file to write, or folder of a bundle; its ending says what: "
         ".so, .o, .s, .ll, .c, .dot, .onnx, .loops, text as .mlir or "
         ".mlirbc, bundle DIR/; - is standard output; text leaves long weights "
         "out, FILE.mlirbc has them")
      ->type_name("OUT")
      ->capture_default_str();
  app->add_option("--emit", options->emit.what,
                  CLI::detail::join(sessions.phaseNames(), ", ") +
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
  app->add_option("--colours", options->colours,
                  "of a drawing: family, by the records; time, by the times "
                  "that are predicted")
      ->check(CLI::IsMember({"family", "time"}))
      ->capture_default_str();
  app->add_option("--of", options->gradient.output,
                  "of --emit=gradient: name of the output that is "
                  "differentiated; default: the only one of one number")
      ->type_name("OUTPUT");
  app->add_option("--trainable", options->gradient.weights,
                  "of --emit=gradient: names of weights; again for more; "
                  "default: all of several elements that reach an output")
      ->type_name("REGEX")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  addPlanOption(*app, options->model.code.plans);
  addCodeFlags(*app, *options);
  app->final_callback([options] {
    for (Status (*read)(CompileOptions &) : {readOutput, checkEmit})
      if (Status status = read(*options); !status.ok())
        throw CLI::ValidationError(status.message());
  });
  return {app, [options] {
            Status status = CompileCommand(*options).run();
            return status.ok() ? 0 : fail(status);
          }};
}
