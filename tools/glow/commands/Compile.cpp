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
#include "commands/CompileOptions.h"
#include "commands/EntryNames.h"
#include "data/Inputs.h"
#include "glow/Base/Counted.h"
#include "glow/Base/NewFile.h"
#include "glow/Runtime/ProgramFile.h"
#include "glow/TensorFiles/File.h"
#include "glow/Toolchain/Toolchain.h"
#include "glow/Trainer/Trainer.h"
#include "report/Layers.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>

using namespace glow;
using namespace glow::tool;

namespace {

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

/// A model that is read, and its name in a bundle.
struct Opened {
  std::string name;
  std::shared_ptr<Session> session;
  std::optional<TrainingRequest::Part> part = {}; ///< of --train
};

class CompileCommand {
public:
  explicit CompileCommand(CompileOptions given)
      : options(std::move(given)), steps(options.output != "-" && !isQuiet()) {}

  Status run();

private:
  Status add(const std::string &name, std::shared_ptr<Session> session);
  Status openModel();
  Status openTraining();
  Status openEntries();
  Result<CompileRequest> requestOf(const Opened &model) const;
  Result<std::vector<EmittedFile>> emitFiles();
  void setForm(EmitRequest &request) const;
  bool isDrawing() const;
  Result<std::string> draw(const CompileRequest &request);
  Status write(const std::vector<EmittedFile> &files);
  Status writeSession();
  Status writeBundle(const std::vector<EmittedFile> &files);
  std::vector<std::string> inputs() const;

  CompileOptions options;
  StepList steps;
  std::string name; ///< name of the files of a bundle
  std::vector<Opened> models;
};

} // namespace

Status CompileCommand::add(const std::string &name,
                           std::shared_ptr<Session> session) {
  if (!isIdentifier(name))
    return failure(
        Code::InvalidArgument, "'", name,
        "' should be a name of C and C++: letters, digits and _, and no word "
        "of the languages");
  for (const Opened &other : models)
    if (other.name == name)
      return failure(Code::InvalidArgument, "there are two entries '", name,
                     "'");
  models.push_back({name, std::move(session)});
  return Status();
}

/// Adds the model that the command names: each function of a module becomes an
/// entry of a bundle.
Status CompileCommand::openModel() {
  Result<std::shared_ptr<Session>> opened = tool::openModel(options.model);
  if (!opened)
    return opened.status();
  steps.done("read " + options.model.model);
  const Session &session = **opened;
  if (!options.isBundle() || session.functions().size() < 2 ||
      !session.function().empty())
    return add(name, opened.take());
  for (const std::string &function : session.functions()) {
    Result<std::unique_ptr<Session>> one = session.another();
    Status status = one ? (*one)->choose(function) : one.status();
    if (status.ok())
      status = add(function, one.take());
    if (!status.ok())
      return status;
  }
  return Status();
}

/// Adds the programs of training, over the weights that the ONNX file has: all
/// of them to a bundle or a module, the step alone to another file.
Status CompileCommand::openTraining() {
  Result<std::vector<std::string>> weights = weightNames(options.model.model);
  if (!weights)
    return weights.status();
  options.training.among = weights.take();
  Result<std::shared_ptr<Session>> opened =
      tool::openModel(*options.model.sessions, options.model.model);
  if (!opened)
    return opened.status();
  steps.done("read " + options.model.model);
  // The weights that lead to the compared output are those of all functions.
  for (const Binding &output : (*opened)->outputs())
    if (options.training.output.empty() && isFloat(output.type.kind))
      options.training.output = output.name;
  const bool isSeveral = options.isBundle() || options.isModule();
  const std::string chosen = !options.model.function.empty() || isSeveral
                                 ? options.model.function
                                 : trainParts[0].first;
  for (auto [function, part] : trainParts) {
    if (!chosen.empty() && chosen != function)
      continue;
    Result<std::unique_ptr<Session>> session = (*opened)->another();
    Status status = session ? add(isSeveral ? function : name, session.take())
                            : session.status();
    if (!status.ok())
      return status;
    models.back().part = part;
  }
  return Status();
}

Status CompileCommand::openEntries() {
  for (const std::string &entry : options.entries) {
    size_t equals = entry.find('=');
    if (equals == std::string::npos)
      return failure(Code::InvalidArgument, "--entry '", entry,
                     "' should be NAME=MODEL");
    const std::string path = entry.substr(equals + 1);
    Result<std::shared_ptr<Session>> session =
        tool::openModel(*options.model.sessions, path);
    Status status = session ? add(entry.substr(0, equals), session.take())
                            : session.status();
    if (!status.ok())
      return status;
    steps.done("read " + path);
  }
  return Status();
}

Result<CompileRequest> CompileCommand::requestOf(const Opened &model) const {
  Session &session = *model.session;
  Result<CompileRequest> request =
      completeRequest(options.model, session.inputs());
  if (request && (model.part || options.emit.what == "gradient")) {
    auto training = std::make_shared<TrainingRequest>(options.training);
    if (model.part)
      training->part = *model.part;
    request->training = std::move(training);
  }
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
    Result<CompileRequest> request = requestOf(model);
    if (!request)
      return request.status();
    entries.push_back({model.session.get(), *request, model.name});
  }
  if (options.isCode()) {
    EmitRequest request = options.emit;
    request.code = options.model.code;
    request.name = name;
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
  const bool bytecode = options.output.ends_with(".mlirbc");
  Result<std::string> text =
      entries.size() > 1 ? joinModels(entries, options.emit.what, bytecode)
                         : models[0].session->print(
                               entries[0].compile, options.emit.what, bytecode);
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
    paths.push_back(folder /
                    (file.path.empty() ? name + file.suffix : file.path));
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

/// Writes the states with which training begins, for the written step.
Status CompileCommand::writeSession() {
  Result<Program> step = openProgram(options.output);
  Status status =
      step ? saveFirstStates(*step, options.model.model, options.session)
           : step.status();
  if (status.ok())
    steps.done("wrote " + options.session);
  return status;
}

Status CompileCommand::run() {
  if (Status status = checkTerminal(options); !status.ok())
    return status;
  splitSource(options);
  name = options.emit.name.empty() ? identifierOf(options.model.model)
                                   : options.emit.name;
  if (Status status = options.trains ? openTraining() : openModel();
      !status.ok())
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
  Status status = write(*files);
  return status.ok() && !options.session.empty() ? writeSession() : status;
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
  addCompileFlags(*app, *options);
  app->final_callback([options] {
    if (Status status = readOptions(*options); !status.ok())
      throw CLI::ValidationError(status.message());
  });
  return {app, [options] {
            Status status = CompileCommand(*options).run();
            return status.ok() ? 0 : fail(status);
          }};
}