//===- ModelRun.cpp - models in memory that are run -----------------------===//
// SPDX-License-Identifier: MIT

#include "ModelRun.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Base/VisitKind.h"
#include "glow/Quantizer/Quantize.h"
#include "glow/Session/ModelRunner.h"
#include <algorithm>

using namespace glow;

std::optional<std::vector<float>> glow::floatsOf(const Tensor &tensor) {
  const ElementKind kind = tensor.type().kind;
  if (kind != ElementKind::F32 && kind != ElementKind::F64 &&
      kind != ElementKind::F16 && kind != ElementKind::BF16)
    return std::nullopt;
  std::vector<float> values;
  values.reserve(size_t(tensor.type().elements()));
  visitKind(kind, [&]<typename T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, bool>)
      for (const T &element : tensor.elements<T>())
        values.push_back(float(element));
  });
  return values;
}

struct ModelRun::State {
  std::shared_ptr<const MemoryFile> file;
  std::shared_ptr<Session> session;
  std::unique_ptr<ModelRunner> runner;
};

ModelRun::ModelRun(std::unique_ptr<State> state) : state(std::move(state)) {}
ModelRun::~ModelRun() = default;

Result<std::unique_ptr<ModelRun>> ModelRun::of(const Result<std::string> &bytes,
                                               const QuantizationRun &run) {
  if (!bytes)
    return bytes.status();
  Result<std::shared_ptr<const MemoryFile>> file =
      MemoryFile::make("the model", *bytes);
  if (!file)
    return file.status();
  auto state = std::make_unique<State>();
  state->file = file.take();
  CompileRequest request = run.request;
  request.path = state->file->path();
  request.cacheDir.clear(); // it is run by this process alone
  Result<std::unique_ptr<Session>> opened = run.sessions->open(request.path);
  if (!opened)
    return opened.status();
  state->session = opened.take();
  state->runner = std::make_unique<ModelRunner>(
      state->session, std::move(request), DeviceOptions{run.threads});
  return std::unique_ptr<ModelRun>(new ModelRun(std::move(state)));
}

Status
glow::withFile(const std::string &bytes,
               const std::function<Status(const std::string &path)> &use) {
  Result<std::shared_ptr<const MemoryFile>> file =
      MemoryFile::make("the model", bytes);
  return file ? use((*file)->path()) : file.status();
}

void ModelRun::observe(std::shared_ptr<StepObserver> observer) {
  state->runner->host().observe(std::move(observer));
}

Status ModelRun::run(std::span<const NamedTensor> inputs,
                     std::vector<NamedTensor> &outputs) {
  std::map<std::string, Ints> shapes;
  for (const NamedTensor &input : inputs)
    shapes[input.name] = input.tensor.type().shape;
  Result<std::vector<Constant>> values = smallValues(inputs);
  if (!values)
    return values.status();
  if (Status status = state->runner->prepare(shapes, values.take());
      !status.ok())
    return status;
  return state->runner->runPrepared(inputs, outputs);
}
