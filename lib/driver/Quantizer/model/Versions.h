//===- Versions.h - versions of a model in integers -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_MODEL_VERSIONS_H
#define GLOW_LIB_QUANTIZER_MODEL_VERSIONS_H

#include "glow/Quantization/GraphQuantization.h"
#include "glow/Quantizer/Quantize.h"

namespace glow {

/// A model in floats, as a source of versions in integers. Versions are bytes
/// that a session opens. Shown values become outputs of a version; a name of an
/// input, or of an output, changes nothing.
class ModelVersions {
public:
  virtual ~ModelVersions() = default;

  const QuantizeOptions &options() const { return theOptions; }
  const std::vector<GraphLayer> &layers() const { return theLayers; }
  const std::vector<GraphNode> &nodes() const { return theNodes; }
  const std::vector<std::string> &outputs() const { return theOutputs; }
  const std::vector<std::string> &remarks() const { return theRemarks; }

  virtual Result<std::string> floats(const std::vector<std::string> &shown) = 0;
  virtual Result<std::string>
  quantized(const LayerKinds &kinds, const std::vector<std::string> &shown) = 0;

  /// The model in floats and, beside each layer, a copy of it as in
  /// `quantized`, which reads the values of the model in floats. `copies` are
  /// the outputs with their results.
  virtual Result<std::string> beside(const LayerKinds &kinds,
                                     const std::vector<std::string> &shown,
                                     std::vector<std::string> &copies) = 0;

  /// As Quantizer::model.
  virtual Result<std::string> file(const LayerKinds &kinds, ModelForm form,
                                   const CompileRequest &request) = 0;

  /// The parameters of a value that a layer reads with `bits` bits.
  virtual Parameters parametersOf(const std::string &value, unsigned bits) = 0;

  /// Fits weights in blocks, which have the names of the moments.
  virtual Status fit(const std::map<std::string, Moments> &moments) = 0;

protected:
  QuantizeOptions theOptions;
  std::vector<GraphLayer> theLayers;
  std::vector<GraphNode> theNodes;
  std::vector<std::string> theOutputs, theRemarks;
};

/// As Quantizer::open: of a model of ONNX, and of a module.
Result<std::unique_ptr<ModelVersions>>
onnxVersions(const std::string &path, const Profile *profile,
             const QuantizeOptions &options, const QuantizationRun &run);
Result<std::unique_ptr<ModelVersions>>
moduleVersions(const std::string &path, const Profile *profile,
               const QuantizeOptions &options, const QuantizationRun &run);

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MODEL_VERSIONS_H
