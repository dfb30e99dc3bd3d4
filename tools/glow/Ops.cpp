//===- Ops.cpp - glow ops: what every backend runs ------------------------===//

#include "Tool.h"
#include "glow/Pipeline/Session.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

Subcommand tool::addOps(CLI::App &glow) {
  CLI::App *app = glow.add_subcommand(
      "ops", "print which backend runs which node and ONNX operator");
  auto markdown = std::make_shared<bool>(false);
  app->add_flag("--markdown", *markdown, "as Markdown tables");
  return {app, [markdown] {
            std::string table = operatorTable(*markdown);
            std::fwrite(table.data(), 1, table.size(), stdout);
            return 0;
          }};
}
