//===- Explain.cpp - glow explain: what runs where, and why ---------------===//

#include "Help.h"
#include "Layers.h"
#include "Stages.h"
#include "glow/Base/Clock.h"
#include "glow/Toolchain/Toolchain.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct ExplainOptions {
  ModelOptions model;
  bool json = false, measure = false, stub = false;
};

} // namespace

static void print(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// Prints an explanation, and what was chosen for the layers, if anything.
static Status addLayers(std::shared_ptr<Session> session,
                        const ExplainOptions &options,
                        const std::string &text) {
  Result<Layers> layers =
      layersOf(std::move(session), options.model, options.measure);
  if (!layers)
    return layers.status();
  if (layers->rows.empty()) {
    print(text);
  } else if (options.json) {
    Json all = Json::parse(text);
    all["cycles_per_ms"] = cyclesPerSecond() / 1000;
    all["run_arena_bytes"] = layers->arenaBytes;
    addAccuracy(all, *layers);
    all["layers"] = layersAsJson(layers->rows);
    print(all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  } else {
    print(text + "\na run on one thread has an arena of " +
          std::to_string(layers->arenaBytes) +
          " bytes, with all that kernels take\n\n" +
          layersAsText(layers->rows) + "\n" + accuracyAsText(*layers));
  }
  return Status();
}

static Status printStubs(const std::string &model) {
  Result<std::string> stubs = operatorStubs(model);
  if (!stubs)
    return stubs.status();
  print(*stubs);
  return Status();
}

static Status explain(const ExplainOptions &options) {
  if (options.stub)
    return printStubs(options.model.model);
  Result<std::shared_ptr<Session>> session = openModel(options.model);
  if (!session)
    return session.status();
  InputShapes shapes((*session)->inputs());
  if (Status status = shapes.apply(options.model.shapes); !status.ok())
    return status;
  CompileRequest request = requestOf(options.model, shapes.known());
  request.mayRunInStages = true;
  Result<Explanation> found = (*session)->explain(request, options.json);
  if (found.status().code() == Code::InStages)
    return explainStages(*session, options.model, options.json);
  if (!found)
    return found.status();
  if (found->refused == 0)
    return addLayers(session.take(), options, found->text);
  print(found->text);
  return failure(Code::Unsupported, "backend '", options.model.backend,
                 "' can neither run nor lower ", found->refused,
                 found->refused == 1 ? " node" : " nodes", " of '",
                 options.model.model, "'");
}

Subcommand tool::addExplain(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand(
      "explain", "say what runs where and why, and all that does not");
  addExamples(*app,
              {"glow explain model.onnx", "glow explain model.onnx --measure"});
  auto options = std::make_shared<ExplainOptions>();
  addModelOptions(*app, options->model, sessions);
  addCacheOption(*app, options->model.cacheDir);
  CLI::Option *json =
      app->add_flag("--json", options->json, "print JSON in place of text");
  app->add_flag("--measure", options->measure,
                "run the model on random inputs, for the time of every layer");
  app->add_flag("--stub", options->stub,
                "print a record to fill in for each operator that none imports")
      ->excludes(json);
  return {app, [options] {
            Status status = explain(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
