//===- ModelVersions.cpp - versions of a model in integers ----------------===//
// SPDX-License-Identifier: MIT

#include "ModelVersions.h"
#include "glow/Importer/NewerOpset.h"

using namespace glow;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Raises the opset: integer operators exist from opset 10 on, axes of scales
/// from 13.
Status ModelVersions::raise() {
  constexpr int64_t least = 10, wanted = 13;
  const int64_t opset = source.opset();
  if (opset == 0 || opset >= least || options().block)
    return Status();
  std::string blocker;
  Result<SourceModel> raised = source.raised(least, wanted, blocker);
  if (!raised)
    return raised.status();
  source = raised.take();
  if (!blocker.empty())
    theRemarks.push_back("the model stays in opset " + std::to_string(opset) +
                         ", since " + blocker +
                         " may mean something else in opset 10: other runtimes "
                         "may refuse the file");
  return Status();
}

/// Finds the opset that each layer needs in bf16. A model that cannot be raised
/// to it has no such layer.
Status ModelVersions::findHalves() {
  for (GraphLayer &layer : theLayers) {
    halvesFrom.push_back(0);
    if (!source.isOnnx() || !layer.mayBeBF16)
      continue;
    const int64_t from = bf16OpsetOf("", layer.op, source.opset());
    layer.mayBeBF16 = from != 0;
    halvesFrom.back() = from;
    if (from <= source.opset() || ofOpset.contains(from))
      continue;
    std::string blocker;
    Result<SourceModel> raised = source.raised(from, from, blocker);
    if (!raised)
      return raised.status();
    if (blocker.empty())
      ofOpset.emplace(from, raised.take());
  }
  for (size_t i = 0; i < theLayers.size(); ++i)
    if (halvesFrom[i] > source.opset() && !ofOpset.contains(halvesFrom[i]))
      theLayers[i].mayBeBF16 = false;
  return Status();
}

Status ModelVersions::findLayers() {
  if (Status status = look(GraphQuantization::Plain); !status.ok())
    return status;
  theLayers = pass->layers;
  theNodes = pass->nodes;
  theRemarks.insert(theRemarks.end(), pass->remarks.begin(),
                    pass->remarks.end());
  for (const Binding &output : source.session().outputs())
    theOutputs.push_back(output.name);
  return findHalves();
}

Result<std::unique_ptr<ModelVersions>>
ModelVersions::open(const std::string &path, const Profile *profile,
                    const QuantizeOptions &options,
                    const QuantizationRun &run) {
  Result<SourceModel> model = SourceModel::open(path, run);
  if (!model)
    return model.status();
  if (profile && profile->model != model->hash())
    return failure(Code::InvalidArgument,
                   "the profile is of a model with hash ", profile->model,
                   ", but ", path, " has hash ", model->hash());
  std::unique_ptr<ModelVersions> versions(new ModelVersions(model.take()));
  versions->pass->options = options;
  versions->pass->threads = run.threads;
  if (profile) {
    versions->pass->values = profile->values;
    versions->source.setInputs(profile->inputs);
  }
  if (Status status = versions->raise(); !status.ok())
    return status;
  if (Status status = versions->findLayers(); !status.ok())
    return status;
  if (versions->theLayers.empty())
    return failure(Code::NotFound, path,
                   ": no node can be integers, or is asked to be");
  return versions;
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

Status ModelVersions::look(GraphQuantization::Version version) {
  pass->version = version;
  pass->kinds.reset(), pass->shown.clear();
  return source.look(pass);
}

/// The model in an opset that has the operators of its layers.
const SourceModel &ModelVersions::sourceFor(const LayerKinds &kinds) const {
  int64_t least = source.opset();
  for (size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == bf16)
      least = std::max(least, halvesFrom[i]);
  auto raised = ofOpset.find(least);
  return raised == ofOpset.end() ? source : raised->second;
}

Result<std::string>
ModelVersions::version(GraphQuantization::Version version,
                       const std::optional<LayerKinds> &kinds,
                       const std::vector<std::string> &shown) {
  pass->version = version, pass->kinds = kinds, pass->shown = shown;
  return sourceFor(kinds.value_or(LayerKinds())).changed(pass);
}

Result<std::string>
ModelVersions::floats(const std::vector<std::string> &shown) {
  return version(GraphQuantization::Plain, std::nullopt, shown);
}

Result<std::string>
ModelVersions::quantized(const LayerKinds &kinds,
                         const std::vector<std::string> &shown) {
  return version(GraphQuantization::Quantized, kinds, shown);
}

Result<std::string> ModelVersions::beside(const LayerKinds &kinds,
                                          const std::vector<std::string> &shown,
                                          std::vector<std::string> &copies) {
  Result<std::string> bytes = version(GraphQuantization::Beside, kinds, shown);
  copies = pass->copies;
  return bytes;
}

Result<std::string> ModelVersions::file(const LayerKinds &kinds, ModelForm form,
                                        const CompileRequest &request) {
  pass->version = GraphQuantization::Quantized;
  pass->kinds = kinds, pass->shown.clear();
  return sourceFor(kinds).file(pass, form, request);
}

Status ModelVersions::fit(const std::map<std::string, Moments> &moments) {
  for (const auto &[name, own] : moments)
    pass->moments[name] = own;
  return look(GraphQuantization::Quantized);
}
