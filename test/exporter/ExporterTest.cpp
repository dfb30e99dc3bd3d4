//===- ExporterTest.cpp - every sample, written as ONNX and read again ----===//
// SPDX-License-Identifier: MIT
//
// Writes the models into the folder that is the first argument, and lists the
// nodes without a sample that can be written.
//
//===----------------------------------------------------------------------===//

#include "glow/Exporter/Exporter.h"
#include "glow/Base/NewFile.h"
#include "glow/Importer/ModelFile.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Samples/Samples.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mlir;
using namespace glow;

namespace {

/// Counts the results of the samples of a node.
struct Outcome {
  unsigned written = 0, refused = 0;
};

class ExporterTest {
public:
  explicit ExporterTest(std::string folder) : folder(std::move(folder)) {
    DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Returns the exit status.
  int run();

private:
  /// The error of a sample, or "".
  std::string check(const SampleInfo &sample, Outcome &outcome);
  std::string compareRead(const SampleInfo &sample, const std::string &path);

  const std::string folder;
  MLIRContext context{MLIRContext::Threading::DISABLED};
  unsigned files = 0;
};

} // namespace

/// Reads the model, and runs it beside the node.
std::string ExporterTest::compareRead(const SampleInfo &sample,
                                      const std::string &path) {
  SampleModule direct =
      buildSample(context, sample, operandsOf(context, sample));
  SampleModule again =
      buildSample(context, sample, operandsOf(context, sample));
  Result<std::unique_ptr<ModelFile>> file = ModelFile::open(path);
  if (!file)
    return "is not read: " + file.status().message();
  again.module = importOnnx(context, **file, {});
  if (!again.module)
    return "is not imported";
  std::vector<glow::Tensor> expected, actual;
  if (execute(direct, true, expected) != "")
    return ""; // as other tests tell
  if (std::string why = execute(again, true, actual); !why.empty())
    return "does not run when it is read again: " + why;
  return compare(sample.node, actual, expected);
}

std::string ExporterTest::check(const SampleInfo &sample, Outcome &outcome) {
  SampleModule module =
      buildSample(context, sample, operandsOf(context, sample));
  if (!module.built)
    return "is refused: " + module.said;
  std::string said;
  FailureOr<std::string> bytes = failure();
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      said += diagnostic.str();
      return success();
    });
    bytes = exportOnnx(*module.module);
  }
  if (mlir::failed(bytes)) {
    ++outcome.refused;
    return StringRef(said).contains("no operator of ONNX")
               ? ""
               : "is refused for another reason: " + said;
  }
  ++outcome.written;
  std::string path = folder + "/" + std::to_string(files++) + ".onnx";
  if (Status status = writeFile(path, *bytes); !status.ok())
    return status.message();
  return compareRead(sample, path);
}

int ExporterTest::run() {
  std::map<std::string, Outcome> outcomes;
  unsigned failures = 0;
  for (const SampleInfo &sample : allSamples()) {
    if (*sample.refuses || isOfBackend(sample.node))
      continue;
    std::string why = check(sample, outcomes[sample.node]);
    if (why.empty())
      continue;
    ++failures;
    llvm::errs() << sample.node << " sample '" << sample.label << "' " << why
                 << " (" << placeOf(sample.node) << ")\n";
  }
  unsigned whole = 0, partly = 0;
  for (auto &[node, outcome] : outcomes) {
    if (!outcome.written)
      llvm::outs() << "not written: " << node << "\n";
    else
      ++(outcome.refused ? partly : whole);
    if (outcome.written && outcome.refused)
      llvm::outs() << "partly written: " << node << "\n";
  }
  llvm::outs() << files << " models of " << whole << " nodes, and of " << partly
               << " in part\n"
               << failures << " failures\n";
  return failures ? 1 : 0;
}

int main(int argc, char **argv) {
  if (argc == 2)
    return ExporterTest(argv[1]).run();
  llvm::errs() << "usage: GlowExporterTests FOLDER\n";
  return 2;
}
