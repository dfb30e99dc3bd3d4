//===- Ops.cpp - glow ops: what every backend runs ------------------------===//

#include "Tool.h"
#include "glow/Coverage/Coverage.h"
#include "glow/Samples/Texts.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct OpsOptions {
  bool markdown = false, json = false, samples = false;
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

/// A node of each kind in text of both dialects.
static void printSamples(bool asJson) {
  Json list = Json::array();
  for (const NodeText &sample : nodeTexts()) {
    if (asJson)
      list.push_back({{"node", sample.node},
                      {"sample", sample.label},
                      {"text", sample.text},
                      {"instructions", sample.instructions}});
    else
      say("%s\n", sample.text.c_str());
  }
  if (asJson)
    say("%s\n", list.dump(2).c_str());
}

Subcommand tool::addOps(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "ops", "print which backend runs which node and ONNX operator");
  auto options = std::make_shared<OpsOptions>();
  CLI::Option *markdown = app->add_flag("--markdown", options->markdown,
                                        "print Markdown in place of text");
  app->add_flag("--json", options->json, "print JSON in place of text")
      ->excludes(markdown);
  CLI::Option *samples =
      app->add_flag("--samples", options->samples,
                    "print a sample of each node in place of the table")
          ->excludes(markdown);
  app->add_option("--filter", options->filter,
                  "only nodes and operators whose name this regular "
                  "expression finds, in upper or lower case; default: all")
      ->type_name("REGEX")
      ->excludes(samples);
  return {app, [options] {
            if (options->samples) {
              printSamples(options->json);
              return 0;
            }
            Status status = printOperators(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
