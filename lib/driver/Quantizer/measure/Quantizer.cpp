//===- Quantizer.cpp - from floats to integers ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Drawing.h"
#include "Fit.h"
#include "Shadow.h"

using namespace glow;

namespace {

class ModelQuantizer final : public Quantizer {
public:
  ModelQuantizer(std::unique_ptr<ModelVersions> versions,
                 const QuantizationRun &run);

  const std::vector<QuantizedLayer> &layers() const override { return reports; }
  const std::vector<std::string> &notes() const override {
    return versions->remarks();
  }
  const std::vector<OutputNoise> &outputs() const override { return results; }
  Status fit(const ForEachRun &runs) override {
    return fitWeights(*versions, runs, run);
  }
  Status measure(const ForEachRun &runs) override {
    return measureLayers(*versions, kinds(), reports, results, runs, run);
  }
  Result<BoundReport> meet(double bound, const ForEachRun &runs,
                           const TimeOf &timeOf) override {
    return meetBound(*versions, reports, bound, runs, run, timeOf);
  }
  Result<std::string> model(ModelForm form,
                            const CompileRequest &request) override {
    return versions->file(kinds(), form, request);
  }
  std::string drawing() const override {
    return drawingOf(versions->nodes(), reports);
  }

private:
  LayerKinds kinds() const;

  std::unique_ptr<ModelVersions> versions;
  QuantizationRun run;
  std::vector<QuantizedLayer> reports;
  std::vector<OutputNoise> results;
};

} // namespace

ModelQuantizer::ModelQuantizer(std::unique_ptr<ModelVersions> made,
                               const QuantizationRun &run)
    : versions(std::move(made)), run(run) {
  const QuantizeOptions &options = versions->options();
  for (const GraphLayer &layer : versions->layers()) {
    QuantizedLayer row;
    row.name = layer.name, row.op = layer.op, row.work = layer.work;
    row.clipped = layer.clipped, row.outliers = layer.outliers;
    row.kind.bits =
        options.activationBits ? options.activationBits : options.weightBits;
    reports.push_back(std::move(row));
  }
}

LayerKinds ModelQuantizer::kinds() const {
  LayerKinds kinds;
  for (const QuantizedLayer &layer : reports)
    kinds.push_back(layer.kind);
  return kinds;
}

ModelForm glow::formOf(const std::string &path) {
  return path.ends_with(".mlirbc") ? ModelForm::Bytecode
         : path.ends_with(".mlir") ? ModelForm::Text
                                   : ModelForm::Onnx;
}

Result<std::unique_ptr<Quantizer>>
Quantizer::open(const std::string &model, const Profile *profile,
                const QuantizeOptions &options, const QuantizationRun &run) {
  if (profile && profile->what == Counted::Steps)
    return Status(Code::InvalidArgument,
                  "the profile is of what nodes are lowered to, it should be "
                  "of the model's values: leave out --after-lowering");
  Result<std::unique_ptr<ModelVersions>> versions =
      ModelVersions::open(model, profile, options, run);
  if (!versions)
    return versions.status();
  return std::unique_ptr<Quantizer>(
      std::make_unique<ModelQuantizer>(versions.take(), run));
}
