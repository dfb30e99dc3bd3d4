//===- ModelVersions.h - versions of a model in integers --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_MODEL_MODELVERSIONS_H
#define GLOW_LIB_QUANTIZER_MODEL_MODELVERSIONS_H

#include "SourceModel.h"
#include "glow/Quantizer/Quantize.h"

namespace glow {

/// A model in floats, as a source of versions in integers, which the pass
/// quantize-graph makes. Versions are bytes that a session opens. Shown values
/// become outputs of a version; a name of an input, or of an output, changes
/// nothing.
class ModelVersions {
public:
  /// As Quantizer::open.
  static Result<std::unique_ptr<ModelVersions>>
  open(const std::string &path, const Profile *profile,
       const QuantizeOptions &options, const QuantizationRun &run);

  const QuantizeOptions &options() const { return pass->options; }
  const std::vector<GraphLayer> &layers() const { return theLayers; }
  const std::vector<GraphNode> &nodes() const { return theNodes; }
  const std::vector<std::string> &outputs() const { return theOutputs; }
  const std::vector<std::string> &remarks() const { return theRemarks; }

  Result<std::string> floats(const std::vector<std::string> &shown);
  Result<std::string> quantized(const LayerKinds &kinds,
                                const std::vector<std::string> &shown);

  /// The model in floats and, beside each layer, a copy of it as in
  /// `quantized`, which reads the values of the model in floats. `copies` are
  /// the outputs with their results.
  Result<std::string> beside(const LayerKinds &kinds,
                             const std::vector<std::string> &shown,
                             std::vector<std::string> &copies);

  /// As Quantizer::model.
  Result<std::string> file(const LayerKinds &kinds, ModelForm form,
                           const CompileRequest &request);

  /// The parameters of a value that a layer reads with `bits` bits.
  Parameters parametersOf(const std::string &value, unsigned bits) const {
    return pass->parameters.at({value, bits});
  }

  /// Fits weights in blocks, which have the names of the moments.
  Status fit(const std::map<std::string, Moments> &moments);

private:
  explicit ModelVersions(SourceModel source) : source(std::move(source)) {}
  Status raise();
  Status findLayers();
  Status findHalves();
  Status look(GraphQuantization::Version version);
  const SourceModel &sourceFor(const LayerKinds &kinds) const;
  Result<std::string> version(GraphQuantization::Version version,
                              const std::optional<LayerKinds> &kinds,
                              const std::vector<std::string> &shown);

  SourceModel source;
  std::shared_ptr<GraphQuantization> pass =
      std::make_shared<GraphQuantization>();
  std::vector<GraphLayer> theLayers;
  std::vector<GraphNode> theNodes;
  std::vector<std::string> theOutputs, theRemarks;
  std::vector<int64_t> halvesFrom; ///< by layer: the opset that has it in bf16
  std::map<int64_t, SourceModel> ofOpset; ///< the model, raised to it
};

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MODEL_MODELVERSIONS_H
