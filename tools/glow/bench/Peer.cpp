//===- Peer.cpp - another runtime on the same model -----------------------===//
// SPDX-License-Identifier: MIT

#include "Peer.h"
#include "glow/TensorFiles/File.h"
#include "onnxruntime/Interface.h"
#include <algorithm>
#include <dlfcn.h>

using namespace glow;
using namespace glow::tool;

namespace {

/// An object of the library.
template <typename T> using Owned = std::unique_ptr<T, void (*)(T *)>;

struct KindNumber {
  ElementKind kind;
  int number;
};

class PeerLibrary final : public Peer {
public:
  PeerLibrary(const OrtApi &api, std::string name)
      : api(api), name(std::move(name)), environment(nullptr, api.ReleaseEnv),
        memory(nullptr, api.ReleaseMemoryInfo),
        session(nullptr, api.ReleaseSession) {}
  ~PeerLibrary() override {
    for (OrtValue *value : results)
      api.ReleaseValue(value);
  }

  Status open(const std::string &model, unsigned threads,
              std::span<const NamedTensor> inputs);
  std::string version() const override { return name; }
  Status run() override;
  Result<std::vector<NamedTensor>> outputs() const override;

private:
  Status check(OrtStatus *status) const;
  Status addInput(const NamedTensor &input);
  Status findOutputs();
  Result<Tensor> tensorOf(OrtValue *value) const;

  const OrtApi &api;
  const std::string name;
  Owned<OrtEnv> environment;
  Owned<OrtMemoryInfo> memory;
  Owned<OrtSession> session;
  std::vector<const char *> inputNames, outputNames;
  std::vector<Owned<OrtValue>> owned; ///< the inputs
  std::vector<OrtValue *> values, results;
  std::vector<std::string> names; ///< of the outputs
};

} // namespace

/// Numbers of kinds of elements in ONNX's TensorProto.DataType.
static constexpr KindNumber kindNumbers[] = {
    {ElementKind::F32, 1},  {ElementKind::U8, 2},   {ElementKind::I8, 3},
    {ElementKind::U16, 4},  {ElementKind::I16, 5},  {ElementKind::I32, 6},
    {ElementKind::I64, 7},  {ElementKind::Bool, 9}, {ElementKind::F16, 10},
    {ElementKind::F64, 11}, {ElementKind::U32, 12}, {ElementKind::U64, 13},
    {ElementKind::BF16, 16}};

/// The status of a call, in the library's words.
Status PeerLibrary::check(OrtStatus *status) const {
  if (!status)
    return Status();
  const Owned<OrtStatus> held(status, api.ReleaseStatus);
  return Status(Code::InvalidArgument, api.GetErrorMessage(status));
}

Status PeerLibrary::addInput(const NamedTensor &input) {
  const TensorType &type = input.tensor.type();
  const auto *found =
      std::ranges::find(kindNumbers, type.kind, &KindNumber::kind);
  if (found == std::end(kindNumbers))
    return failure(Code::Unsupported, "input '", input.name, "' has ",
                   glow::name(type.kind), ", which --against has not");
  OrtValue *value = nullptr;
  Status status = check(api.CreateTensorWithDataAsOrtValue(
      memory.get(), const_cast<void *>(input.tensor.data()), type.bytes(),
      type.shape.data(), type.shape.size(), found->number, &value));
  if (!status.ok())
    return status;
  owned.emplace_back(value, api.ReleaseValue);
  values.push_back(value);
  inputNames.push_back(input.name.c_str());
  return Status();
}

Status PeerLibrary::findOutputs() {
  size_t count = 0;
  OrtAllocator *allocator = nullptr;
  Status status = check(api.SessionGetOutputCount(session.get(), &count));
  if (status.ok())
    status = check(api.GetAllocatorWithDefaultOptions(&allocator));
  for (size_t i = 0; i < count && status.ok(); ++i) {
    char *text = nullptr;
    status =
        check(api.SessionGetOutputName(session.get(), i, allocator, &text));
    if (!status.ok())
      break;
    names.emplace_back(text);
    status = check(api.AllocatorFree(allocator, text));
  }
  for (const std::string &output : names)
    outputNames.push_back(output.c_str());
  results.resize(names.size());
  return status;
}

Status PeerLibrary::open(const std::string &model, unsigned threads,
                         std::span<const NamedTensor> inputs) {
  constexpr int allOptimizations = 99;
  OrtEnv *env = nullptr;
  OrtSessionOptions *made = nullptr;
  Status status = check(api.CreateEnv(ORT_LOGGING_LEVEL_ERROR, "glow", &env));
  environment.reset(env);
  if (status.ok())
    status = check(api.CreateSessionOptions(&made));
  const Owned<OrtSessionOptions> options(made, api.ReleaseSessionOptions);
  if (status.ok())
    status = check(api.SetIntraOpNumThreads(made, int(threads)));
  if (status.ok())
    status = check(api.SetInterOpNumThreads(made, 1));
  if (status.ok())
    status =
        check(api.SetSessionGraphOptimizationLevel(made, allOptimizations));
  OrtSession *opened = nullptr;
  if (status.ok())
    status = check(api.CreateSession(env, model.c_str(), made, &opened));
  session.reset(opened);
  OrtMemoryInfo *info = nullptr;
  if (status.ok())
    status = check(
        api.CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &info));
  memory.reset(info);
  for (const NamedTensor &input : inputs)
    if (status.ok())
      status = addInput(input);
  return status.ok() ? findOutputs() : status;
}

Status PeerLibrary::run() {
  return check(api.Run(session.get(), nullptr, inputNames.data(), values.data(),
                       values.size(), outputNames.data(), outputNames.size(),
                       results.data()));
}

Result<Tensor> PeerLibrary::tensorOf(OrtValue *value) const {
  int isTensor = 0, number = 0;
  Status status = check(api.IsTensor(value, &isTensor));
  if (status.ok() && !isTensor)
    return Status(Code::Unsupported, "it is no tensor");
  OrtTensorTypeAndShapeInfo *made = nullptr;
  if (status.ok())
    status = check(api.GetTensorTypeAndShape(value, &made));
  const Owned<OrtTensorTypeAndShapeInfo> info(
      made, api.ReleaseTensorTypeAndShapeInfo);
  size_t rank = 0;
  if (status.ok())
    status = check(api.GetTensorElementType(made, &number));
  if (status.ok())
    status = check(api.GetDimensionsCount(made, &rank));
  TensorType type;
  type.shape.resize(rank);
  if (status.ok())
    status = check(api.GetDimensions(made, type.shape.data(), rank));
  void *data = nullptr;
  if (status.ok())
    status = check(api.GetTensorMutableData(value, &data));
  if (!status.ok())
    return status;
  const auto *found =
      std::ranges::find(kindNumbers, number, &KindNumber::number);
  if (found == std::end(kindNumbers))
    return failure(Code::Unsupported, "it has elements of ONNX's type ",
                   number);
  type.kind = found->kind;
  return Tensor::copyOf({data, &type});
}

Result<std::vector<NamedTensor>> PeerLibrary::outputs() const {
  std::vector<NamedTensor> all;
  for (size_t i = 0; i < results.size(); ++i) {
    Result<Tensor> tensor = tensorOf(results[i]);
    if (!tensor)
      return tensor.status().prefixed("output '" + names[i] + "': ");
    all.push_back({names[i], tensor.take()});
  }
  return all;
}

/// Whether a library runs models by Glow, of which a process has one only.
static bool isGlow(const std::string &library) {
  Result<std::string> bytes = readFile(library);
  return bytes && bytes->find("libglow.so") != std::string::npos;
}

Result<std::unique_ptr<Peer>> Peer::open(const std::string &library,
                                         const std::string &model,
                                         unsigned threads,
                                         std::span<const NamedTensor> inputs) {
  if (isGlow(library))
    return failure(Code::Unsupported, "'", library,
                   "' is Glow's own, which takes ONNX Runtime's place");
  // Not closed again: its threads may end later than the process asks them to.
  void *handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return failure(Code::NotFound, "cannot open '", library,
                   "': ", ::dlerror());
  using GetBase = const OrtApiBase *();
  auto *base = reinterpret_cast<GetBase *>(::dlsym(handle, "OrtGetApiBase"));
  // The functions are those of version 1. Tables of later versions begin so.
  const OrtApi *api = base ? base()->GetApi(1) : nullptr;
  if (!api)
    return failure(Code::Unsupported, "'", library,
                   "' has no interface of ONNX Runtime (OrtGetApiBase)");
  auto peer = std::make_unique<PeerLibrary>(*api, base()->GetVersionString());
  if (Status status = peer->open(model, threads, inputs); !status.ok())
    return status.prefixed(library + ": ");
  return std::unique_ptr<Peer>(std::move(peer));
}
