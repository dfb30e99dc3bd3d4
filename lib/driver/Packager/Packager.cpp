//===- Packager.cpp - execution providers of plug-ins ---------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Packager/Packager.h"
#include "Libraries.h"
#include "Licences.h"
#include "Wheel.h"
#include "glow/Base/Log.h"
#include "glow/Base/Version.h"
#include "glow/Program/ProviderName.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>

using namespace glow;

/// The libraries of a package, by their names in it.
using Libraries = std::map<std::string, std::string>;

/// The package of Python for a backend: "my_chip_ep".
static std::string moduleOf(std::string backend) {
  std::ranges::replace(backend, '-', '_');
  return backend + "_ep";
}

/// How the package is used. The names are those that ONNX Runtime's guide for
/// packages of providers proposes.
static std::string moduleText(const ProviderRequest &request,
                              const std::string &library) {
  const std::string provider = providerNameOf(request.backend);
  return "\"\"\"" + provider + ": backend " + request.backend +
         " of Glow in ONNX Runtime.\"\"\"\n"
         "\n"
         "import os\n"
         "\n"
         "name = \"" +
         provider +
         "\"\n"
         "__version__ = \"" +
         request.version +
         "\"\n"
         "\n"
         "\n"
         "def library_path():\n"
         "    \"\"\"The library that ONNX Runtime registers.\"\"\"\n"
         "    return os.path.join(os.path.dirname(os.path.abspath(__file__)),\n"
         "                        \"lib\", \"" +
         library +
         "\")\n"
         "\n"
         "\n"
         "def register():\n"
         "    \"\"\"Registers the provider under `name`, and returns its "
         "devices.\"\"\"\n"
         "    import onnxruntime\n"
         "\n"
         "    if not any(device.ep_name == name for device in "
         "onnxruntime.get_ep_devices()):\n"
         "        onnxruntime.register_execution_provider_library(name, "
         "library_path())\n"
         "    return [device for device in onnxruntime.get_ep_devices() if "
         "device.ep_name == name]\n"
         "\n"
         "\n"
         "def get_library_path():\n"
         "    return library_path()\n"
         "\n"
         "\n"
         "def get_ep_name():\n"
         "    return name\n"
         "\n"
         "\n"
         "def get_ep_names():\n"
         "    return [name]\n";
}

/// All libraries of the package but the scope, which is made.
static Result<Libraries> librariesOf(const ProviderRequest &request,
                                     const std::string &stem,
                                     const std::string &shared) {
  Result<std::string> provider = packagedFile("libonnxruntime-ep-plugin.so");
  if (!provider)
    return provider.status();
  Result<std::string> glow = packagedFile(shared);
  if (!glow)
    return glow.status();
  Libraries libraries = {
      {stem + ".so", *provider},
      {stem + std::string(providerPluginEnding), request.plugin},
      {shared, *glow}};
  if (Status status = addNeeded(libraries, glow->substr(0, glow->rfind('/')));
      !status.ok())
    return status;
  return libraries;
}

/// The library that opens the plug-in. A symbol of both is that of Glow or
/// LLVM, as it is in a program that loads the plug-in.
static Result<std::string> scopeOf(const ProviderRequest &request,
                                   const std::string &glow,
                                   const LibraryNames &renamed,
                                   std::vector<std::string> names,
                                   const std::string &plugin) {
  Result<std::vector<std::string>> needed = neededBy(glow);
  if (!needed)
    return needed.status();
  for (const std::string &name : *needed)
    names.push_back(nameIn(renamed, name));
  names.push_back(plugin);
  return scopeLibrary(names, request.plugin);
}

namespace {
/// The files of a package, in the folder and in the wheel.
class Writer {
public:
  Writer(const std::string &folder, const std::string &module,
         const std::string &version)
      : libraries(folder + "/lib"), module(module),
        licences(folder + "/licenses") {
    status = files.makeFolder(libraries);
    then([&] { return files.makeFolder(licences); });
    if (status.ok())
      wheel.emplace(folder, module, version);
  }

  void addLibrary(const std::string &name, std::string_view bytes) {
    then([&] { return files.add(libraries + "/" + name, bytes); });
    then([&] { return wheel->add(module + "/lib/" + name, bytes, true); });
    ++count;
    total += bytes.size();
  }

  void addLicence(const std::string &name, const std::string &text) {
    then([&] { return files.add(licences + "/" + name, text); });
    then([&] { return wheel->addLicence(name, text); });
  }

  void addModule(const std::string &text) {
    then([&] { return wheel->add(module + "/__init__.py", text); });
  }

  void finish(const std::string &summary) {
    then([&] { return files.finish(); });
    then([&] { return wheel->finish(summary); });
  }

  Status status; ///< the first failure; nothing is written behind it
  std::optional<Wheel> wheel;
  const std::string libraries;
  uint64_t count = 0, total = 0;

private:
  template <typename Step> void then(Step step) {
    if (status.ok())
      status = step();
  }

  const std::string module, licences;
  NewFiles files;
};
} // namespace

static Status addFile(Writer &writer, const std::string &name,
                      const std::string &path, const LibraryNames &names) {
  auto bytes = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!bytes)
    return failure(Code::NotFound, "cannot read '", path,
                   "': ", bytes.getError().message());
  writer.addLibrary(nameIn(names, name),
                    withNames((*bytes)->getBuffer(), names));
  return writer.status;
}

/// Adds the licences of Glow and of the system's libraries. The licence of the
/// plug-in is its vendor's matter.
static void addLicences(Writer &writer, const Libraries &libraries,
                        const ProviderRequest &request,
                        const std::string &shared) {
  const std::string own =
      libraries.at(shared).substr(0, libraries.at(shared).rfind('/'));
  std::vector<std::string> paths;
  for (const auto &[name, path] : libraries)
    if (path != request.plugin && !path.starts_with(own + "/"))
      paths.push_back(path);
  const Licences licences = licencesOf(paths);
  for (const auto &[name, text] : licences.texts)
    writer.addLicence(name, text);
  if (licences.missing.empty())
    return;
  std::string names;
  for (const std::string &name : licences.missing)
    names += (names.empty() ? "" : ", ") + name;
  logText(LogLevel::Warning,
          "warning: the system has no licence text for these libraries of the "
          "package: " +
              names);
}

Result<PackagedProvider> glow::packageProvider(const ProviderRequest &request) {
  if (!Wheel::isVersion(request.version))
    return failure(Code::InvalidArgument, "version '", request.version,
                   "' of the wheel should be as 1.2.3, 1.2.3rc1 or 1.2.3.dev4");
  const std::string stem = std::string(providerFilePrefix) + request.backend;
  const std::string plugin = stem + std::string(providerPluginEnding);
  const std::string shared = "libglow-plugins.so." + std::string(version());
  Result<Libraries> libraries = librariesOf(request, stem, shared);
  if (!libraries)
    return libraries.status();
  Result<LibraryNames> renamed = ownNames(*libraries, shared);
  if (!renamed)
    return renamed.status();
  Result<std::string> scope =
      scopeOf(request, libraries->at(shared), *renamed, {shared}, plugin);
  if (!scope)
    return scope.status();

  const std::string module = moduleOf(request.backend);
  Writer writer(request.folder, module, request.version);
  for (const auto &[name, path] : *libraries)
    if (Status status = addFile(writer, name, path, *renamed); !status.ok())
      return status;
  writer.addLibrary(stem + std::string(providerScopeEnding), *scope);
  writer.addModule(moduleText(request, stem + ".so"));
  addLicences(writer, *libraries, request, shared);
  writer.finish("backend " + request.backend +
                " of Glow as an execution provider of ONNX Runtime");
  if (!writer.status.ok())
    return writer.status;
  return PackagedProvider{providerNameOf(request.backend),
                          module,
                          writer.libraries + "/" + stem + ".so",
                          writer.wheel->path(),
                          writer.count,
                          writer.total};
}
