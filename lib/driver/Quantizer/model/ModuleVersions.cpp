//===- ModuleVersions.cpp - a module in integers --------------------------===//
// SPDX-License-Identifier: MIT
//
// The pass quantize-graph makes all versions; a session runs it after the
// import.
//
//===----------------------------------------------------------------------===//

#include "ModelRun.h"
#include "Versions.h"

using namespace glow;

namespace {

class OfModule final : public ModelVersions {
public:
  Status open(const std::string &path, const Profile *profile,
              const QuantizeOptions &options, const QuantizationRun &how);

  Result<std::string> floats(const std::vector<std::string> &shown) override {
    return version(GraphQuantization::Plain, std::nullopt, shown);
  }
  Result<std::string>
  quantized(const LayerKinds &kinds,
            const std::vector<std::string> &shown) override {
    return version(GraphQuantization::Quantized, kinds, shown);
  }
  Result<std::string> beside(const LayerKinds &kinds,
                             const std::vector<std::string> &shown,
                             std::vector<std::string> &copies) override {
    Result<std::string> bytes =
        version(GraphQuantization::Beside, kinds, shown);
    copies = graph->copies;
    return bytes;
  }
  Result<std::string> file(const LayerKinds &kinds, ModelForm form,
                           const CompileRequest &request) override;
  Parameters parametersOf(const std::string &value, unsigned bits) override {
    return graph->parameters.at({value, bits});
  }
  Status fit(const std::map<std::string, Moments> &moments) override {
    for (const auto &[name, own] : moments)
      graph->moments[name] = own;
    return look(GraphQuantization::Quantized);
  }

private:
  Status look(GraphQuantization::Version version);
  Result<std::string> version(GraphQuantization::Version version,
                              const std::optional<LayerKinds> &kinds,
                              const std::vector<std::string> &shown);

  std::unique_ptr<Session> session;
  CompileRequest request;
  std::shared_ptr<GraphQuantization> graph =
      std::make_shared<GraphQuantization>();
};

} // namespace

Status OfModule::open(const std::string &path, const Profile *profile,
                      const QuantizeOptions &options,
                      const QuantizationRun &how) {
  Result<std::unique_ptr<Session>> opened = how.sessions->open(path);
  if (!opened)
    return opened.status();
  session = opened.take();
  request = how.request;
  request.path = path;
  request.quantization = graph;
  theOptions = graph->options = options;
  graph->threads = how.threads;
  if (profile)
    graph->values = profile->values;
  if (Status status = look(GraphQuantization::Plain); !status.ok())
    return status;
  if (graph->layers.empty())
    return failure(Code::NotFound, path,
                   ": no node can be integers, or is asked to be");
  theLayers = graph->layers;
  theNodes = graph->nodes;
  theRemarks = graph->remarks;
  for (const Binding &output : session->outputs())
    theOutputs.push_back(output.name);
  return Status();
}

/// Runs the pass for its results; text has no weights that take time to write.
Status OfModule::look(GraphQuantization::Version version) {
  graph->version = version;
  graph->kinds.reset(), graph->shown.clear();
  return session->print(request, "import", /*bytecode=*/false).status();
}

Result<std::string> OfModule::version(GraphQuantization::Version version,
                                      const std::optional<LayerKinds> &kinds,
                                      const std::vector<std::string> &shown) {
  graph->version = version, graph->kinds = kinds, graph->shown = shown;
  return session->print(request, "import", /*bytecode=*/true);
}

Result<std::string> OfModule::file(const LayerKinds &kinds, ModelForm form,
                                   const CompileRequest &given) {
  CompileRequest own = given;
  own.path = request.path;
  own.quantization = graph;
  graph->version = GraphQuantization::Quantized;
  graph->kinds = kinds, graph->shown.clear();
  return session->print(own, form == ModelForm::Onnx ? "onnx" : "import",
                        form == ModelForm::Bytecode);
}

Result<std::unique_ptr<ModelVersions>>
glow::moduleVersions(const std::string &path, const Profile *profile,
                     const QuantizeOptions &options,
                     const QuantizationRun &run) {
  auto versions = std::make_unique<OfModule>();
  if (Status status = versions->open(path, profile, options, run); !status.ok())
    return status;
  return std::unique_ptr<ModelVersions>(std::move(versions));
}
