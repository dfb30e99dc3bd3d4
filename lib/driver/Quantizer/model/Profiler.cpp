//===- Profiler.cpp - runs a model and counts -----------------------------===//
// SPDX-License-Identifier: MIT

#include "ModelRun.h"
#include "SourceModel.h"
#include "glow/Base/VisitKind.h"
#include "glow/Runtime/Trace.h"
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
  Status prepare(std::span<const NamedTensor> inputs);
  Result<bool> addGiven(std::vector<std::string> missing,
                        std::span<const NamedTensor> inputs);
  Status count(const NamedTensor &value);

  std::optional<SourceModel> source;
  QuantizationRun how;
  std::unique_ptr<ModelRun> run;      ///< null before the first run
  std::shared_ptr<Recorder> recorder; ///< of steps; null: values are counted
  std::map<std::string, int64_t> axes;
  Profile counted;
};

} // namespace

Status ModelProfiler::open(const std::string &path, Counted what,
                           const QuantizationRun &run) {
  counted.what = what, how = run;
  Result<SourceModel> opened = SourceModel::open(path, how);
  if (!opened)
    return opened.status();
  source = opened.take();
  counted.model = source->hash();
  return Status();
}

/// The kind and the shape of an input, and its integers if they are few: a
/// model may be another one for other integers.
static InputProfile profileOf(const Tensor &tensor) {
  InputProfile input{tensor.type().kind, tensor.type().shape, {}};
  constexpr int64_t few = 16;
  if (tensor.type().elements() <= few)
    visitKind(input.kind, [&]<typename T>(std::type_identity<T>) {
      if constexpr (std::is_integral_v<T>)
        for (T element : tensor.elements<T>())
          input.values.push_back(int64_t(element));
    });
  return input;
}

/// Runs the model for the values that only the host computes: what depends on
/// them is imported with their types. A branch may not be taken
/// in this run: its values stay unknown. False if there are no more.
Result<bool> ModelProfiler::addGiven(std::vector<std::string> missing,
                                     std::span<const NamedTensor> inputs) {
  std::erase_if(missing, [&](const std::string &value) {
    return source->isInBranch(value);
  });
  if (missing.empty())
    return false;
  Result<std::unique_ptr<ModelRun>> ready =
      ModelRun::of(source->withOutputs(missing), how);
  if (!ready)
    return ready.status();
  std::vector<NamedTensor> outputs;
  bool isNew = false;
  // Lists and texts are no outputs of such a run, and stay unknown.
  if (!(*ready)->run(inputs, outputs).ok())
    return false;
  for (const NamedTensor &output : outputs)
    isNew |= counted.inputs.try_emplace(output.name, profileOf(output.tensor))
                 .second;
  return isNew;
}

/// Makes the model that is run, for the inputs of the first run. The names of
/// values are those in the pass that quantizes.
Status ModelProfiler::prepare(std::span<const NamedTensor> inputs) {
  std::shared_ptr<GraphQuantization> pass;
  Result<std::string> bytes = std::string();
  if (counted.what == Counted::Values) {
    pass = std::make_shared<GraphQuantization>();
    pass->showsAll = true;
  }
  for (Result<bool> isNew = true; isNew && *isNew;) {
    source->setInputs(counted.inputs);
    bytes = source->changed(pass);
    isNew = bytes && pass ? addGiven(pass->missing, inputs) : false;
    if (!isNew)
      return isNew.status();
  }
  Result<std::unique_ptr<ModelRun>> ready = ModelRun::of(bytes, how);
  if (!ready)
    return ready.status();
  run = ready.take();
  if (pass) {
    axes = pass->axes;
    return Status();
  }
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
  counted.values[value.name].add(*values, shape,
                                 axis == axes.end() ||
                                         axis->second >= int64_t(shape.size())
                                     ? -1
                                     : axis->second);
  return Status();
}

Status ModelProfiler::add(std::span<const NamedTensor> inputs) {
  for (const NamedTensor &input : inputs)
    counted.inputs.try_emplace(input.name, profileOf(input.tensor));
  if (Status status = run ? Status() : prepare(inputs); !status.ok())
    return status;
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
