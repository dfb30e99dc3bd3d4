//===- Chip.cpp - the provider of a plug-in's backend ---------------------===//
// SPDX-License-Identifier: MIT
//
// `glow package-ep` copies this library under the name of a backend, and puts
// the plug-in beside it.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Identity.h"
#include "glow/Base/Plugin.h"
#include "glow/Program/ProviderName.h"
#include <dlfcn.h>

using namespace glow;
using namespace glow::ort;

static constexpr std::string_view ending = ".so";

/// The path of this library, which is absolute: ONNX Runtime looks for relative
/// paths beside its own libraries.
static std::string ownPath() {
  Dl_info info{};
  ::dladdr(reinterpret_cast<const void *>(&ownPath), &info);
  return info.dli_fname ? info.dli_fname : "";
}

/// The backend in the name of this library; "" for a name of another form.
static std::string backendOf(const std::string &path) {
  std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  if (!name.starts_with(providerFilePrefix) || !name.ends_with(ending))
    return "";
  name.remove_prefix(providerFilePrefix.size());
  return std::string(name.substr(0, name.size() - ending.size()));
}

const Identity &ort::identity() {
  static const std::string backend = backendOf(ownPath());
  static const Identity chip = {providerNameOf(backend), backend, backend};
  return chip;
}

void ort::loadBackend() {
  const std::string path = ownPath();
  if (identity().backend.empty())
    throw Failure(ORT_EP_FAIL,
                  "'" + path + "' should be named " +
                      std::string(providerFilePrefix) +
                      "BACKEND.so: the name leads to the plug-in beside it");
  const std::string stem = path.substr(0, path.size() - ending.size());
  if (Status status = loadPlugin(stem + std::string(providerPluginEnding),
                                 stem + std::string(providerScopeEnding));
      !status.ok())
    throw Failure(ORT_EP_FAIL, status.message());
}
