//===- Profiler.cpp - runs a model and counts -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Layers.h"
#include "glow/Quantization/GraphQuantization.h"
#include "glow/Runtime/Trace.h"
#include "glow/TensorFiles/File.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace glow;

namespace {

/// Records the results of a run's steps.
class Recorder final : public StepObserver {
public:
  void stepDone(const StepEvent &event) override {
    std::string name =
        std::string(event.node) + ":" + std::string(event.instruction);
    if (size_t number = ++counts[name]; number > 1)
      name += "#" + std::to_string(number);
    for (size_t i = 0; i < event.results.size(); ++i) {
      Result<Tensor> copy = Tensor::copyOf(event.results[i]);
      if (copy)
        results.push_back(
            {i ? name + "[" + std::to_string(i) + "]" : name, copy.take()});
      else if (status.ok())
        status = copy.status().prefixed("results of '" + name + "': ");
    }
  }

  /// Returns the recorded values, and clears them for the next run.
  Result<std::vector<NamedTensor>> take() {
    counts.clear();
    if (!status.ok())
      return status;
    return std::exchange(results, {});
  }

private:
  std::map<std::string, size_t> counts;
  std::vector<NamedTensor> results;
  Status status;
};

class ModelProfiler final : public Profiler {
public:
  Status open(const std::string &path, Counted what,
              const QuantizationRun &how);
  Status add(std::span<const NamedTensor> inputs) override;
  const Profile &profile() const override { return counted; }

private:
  Status openModel(const std::string &path, const QuantizationRun &how);
  Status openModule(const std::string &path, const QuantizationRun &how);
  Status count(const NamedTensor &value);

  std::unique_ptr<ModelRun> run;
  std::shared_ptr<Recorder> recorder; ///< of steps; null: values are counted
  std::map<std::string, int64_t> axes;
  Profile counted;
};

} // namespace

/// Makes all varying values outputs.
static void showAll(ModelEdit &model) {
  const std::set<std::string> varying = model.varying();
  std::set<std::string> shown = {""};
  for (const onnx::ValueInfoProto &output : model.graph().output())
    shown.insert(output.name());
  for (const onnx::NodeProto &node : model.graph().node())
    for (const std::string &output : node.output())
      if (varying.count(output) && shown.insert(output).second)
        model.graph().add_output()->set_name(output);
}

Status ModelProfiler::openModel(const std::string &path,
                                const QuantizationRun &how) {
  Result<ModelEdit> model = ModelEdit::read(path, how);
  if (!model)
    return model.status();
  counted.model = model->hash.text();
  axes = channelAxes(layersOf(*model));
  if (counted.what == Counted::Values)
    showAll(*model);
  Result<std::unique_ptr<ModelRun>> ready = ModelRun::of(model->bytes(), how);
  if (ready)
    run = ready.take();
  return ready.status();
}

/// A module's values have the names that the pass which quantizes it expects.
Status ModelProfiler::openModule(const std::string &path,
                                 const QuantizationRun &how) {
  Result<std::string> file = readFile(path);
  if (!file)
    return file.status();
  counted.model = Hash::of(*file).text();
  Result<std::unique_ptr<Session>> session = how.sessions->open(path);
  if (!session)
    return session.status();
  CompileRequest request = how.request;
  request.path = path;
  if (counted.what == Counted::Values) {
    request.quantization = std::make_shared<GraphQuantization>();
    request.quantization->showsAll = true;
  }
  Result<std::unique_ptr<ModelRun>> ready = ModelRun::of(
      (*session)->print(request, "import", /*bytecode=*/true), how);
  if (!ready)
    return ready.status();
  if (request.quantization)
    axes = request.quantization->axes;
  run = ready.take();
  return Status();
}

Status ModelProfiler::open(const std::string &path, Counted what,
                           const QuantizationRun &how) {
  counted.what = what;
  if (Status status =
          isModule(path) ? openModule(path, how) : openModel(path, how);
      !status.ok())
    return status;
  if (what == Counted::Values)
    return Status();
  recorder = std::make_shared<Recorder>();
  run->observe(recorder);
  return Status();
}

Status ModelProfiler::count(const NamedTensor &value) {
  std::optional<std::vector<float>> values = floatsOf(value.tensor);
  if (!values || values->empty())
    return Status();
  auto wrong = std::ranges::find_if(
      *values, [](float element) { return std::isnan(element); });
  if (wrong != values->end())
    return failure(Code::InvalidArgument, "value '", value.name,
                   "' is not a number at element ", wrong - values->begin(),
                   " in run ", counted.runs + 1);
  // Masks contain infinities, which a layer's range must not include.
  constexpr float most = std::numeric_limits<float>::max();
  for (float &element : *values)
    element = std::clamp(element, -most, most);
  const Ints &shape = value.tensor.type().shape;
  auto axis = axes.find(value.name);
  counted.values[value.name].kind = value.tensor.type().kind;
  counted.values[value.name].add(
      *values, shape,
      axis == axes.end() ? -1 : wrapped(axis->second, shape.size()));
  return Status();
}

Status ModelProfiler::add(std::span<const NamedTensor> inputs) {
  std::vector<NamedTensor> outputs;
  if (Status status = run->run(inputs, outputs); !status.ok())
    return status;
  if (recorder) {
    Result<std::vector<NamedTensor>> results = recorder->take();
    if (!results)
      return results.status();
    outputs = results.take();
  }
  for (const NamedTensor &input : inputs)
    if (Status status = count(input); !status.ok())
      return status;
  for (const NamedTensor &output : outputs)
    if (Status status = count(output); !status.ok())
      return status;
  ++counted.runs;
  return Status();
}

Result<std::unique_ptr<Profiler>> Profiler::open(const std::string &model,
                                                 Counted what,
                                                 const QuantizationRun &run) {
  auto profiler = std::make_unique<ModelProfiler>();
  if (Status status = profiler->open(model, what, run); !status.ok())
    return status;
  return std::unique_ptr<Profiler>(std::move(profiler));
}
