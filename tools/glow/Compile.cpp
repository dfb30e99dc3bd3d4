//===- Compile.cpp - glow compile: a model as text or as code -------------===//

#include "Runner.h"
#include "glow/TensorFiles/File.h"
#include <algorithm>
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct CompileOptions {
  ModelOptions model;
  std::string output = "-", emit = "plan", target, processor;
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

} // namespace

// What the command line promises in all, and what this build has of it.
static const std::vector<std::string> emitted = {
    "import", "graph", "optimize", "lower", "irgen", "plan", "dot"};
static const std::vector<std::string> promised = {"llvm",   "asm", "obj", "so",
                                                  "bundle", "c",   "onnx"};

static bool contains(const std::vector<std::string> &list,
                     const std::string &word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

static Status checkEmit(const std::string &emit) {
  if (contains(emitted, emit))
    return Status();
  std::string names;
  for (const std::string &name : emitted)
    names += (names.empty() ? "" : ", ") + name;
  if (contains(promised, emit))
    return failure(Code::Unsupported, "emit '", emit,
                   "' is not there yet: this build emits ", names);
  return failure(Code::InvalidArgument, "there is no emit '", emit,
                 "': this build emits ", names);
}

static Status checkTarget(const CompileOptions &options) {
  for (const auto &[flag, value] : {std::pair("--target", options.target),
                                    std::pair("--cpu", options.processor)})
    if (!value.empty())
      return failure(Code::Unsupported, flag, " '", value,
                     "' is not there yet: this build compiles for the host");
  return Status();
}

static Status compileModel(const CompileOptions &options) {
  if (Status status = checkEmit(options.emit); !status.ok())
    return status;
  if (Status status = checkTarget(options); !status.ok())
    return status;
  bool toFile = options.output != "-";
  StepList steps(toFile);
  Result<std::shared_ptr<Session>> session = openModel(options.model.model);
  if (!session)
    return session.status();
  steps.done("read " + options.model.model);

  InputShapes shapes((*session)->inputs());
  if (Status status = shapes.apply(options.model.shapes); !status.ok())
    return status;
  CompileRequest request = requestOf(options.model, shapes.known());
  Result<std::string> text = (*session)->print(request, options.emit);
  if (!text)
    return text.status();
  steps.done("made " + options.emit);
  if (!toFile) {
    std::fwrite(text->data(), 1, text->size(), stdout);
    return Status();
  }
  if (Status status = writeFile(options.output, *text); !status.ok())
    return status;
  steps.done("wrote " + options.output + ", " + std::to_string(text->size()) +
             " bytes");
  return Status();
}

Subcommand tool::addCompile(CLI::App &glow) {
  CLI::App *app =
      glow.add_subcommand("compile", "compile a model, and write what it is "
                                     "after any room of the compiler");
  auto options = std::make_shared<CompileOptions>();
  addModelOptions(*app, options->model);
  app->add_option("-o,--output", options->output,
                  "file to write; - is standard output")
      ->type_name("OUT")
      ->capture_default_str();
  app->add_option("--emit", options->emit,
                  "import, graph, optimize, lower, irgen or plan: text after "
                  "that room; dot: a drawing for Graphviz; later: llvm, asm, "
                  "obj, so, bundle, c, onnx")
      ->type_name("WHAT")
      ->capture_default_str();
  app->add_option("--target", options->target,
                  "target triple; only the host for now")
      ->type_name("TRIPLE");
  app->add_option("--cpu", options->processor,
                  "processor of the target; only the host's for now")
      ->type_name("NAME");
  return {app, [options] {
            Status status = compileModel(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
