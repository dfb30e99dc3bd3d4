//===- Runner.cpp - a model, compiled for the shapes it is given ----------===//

#include "Runner.h"
#include <algorithm>

using namespace glow;
using namespace glow::tool;

Result<std::shared_ptr<Session>> tool::openModel(const std::string &path) {
  Result<Session> opened = Session::open(path);
  if (!opened)
    return opened.status();
  return std::make_shared<Session>(opened.take());
}

CompileRequest tool::requestOf(const ModelOptions &options,
                               std::map<std::string, Ints> shapes) {
  return {options.model,       options.backend,  std::move(shapes), {},
          options.memoryLimit, options.cacheDir, options.code};
}

Runner::Runner(std::shared_ptr<Session> session, CompileRequest request,
               unsigned threads)
    : session(std::move(session)), request(std::move(request)),
      host(std::make_unique<Host>(DeviceOptions{threads})) {}

/// The inputs that may decide about shapes; others are data. Copies, since a
/// program may outlive the tensors.
static Result<std::vector<Constant>>
smallValues(std::span<const NamedTensor> inputs) {
  constexpr int64_t mostElements = 4096;
  std::vector<Constant> values;
  for (const auto &[name, tensor] : inputs) {
    if (tensor.type().elements() > mostElements)
      continue;
    Result<Tensor> copy = Tensor::copyOf(tensor.view());
    if (!copy)
      return copy.status();
    auto owner = std::make_shared<Tensor>(copy.take());
    values.push_back({name, owner->type(), owner->data(), owner});
  }
  return values;
}

/// Whether a program that assumes some values may run on others.
static bool holds(const std::vector<Constant> &assumed,
                  const std::vector<Constant> &values) {
  return std::ranges::all_of(assumed, [&](const Constant &value) {
    return std::ranges::any_of(values, [&](const Constant &given) {
      TensorView view{const_cast<void *>(given.data), &given.type};
      return given.name == value.name && value.sameAs(view);
    });
  });
}

Status Runner::prepare(const std::map<std::string, Ints> &shapes) {
  if (network && shapes == request.shapes && holds(assumed, request.values))
    return Status();
  // First the old program: a device may not have room for both.
  if (network)
    host->evict(*network);
  network.reset();
  request.shapes = shapes;
  Stopwatch compiling;
  Result<Program> program = session->compile(request);
  if (!program)
    return program.status();
  compileTime = compiling.milliseconds();
  Stopwatch loading;
  Result<NetworkId> admitted = host->admit(*program);
  if (!admitted)
    return admitted.status();
  loadTime = loading.milliseconds();
  network = *admitted;
  assumed = std::move(program->assumed);
  return Status();
}

Status Runner::run(std::span<const NamedTensor> inputs,
                   std::vector<NamedTensor> &outputs) {
  InputShapes shapes(session->inputs());
  for (const NamedTensor &input : inputs)
    if (Status status = shapes.setType(input.name, input.tensor.type());
        !status.ok())
      return status;
  for (const Binding &input : session->inputs())
    if (std::none_of(inputs.begin(), inputs.end(), [&](const NamedTensor &t) {
          return t.name == input.name;
        }))
      return failure(Code::NotFound, "input '", input.name,
                     "' is not given; it should be ", typeText(input));
  Result<std::vector<Constant>> values = smallValues(inputs);
  if (!values)
    return values.status();
  request.values = values.take();
  if (Status status = prepare(shapes.known()); !status.ok())
    return status;
  return runPrepared(inputs, outputs);
}

Status Runner::runPrepared(std::span<const NamedTensor> inputs,
                           std::vector<NamedTensor> &outputs) {
  Stopwatch running;
  Status status = host->run(*network, inputs, outputs);
  runTime = running.milliseconds();
  return status;
}

Status Runner::collect(std::shared_ptr<StepObserver> observer) {
  return host->observe(request.backend, std::move(observer));
}
