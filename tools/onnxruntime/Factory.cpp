//===- Factory.cpp - what ONNX Runtime finds in the library ---------------===//
// SPDX-License-Identifier: MIT

#include "Provider.h"
#include <algorithm>
#include <cctype>

using namespace glow;
using namespace glow::ort;

namespace {
class GlowFactory : public Factory {
public:
  explicit GlowFactory(const Api &api);

  Host host;
};
} // namespace

/// The provider runs on the processor, whatever devices Glow's backends have.
static void listDevices(GlowFactory &factory, const Device *const *devices,
                        size_t count, EpDevice **out, size_t most,
                        size_t &found) {
  const Host &host = factory.host;
  found = 0;
  for (size_t i = 0; i < count && found < most; ++i)
    if (host.api.HardwareDevice_Type(devices[i]) == OrtDeviceTypeCpu)
      host.check(host.api.GetEpApi()->CreateEpDevice(
          &factory, devices[i], nullptr, nullptr, &out[found++]));
}

static std::string lowerCase(std::string text) {
  for (char &c : text)
    c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The options of a session that are for this provider, and its contexts.
static Settings settingsOf(const Host &host, const SessionOptions *options,
                           ContextSettings &contexts) {
  Pairs *pairs =
      host.get<Pairs *>(host.api.GetSessionOptionsConfigEntries, options);
  const char *const *keys;
  const char *const *values;
  size_t count;
  host.api.GetKeyValuePairs(pairs, &keys, &values, &count);
  // ONNX Runtime writes the name of a provider in lower case.
  const std::string prefix = "ep." + lowerCase(identity().name) + ".";
  Settings settings;
  for (size_t i = 0; i < count; ++i) {
    const std::string_view key = keys[i];
    if (key.starts_with(prefix))
      settings.emplace_back(keys[i] + prefix.size(), values[i]);
    else if (key == "ep.context_enable")
      contexts.enabled = std::string_view(values[i]) == "1";
    else if (key == "ep.context_embed_mode")
      contexts.embedded = std::string_view(values[i]) == "1";
    else if (key == "ep.context_file_path")
      contexts.path = values[i];
  }
  host.api.ReleaseKeyValuePairs(pairs);
  const auto isBackend = [](const auto &one) { return one.first == "backend"; };
  if (!identity().backend.empty() && std::ranges::none_of(settings, isBackend))
    settings.emplace_back("backend", identity().backend);
  return settings;
}

static Ep *createProvider(const Host &host, const SessionOptions *options,
                          const Logger *logger) {
  ContextSettings contexts;
  Settings settings = settingsOf(host, options, contexts);
  try {
    api::Options all = optionsOf(settings);
    for (const auto &[dimension, least, most, multiple] : rangesOf(settings))
      all.setRange(dimension, least, most, multiple);
  } catch (const std::exception &error) {
    throw Failure(ORT_INVALID_ARGUMENT, identity().name + ": " + error.what());
  }
  return new Provider(host.api, logger, std::move(settings),
                      std::move(contexts));
}

GlowFactory::GlowFactory(const Api &api) : Factory{}, host(api) {
  version = structureVersion;
  name = [](const Factory *) { return identity().name.c_str(); };
  vendor = [](const Factory *) { return identity().vendor.c_str(); };
  devices = [](Factory *factory, const Device *const *all, size_t count,
               EpDevice **out, size_t most, size_t *found) {
    auto &self = *static_cast<GlowFactory *>(factory);
    return self.host.guarded(
        [&] { listDevices(self, all, count, out, most, *found); });
  };
  createEp = [](Factory *factory, const Device *const *, const Pairs *const *,
                size_t, const SessionOptions *options, const Logger *logger,
                Ep **ep) {
    const Host &host = static_cast<GlowFactory *>(factory)->host;
    return host.guarded([&] { *ep = createProvider(host, options, logger); });
  };
  releaseEp = [](Factory *, Ep *ep) { delete static_cast<Provider *>(ep); };
  vendorId = [](const Factory *) { return uint32_t(0); };
  providerVersion = [](const Factory *) { return glow_version(); };
  // Tensors are in the memory of the host, which ONNX Runtime allocates.
  createAllocator = [](Factory *, const void *, const Pairs *,
                       void **allocator) -> Status * {
    *allocator = nullptr;
    return nullptr;
  };
  releaseAllocator = [](Factory *, void *) {};
  createDataTransfer = [](Factory *, void **transfer) -> Status * {
    *transfer = nullptr;
    return nullptr;
  };
  isStreamAware = [](const Factory *) { return false; };
}

//===----------------------------------------------------------------------===//
// The functions of the library
//===----------------------------------------------------------------------===//

/// A status of a runtime that does not have the table of this provider. Every
/// version has the entry that makes one.
static Status *refuse(const Base *base) {
  const Api *first = base->GetApi(1);
  const std::string text = identity().name + " needs ONNX Runtime 1." +
                           std::to_string(tableVersion) +
                           " or later, this is " + base->GetVersionString();
  return first ? first->CreateStatus(ORT_NOT_IMPLEMENTED, text.c_str())
               : nullptr;
}

#define GLOW_EXPORT extern "C" __attribute__((visibility("default")))

GLOW_EXPORT Status *CreateEpFactories(const char *, const Base *base,
                                      const Logger *, Factory **factories,
                                      size_t most, size_t *count) {
  const Api *api = base->GetApi(tableVersion);
  if (!api)
    return refuse(base);
  return Host(*api).guarded([&] {
    if (!most)
      throw Failure(ORT_INVALID_ARGUMENT, "there is no room for a factory");
    loadBackend();
    factories[0] = new GlowFactory(*api);
    *count = 1;
  });
}

/// Sessions may live longer than the registration: the factory stays, which
/// releases their providers.
GLOW_EXPORT Status *ReleaseEpFactory(Factory *) { return nullptr; }
