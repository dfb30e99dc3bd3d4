//===- PackageEp.cpp - glow package-ep: a chip in ONNX Runtime ------------===//
// SPDX-License-Identifier: MIT

#include "cli/Help.h"
#include "cli/Plugins.h"
#include "cli/Tool.h"
#include "glow/Base/MemorySize.h"
#include "glow/Base/Plugin.h"
#include "glow/Base/Version.h"
#include "glow/Packager/Packager.h"
#include "glow/Program/BackendRecord.h"
#include <algorithm>
#include <cstdio>
#include <set>

using namespace glow;
using namespace glow::tool;

static std::set<std::string> backendNames() {
  std::set<std::string> names;
  for (const BackendRecord &backend : backendRecords())
    names.insert(backend.name);
  return names;
}

/// Loads the plug-in. The result is the backend of the option, or the only one.
static Result<std::string> chosenBackend(const ProviderRequest &request) {
  if (isPluginLoaded(request.plugin))
    return failure(Code::InvalidArgument, "--load-backend has loaded '",
                   request.plugin, "' already: leave that option out");
  const std::set<std::string> before = backendNames();
  if (Status status = loadPluginOf(request.plugin); !status.ok())
    return status;
  std::vector<std::string> own;
  std::ranges::set_difference(backendNames(), before, std::back_inserter(own));
  const std::string all = CLI::detail::join(own, ", ");
  if (own.empty())
    return failure(Code::NotFound, "'", request.plugin,
                   "' has no backend: a provider runs one");
  if (request.backend.empty()) {
    if (own.size() > 1)
      return failure(Code::InvalidArgument, "'", request.plugin,
                     "' has the backends ", all,
                     ": --backend names the one of this provider");
    return own.front();
  }
  if (std::ranges::find(own, request.backend) == own.end())
    return failure(Code::NotFound, "'", request.plugin, "' has no backend '",
                   request.backend, "'; it has ", all);
  return request.backend;
}

static Status package(ProviderRequest request) {
  Result<std::string> backend = chosenBackend(request);
  if (!backend)
    return backend.status();
  request.backend = *backend;
  Activity activity("packing");
  Result<PackagedProvider> made = packageProvider(request);
  if (!made)
    return made.status();
  std::printf("%s: %s, for register_execution_provider_library\n"
              "%s: package %s of Python\n"
              "%llu libraries, %s\n",
              made->library.c_str(), made->name.c_str(), made->wheel.c_str(),
              made->module.c_str(), (unsigned long long)made->libraries,
              sizeText(made->bytes).c_str());
  return Status();
}

Subcommand tool::addPackageEp(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "package-ep", "make an execution provider of ONNX Runtime from the "
                    "backend of a plug-in: libraries, and a wheel of Python");
  addExamples(*app, {"glow package-ep ./own.so -o own-ep"});
  auto request = std::make_shared<ProviderRequest>();
  request->version = version();
  app->add_option("FILE.so", request->plugin,
                  "the plug-in, which --load-backend must not load too")
      ->required();
  app->add_option("-o,--output", request->folder,
                  "the folder for the wheel, and for the libraries in lib")
      ->type_name("FOLDER")
      ->required();
  app->add_option("--backend", request->backend,
                  "the backend, of a plug-in with several")
      ->type_name("NAME");
  app->add_option("--wheel-version", request->version,
                  "the version of the wheel; default: that of Glow")
      ->type_name("VERSION");
  return {app, [request] {
            Status status = package(*request);
            return status.ok() ? 0 : fail(status);
          }};
}
