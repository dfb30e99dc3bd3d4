//===- Ops.cpp - glow ops: coverage of all backends -----------------------===//
// SPDX-License-Identifier: MIT

#include "cli/Help.h"
#include "cli/Tool.h"
#include "glow/Base/NewFile.h"
#include "glow/Coverage/Coverage.h"
#include "glow/Samples/Texts.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct OpsOptions {
  bool markdown = false, samples = false;
  std::string filter, json;
};

} // namespace

using Format = CoverageRequest::Format;

static Status printTable(const OpsOptions &options, Format format,
                         const std::string &path) {
  Result<std::string> table = coverageTable({format, options.filter});
  if (!table)
    return table.status();
  if (path != "-")
    return writeFile(path, *table);
  std::fwrite(table->data(), 1, table->size(), stdout);
  return Status();
}

static Status printOperators(const OpsOptions &options) {
  if (Status status = checkOutputs({options.json}, {}); !status.ok())
    return status;
  if (!options.json.empty())
    if (Status status = printTable(options, Format::Json, options.json);
        !status.ok())
      return status;
  if (options.json == "-")
    return Status();
  return printTable(options, options.markdown ? Format::Markdown : Format::Text,
                    "-");
}

/// A node of each kind in text of both dialects.
static Status printSamples(const std::string &path) {
  if (Status status = checkOutputs({path}, {}); !status.ok())
    return status;
  if (path == "-")
    silenceText();
  Json list = Json::array();
  for (const NodeText &sample : nodeTexts()) {
    list.push_back({{"node", sample.node},
                    {"sample", sample.label},
                    {"text", sample.text},
                    {"instructions", sample.instructions}});
    printText("%s\n", sample.text.c_str());
  }
  return writeJson(path, list);
}

Subcommand tool::addOps(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "ops", "print which backend runs which node and ONNX operator");
  addExamples(*app, {"glow ops", "glow ops --filter=pool",
                     "glow ops --json=operators.json"});
  auto options = std::make_shared<OpsOptions>();
  CLI::Option *markdown = app->add_flag("--markdown", options->markdown,
                                        "print Markdown in place of text");
  addJsonOption(*app, options->json, "the table or the samples")
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
            Status status = options->samples ? printSamples(options->json)
                                             : printOperators(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
