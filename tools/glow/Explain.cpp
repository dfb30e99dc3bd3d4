//===- Explain.cpp - glow explain: what runs where, and why ---------------===//

#include "Stages.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct ExplainOptions {
  ModelOptions model;
  bool json = false;
};

} // namespace

static Status explain(const ExplainOptions &options) {
  Result<std::shared_ptr<Session>> session = openModel(options.model.model);
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
  app->add_flag("--json", options->json, "print JSON in place of text");
  return {app, [options] {
            Status status = explain(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
