//===- Ops.cpp - glow ops: what every backend runs ------------------------===//

#include "Tool.h"
#include "glow/Coverage/Coverage.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct OpsOptions {
  bool markdown = false, json = false;
  std::string filter;
};

} // namespace

static Status printOperators(const OpsOptions &options) {
  using Format = CoverageRequest::Format;
  Format format = options.json       ? Format::Json
                  : options.markdown ? Format::Markdown
                                     : Format::Text;
  Result<std::string> table = coverageTable({format, options.filter});
  if (!table)
    return table.status();
  std::fwrite(table->data(), 1, table->size(), stdout);
  return Status();
}

Subcommand tool::addOps(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "ops", "print which backend runs which node and ONNX operator");
  auto options = std::make_shared<OpsOptions>();
  CLI::Option *markdown = app->add_flag("--markdown", options->markdown,
                                        "print Markdown in place of text");
  app->add_flag("--json", options->json, "print JSON in place of text")
      ->excludes(markdown);
  app->add_option("--filter", options->filter,
                  "only nodes and operators whose name this regular "
                  "expression finds, in upper or lower case; default: all")
      ->type_name("REGEX");
  return {app, [options] {
            Status status = printOperators(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
