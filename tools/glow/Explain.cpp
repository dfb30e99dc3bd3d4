//===- Explain.cpp - glow explain: what runs where, and why ---------------===//

#include "Runner.h"
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
  Result<std::string> text = (*session)->explain(
      {options.model.model, options.model.backend, shapes.known(), ""},
      options.json);
  if (!text)
    return text.status();
  std::fwrite(text->data(), 1, text->size(), stdout);
  return Status();
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
