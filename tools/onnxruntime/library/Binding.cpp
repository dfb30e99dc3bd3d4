//===- Binding.cpp - values that are bound to a session -------------------===//
// SPDX-License-Identifier: MIT

#include "library/Memory.h"
#include "library/Session.h"
#include "library/Table.h"
#include <algorithm>
#include <cstring>

using namespace glow;
using namespace glow::ort;

namespace {
struct Bound {
  std::string name;
  std::shared_ptr<Payload> payload; ///< null: the run makes it
};
} // namespace

/// Outputs have their order of binding.
struct OrtIoBinding {
  std::shared_ptr<SessionModel> model;
  std::vector<Bound> inputs, outputs;
  /// Outputs of the last run; empty before it.
  mutable std::vector<std::shared_ptr<Payload>> results = {};
};

void entry::CreateIoBinding(OrtSession *session, OrtIoBinding **out) {
  *out = new OrtIoBinding{modelOf(session), {}, {}};
}

void entry::ReleaseIoBinding(OrtIoBinding *binding) { delete binding; }

static void checkName(const std::vector<Port> &ports, const char *name,
                      const char *what) {
  if (std::ranges::find(ports, name, &Port::name) == ports.end())
    throw Failure(ORT_INVALID_ARGUMENT, std::string("there is no ") + what +
                                            " '" + name + "' to bind");
}

static void bind(std::vector<Bound> &list, const char *name,
                 std::shared_ptr<Payload> payload) {
  auto found = std::ranges::find(list, name, &Bound::name);
  if (found == list.end())
    list.push_back({name, std::move(payload)});
  else
    found->payload = std::move(payload);
}

void entry::BindInput(OrtIoBinding *binding, const char *name,
                      const OrtValue *value) {
  checkName(binding->model->inputs, name, "input");
  bind(binding->inputs, name, value->payload);
}

static void bindOutput(OrtIoBinding &binding, const char *name,
                       std::shared_ptr<Payload> payload) {
  checkName(binding.model->outputs, name, "output");
  bind(binding.outputs, name, std::move(payload));
  binding.results.clear();
}

void entry::BindOutput(OrtIoBinding *binding, const char *name,
                       const OrtValue *value) {
  bindOutput(*binding, name, value->payload);
}

void entry::BindOutputToDevice(OrtIoBinding *binding, const char *name,
                               const OrtMemoryInfo *info) {
  if (info->device != OrtDeviceTypeCpu)
    throw Failure(ORT_NOT_IMPLEMENTED, std::string("output '") + name +
                                           "' is bound to '" + info->name +
                                           "', it should be the processor");
  bindOutput(*binding, name, nullptr);
}

void entry::ClearBoundInputs(OrtIoBinding *binding) {
  if (binding)
    binding->inputs.clear();
}

void entry::ClearBoundOutputs(OrtIoBinding *binding) {
  if (!binding)
    return;
  binding->outputs.clear();
  binding->results.clear();
}

static std::vector<Named> named(const std::vector<Bound> &list) {
  std::vector<Named> all;
  for (const Bound &bound : list)
    all.push_back({bound.name.c_str(), bound.payload});
  return all;
}

void entry::RunWithBinding(OrtSession *session, const OrtRunOptions *options,
                           const OrtIoBinding *binding) {
  if (modelOf(session) != binding->model)
    throw Failure(ORT_INVALID_ARGUMENT,
                  "the binding is of another session than the run");
  std::vector<Named> in = named(binding->inputs);
  std::vector<Named> out = named(binding->outputs);
  binding->model->run(options, in, out);
  binding->results.clear();
  for (Named &one : out)
    binding->results.push_back(std::move(one.payload));
}

/// The names one behind the other, without zeros.
void entry::GetBoundOutputNames(const OrtIoBinding *binding,
                                OrtAllocator *allocator, char **out,
                                size_t **lengths, size_t *count) {
  *out = nullptr;
  *lengths = nullptr;
  *count = binding->outputs.size();
  if (binding->outputs.empty())
    return;
  std::string all;
  for (const Bound &bound : binding->outputs)
    all += bound.name;
  *lengths =
      static_cast<size_t *>(allocateBy(*allocator, *count * sizeof(size_t)));
  for (size_t i = 0; i < *count; ++i)
    (*lengths)[i] = binding->outputs[i].name.size();
  *out = copyText(*allocator, all);
}

void entry::GetBoundOutputValues(const OrtIoBinding *binding,
                                 OrtAllocator *allocator, OrtValue ***out,
                                 size_t *count) {
  *out = nullptr;
  *count = binding->results.size();
  if (binding->results.empty())
    return;
  *out = static_cast<OrtValue **>(
      allocateBy(*allocator, *count * sizeof(OrtValue *)));
  for (size_t i = 0; i < *count; ++i)
    (*out)[i] = new OrtValue{binding->results[i]};
}
