//===- Explain.cpp - glow explain: what runs where, and why ---------------===//

#include "Runner.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct ExplainOptions {
  ModelOptions model;
  bool json = false, stub = false;
};

} // namespace

static Status printStubs(const std::string &model) {
  Result<std::string> stubs = operatorStubs(model);
  if (!stubs)
    return stubs.status();
  std::fwrite(stubs->data(), 1, stubs->size(), stdout);
  return Status();
}

static Status explain(const ExplainOptions &options) {
  if (options.stub)
    return printStubs(options.model.model);
  Result<std::shared_ptr<Session>> session = openModel(options.model.model);
  if (!session)
    return session.status();
  InputShapes shapes((*session)->inputs());
  if (Status status = shapes.apply(options.model.shapes); !status.ok())
    return status;
  Result<Explanation> found = (*session)->explain(
      requestOf(options.model, shapes.known()), options.json);
  if (!found)
    return found.status();
  std::fwrite(found->text.data(), 1, found->text.size(), stdout);
  if (found->refused == 0)
    return Status();
  return failure(Code::Unsupported, "backend '", options.model.backend,
                 "' can neither run nor lower ", found->refused,
                 found->refused == 1 ? " node" : " nodes", " of '",
                 options.model.model, "'");
}

Subcommand tool::addExplain(CLI::App &glow) {
  CLI::App *app = glow.add_subcommand(
      "explain", "say what runs where and why, and all that does not");
  auto options = std::make_shared<ExplainOptions>();
  addModelOptions(*app, options->model);
  CLI::Option *json =
      app->add_flag("--json", options->json, "print JSON in place of text");
  app->add_flag("--stub", options->stub,
                "print a record to fill in for each operator that none imports")
      ->excludes(json);
  return {app, [options] {
            Status status = explain(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
