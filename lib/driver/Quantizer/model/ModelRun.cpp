//===- ModelRun.cpp - models in memory that are run -----------------------===//
// SPDX-License-Identifier: MIT

#include "ModelEdit.h"
#include "glow/Base/VisitKind.h"
#include "glow/Quantizer/Quantize.h"
#include "glow/Session/ModelRunner.h"
#include "glow/TensorFiles/OnnxTensor.h"
#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

using namespace glow;

Result<Tensor> glow::tensorOf(const onnx::TensorProto &proto) {
  Result<NamedTensor> named = parseOnnxTensor(proto.SerializeAsString());
  if (!named)
    return named.status().prefixed("tensor '" + proto.name() + "': ");
  return std::move(named->tensor);
}

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

//===----------------------------------------------------------------------===//
// Files without a name
//===----------------------------------------------------------------------===//

static bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0)
      return false;
    bytes.remove_prefix(size_t(count));
  }
  return true;
}

FileInMemory::FileInMemory(std::string_view bytes)
    : descriptor(::memfd_create("model", MFD_CLOEXEC)),
      whole(descriptor >= 0 && writeAll(descriptor, bytes)) {}

FileInMemory::~FileInMemory() {
  if (descriptor >= 0)
    ::close(descriptor);
}

std::string FileInMemory::path() const {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

struct ModelRun::State {
  Status open(CompileRequest request, const QuantizationRun &run);

  std::optional<FileInMemory> file;
  std::shared_ptr<Session> session;
  std::unique_ptr<ModelRunner> runner;
};

Status ModelRun::State::open(CompileRequest request,
                             const QuantizationRun &run) {
  request.cacheDir.clear(); // it is run by this process alone
  Result<std::unique_ptr<Session>> opened = run.sessions->open(request.path);
  if (!opened)
    return opened.status();
  session = opened.take();
  runner = std::make_unique<ModelRunner>(session, std::move(request),
                                         DeviceOptions{run.threads});
  return Status();
}

bool glow::isModule(const std::string &path) {
  return path.ends_with(".mlir") || path.ends_with(".mlirbc");
}

ModelRun::ModelRun(std::unique_ptr<State> state) : state(std::move(state)) {}
ModelRun::~ModelRun() = default;

Result<std::unique_ptr<ModelRun>> ModelRun::of(const onnx::ModelProto &model,
                                               const QuantizationRun &run) {
  std::string bytes;
  if (!model.SerializeToString(&bytes))
    return failure(Code::Unsupported, run.request.path,
                   ": the model would have more than 2 GB");
  auto state = std::make_unique<State>();
  if (!state->file.emplace(bytes).isWhole())
    return failure(Code::OutOfMemory, "there is no memory for a model of ",
                   bytes.size(), " bytes");
  CompileRequest request = run.request;
  request.path = state->file->path();
  if (Status status = state->open(std::move(request), run); !status.ok())
    return status;
  return std::unique_ptr<ModelRun>(new ModelRun(std::move(state)));
}

Result<std::unique_ptr<ModelRun>> ModelRun::of(const std::string &path,
                                               const std::string &passes,
                                               const QuantizationRun &run) {
  auto state = std::make_unique<State>();
  CompileRequest request = run.request;
  request.path = path;
  request.importPasses = passes;
  if (Status status = state->open(std::move(request), run); !status.ok())
    return status;
  return std::unique_ptr<ModelRun>(new ModelRun(std::move(state)));
}

Status
glow::withFile(const std::string &bytes,
               const std::function<Status(const std::string &path)> &use) {
  FileInMemory file(bytes);
  if (!file.isWhole())
    return failure(Code::OutOfMemory, "there is no memory for a model of ",
                   bytes.size(), " bytes");
  return use(file.path());
}

Result<std::string> glow::moduleOf(const std::string &onnx,
                                   const QuantizationRun &run, bool bytecode) {
  FileInMemory file(onnx);
  Result<std::unique_ptr<Session>> session = run.sessions->open(file.path());
  if (!session)
    return session.status();
  CompileRequest request = run.request;
  request.path = file.path();
  return (*session)->print(request, "import", bytecode);
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

Result<std::map<std::string, Tensor>>
glow::constantsOf(const ModelEdit &model, const std::set<std::string> &names,
                  const QuantizationRun &run) {
  std::map<std::string, Tensor> values;
  onnx::ModelProto rest = model.proto;
  rest.mutable_graph()->clear_output();
  for (const std::string &name : names) {
    const onnx::TensorProto *weights = model.initializer(name);
    if (!weights) {
      rest.mutable_graph()->add_output()->set_name(name);
      continue;
    }
    Result<Tensor> tensor = tensorOf(*weights);
    if (!tensor)
      return tensor.status();
    values[name] = tensor.take();
  }
  if (rest.graph().output().empty())
    return values;
  // Nodes that depend on no input are computed without inputs.
  const std::set<std::string> varying = model.varying();
  rest.mutable_graph()->clear_input();
  rest.mutable_graph()->clear_node();
  for (const onnx::NodeProto &node : model.graph().node())
    if (node.output_size() && !varying.count(node.output(0)))
      *rest.mutable_graph()->add_node() = node;
  Result<std::unique_ptr<ModelRun>> computed = ModelRun::of(rest, run);
  if (!computed)
    return computed.status();
  std::vector<NamedTensor> outputs;
  if (Status status = (*computed)->run({}, outputs); !status.ok())
    return status;
  for (NamedTensor &output : outputs)
    values[output.name] = std::move(output.tensor);
  return values;
}
