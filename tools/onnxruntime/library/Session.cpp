//===- Session.cpp - sessions, and what their models take -----------------===//
// SPDX-License-Identifier: MIT

#include "library/Session.h"
#include "library/Memory.h"
#include "library/Table.h"
#include <algorithm>
#include <set>

using namespace glow;
using namespace glow::ort;

//===----------------------------------------------------------------------===//
// Live sessions
//===----------------------------------------------------------------------===//

namespace {
/// Sessions that were not released. It is never freed: threads may run while
/// the process ends.
struct Sessions {
  std::mutex mutex;
  std::set<const OrtSession *> live;
};
} // namespace

static Sessions &sessions() {
  static auto *all = new Sessions();
  return *all;
}

std::shared_ptr<SessionModel> ort::modelOf(const OrtSession *session) {
  std::lock_guard lock(sessions().mutex);
  if (!sessions().live.contains(session))
    throw Failure(ORT_INVALID_ARGUMENT, "the session was released");
  return session->model;
}

static OrtSession *addSession(std::shared_ptr<SessionModel> model) {
  auto session = std::make_unique<OrtSession>(std::move(model));
  std::lock_guard lock(sessions().mutex);
  sessions().live.insert(session.get());
  return session.release();
}

/// A run that goes on ends as usual.
void entry::ReleaseSession(OrtSession *session) {
  {
    std::lock_guard lock(sessions().mutex);
    if (!sessions().live.erase(session))
      return;
  }
  delete session;
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// Glow has the types of tensors, and the file has the types of other values.
static OrtTypeInfo typeOf(const api::TensorInfo &info, const ModelFile &file,
                          const std::map<std::string, int64_t> &sizes) {
  auto found = file.types.find(info.name);
  if (info.kind >= GLOW_SEQUENCE)
    return found == file.types.end() ? OrtTypeInfo() : found->second;
  OrtTypeInfo type;
  type.kind = ONNX_TYPE_TENSOR;
  type.tensor.element = elementOf(info.kind);
  type.tensor.hasRank = !info.shape.empty() || found == file.types.end() ||
                        found->second.tensor.hasRank ||
                        found->second.kind != ONNX_TYPE_TENSOR;
  type.tensor.shape = info.shape;
  type.tensor.names = info.dimensions;
  type.tensor.names.resize(info.shape.size());
  for (size_t d = 0; d < info.shape.size(); ++d)
    if (auto size = sizes.find(type.tensor.names[d]);
        info.shape[d] < 0 && size != sizes.end()) {
      type.tensor.shape[d] = size->second;
      type.tensor.names[d].clear();
    }
  return type;
}

static std::vector<Port> portsOf(const std::vector<api::TensorInfo> &infos,
                                 const ModelFile &file,
                                 const OrtSessionOptions &options) {
  std::vector<Port> ports;
  for (const api::TensorInfo &info : infos)
    ports.push_back({info.name, typeOf(info, file, options.sizes)});
  return ports;
}

static bool areTensors(const std::vector<Port> &ports) {
  return std::ranges::all_of(ports, [](const Port &port) {
    return port.type.kind == ONNX_TYPE_TENSOR && port.type.tensor.hasRank &&
           kindOf(port.type.tensor.element);
  });
}

static Settings settingsOf(const OrtSessionOptions &options, int threads) {
  Settings settings = options.settings;
  const bool given = std::ranges::any_of(
      settings, [](const auto &one) { return one.first == "threads"; });
  if (threads > 0 && !given)
    settings.emplace_back("threads", std::to_string(threads));
  return settings;
}

SessionModel::SessionModel(api::Model model, ModelFile read,
                           const OrtSessionOptions &options, int threads)
    : file(std::move(read)), inputs(portsOf(model.inputs(), file, options)),
      outputs(portsOf(model.outputs(), file, options)),
      overridables(
          portsOf(api::infos(model.get(), glow_model_overridables(model.get()),
                             glow_model_overridable),
                  file, options)) {
  Settings settings = settingsOf(options, threads);
  const bool tensors = areTensors(inputs) && areTensors(outputs);
  if (!tensors || !overridables.empty()) {
    glow_runner *made;
    api::check(glow_runner_new(model.get(), optionsOf(settings).get(), &made));
    runner.reset(made);
  }
  if (tensors)
    engine = std::make_unique<Engine>(std::move(model), std::move(settings),
                                      Compile::InRuns);
}

/// Throws Failure with the code for a failure of a model.
template <typename Read> static api::Model readModel(Read read, int otherwise) {
  try {
    return read();
  } catch (const api::Error &error) {
    throw Failure(error.status == GLOW_NOT_FOUND     ? ORT_NO_SUCHFILE
                  : error.status == GLOW_UNSUPPORTED ? ORT_NOT_IMPLEMENTED
                                                     : otherwise,
                  error.what());
  }
}

static OrtSession *open(const OrtEnv &env, api::Model model, ModelFile file,
                        const OrtSessionOptions *given) {
  const OrtSessionOptions none;
  const OrtSessionOptions &options = given ? *given : none;
  const int threads = options.sharesThreads ? env.threads : options.threads;
  try {
    return addSession(std::make_shared<SessionModel>(
        std::move(model), std::move(file), options, threads));
  } catch (const api::Error &error) {
    throw Failure(error.status == GLOW_UNSUPPORTED     ? ORT_NOT_IMPLEMENTED
                  : error.status == GLOW_OUT_OF_MEMORY ? ORT_FAIL
                                                       : ORT_INVALID_GRAPH,
                  error.what());
  }
}

void entry::CreateSession(const OrtEnv *env, const char *path,
                          const OrtSessionOptions *options, OrtSession **out) {
  *out = open(*env,
              readModel([&] { return api::Model(path); }, ORT_INVALID_PROTOBUF),
              readModelFile(std::string(path)), options);
}

void entry::CreateSessionFromArray(const OrtEnv *env, const void *data,
                                   size_t bytes,
                                   const OrtSessionOptions *options,
                                   OrtSession **out) {
  const std::string_view all(static_cast<const char *>(data), bytes);
  *out = open(*env,
              readModel([&] { return api::Model(all, "the model in memory"); },
                        ORT_INVALID_PROTOBUF),
              readModelFile(all), options);
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

static const Port &portAt(const std::vector<Port> &ports, size_t index,
                          const char *what) {
  if (index >= ports.size())
    throw Failure(ORT_INVALID_ARGUMENT,
                  std::string(what) + " " + std::to_string(index) +
                      " is not among the " + std::to_string(ports.size()) +
                      " of the model");
  return ports[index];
}

void entry::SessionGetInputCount(const OrtSession *session, size_t *out) {
  *out = modelOf(session)->inputs.size();
}

void entry::SessionGetOutputCount(const OrtSession *session, size_t *out) {
  *out = modelOf(session)->outputs.size();
}

void entry::SessionGetOverridableInitializerCount(const OrtSession *session,
                                                  size_t *out) {
  *out = modelOf(session)->overridables.size();
}

void entry::SessionGetInputTypeInfo(const OrtSession *session, size_t index,
                                    OrtTypeInfo **out) {
  *out = new OrtTypeInfo(portAt(modelOf(session)->inputs, index, "input").type);
}

void entry::SessionGetOutputTypeInfo(const OrtSession *session, size_t index,
                                     OrtTypeInfo **out) {
  *out =
      new OrtTypeInfo(portAt(modelOf(session)->outputs, index, "output").type);
}

void entry::SessionGetOverridableInitializerTypeInfo(const OrtSession *session,
                                                     size_t index,
                                                     OrtTypeInfo **out) {
  *out = new OrtTypeInfo(
      portAt(modelOf(session)->overridables, index, "initializer").type);
}

void entry::SessionGetInputName(const OrtSession *session, size_t index,
                                OrtAllocator *allocator, char **out) {
  *out = copyText(*allocator,
                  portAt(modelOf(session)->inputs, index, "input").name);
}

void entry::SessionGetOutputName(const OrtSession *session, size_t index,
                                 OrtAllocator *allocator, char **out) {
  *out = copyText(*allocator,
                  portAt(modelOf(session)->outputs, index, "output").name);
}

void entry::SessionGetOverridableInitializerName(const OrtSession *session,
                                                 size_t index,
                                                 OrtAllocator *allocator,
                                                 char **out) {
  *out = copyText(
      *allocator,
      portAt(modelOf(session)->overridables, index, "initializer").name);
}

static void listMemory(size_t has, const OrtMemoryInfo **out, size_t count) {
  if (count < has)
    throw Failure(ORT_INVALID_ARGUMENT,
                  "there is room for " + std::to_string(count) +
                      " values, and the model has " + std::to_string(has));
  std::fill_n(out, count, nullptr);
  std::fill_n(out, has, &processorMemory());
}

void entry::SessionGetMemoryInfoForInputs(const OrtSession *session,
                                          const OrtMemoryInfo **out,
                                          size_t count) {
  listMemory(modelOf(session)->inputs.size(), out, count);
}

void entry::SessionGetMemoryInfoForOutputs(const OrtSession *session,
                                           const OrtMemoryInfo **out,
                                           size_t count) {
  listMemory(modelOf(session)->outputs.size(), out, count);
}
