//===- Device.cpp - glow device: a device for hosts elsewhere -------------===//
// SPDX-License-Identifier: MIT

#include "cli/Help.h"
#include "cli/Numbers.h"
#include "cli/Plugins.h"
#include "glow/Base/MemorySize.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/Remote.h"
#include "report/DeviceTable.h"
#include <csignal>
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct ServeOptions {
  std::string backend;
  DeviceOptions device;
  std::string listen;
  bool describes = false;
  std::string json;    ///< where the description goes as JSON
  std::string devices; // to describe; "": the one that is served
  ServerOptions server;
};

/// SIGINT and SIGTERM, which are waited for. Threads that begin later have them
/// blocked, too.
class Signals {
public:
  Signals() {
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  }
  void wait() {
    int number;
    ::sigwait(&set, &number);
  }

private:
  sigset_t set;
};

} // namespace

/// "mpi:here"; without a transport, of gRPC.
static RemoteAddress addressOf(const std::string &listen) {
  if (Result<RemoteAddress> address = RemoteAddress::parse(listen))
    if (findTransport(address->transport))
      return *address;
  return RemoteAddress{"grpc", listen};
}

/// Whether an address of gRPC is of this machine alone.
static bool isLocal(const std::string &place) {
  const std::string host = place.substr(0, place.rfind(':'));
  return place.starts_with("unix:") || host.starts_with("127.") ||
         host == "localhost" || host == "[::1]" || host == "::1";
}

static Status serve(const ServeOptions &options) {
  Signals signals;
  const RemoteAddress address = addressOf(options.listen);
  Result<const Transport *> transport = findTransport(address.transport);
  if (!transport)
    return transport.status();
  Result<std::unique_ptr<Device>> device =
      DeviceRegistry::instance().open(options.backend, options.device);
  if (!device)
    return device.status();
  std::unique_ptr<RemoteService> service =
      deviceServer(device.take(), options.backend, options.server);
  Result<std::unique_ptr<LinkServer>> server =
      (*transport)->serve(address.place, *service);
  if (!server)
    return server.status().prefixed("--listen: ");
  if (const std::string at = (*server)->address();
      address.transport == "grpc" && !isLocal(at))
    std::fprintf(stderr,
                 "glow: warning: what can connect to %s runs code as this "
                 "user; no name is asked for, and nothing is encrypted\n",
                 at.c_str());
  std::printf("device of backend '%s' at %s:%s\n", options.backend.c_str(),
              address.transport.c_str(), (*server)->address().c_str());
  std::fflush(stdout);
  signals.wait();
  return Status();
}

static Status describeServed(const ServeOptions &options) {
  if (options.devices.empty())
    return printDevices(
        {{options.backend, options.backend, options.device, "", {}}},
        options.json);
  Result<std::vector<DeviceDescription>> devices =
      devicesNamed(options.devices);
  return devices ? printDevices(*devices, options.json) : devices.status();
}

/// An option for a number of bytes.
static void addSize(CLI::App &app, const std::string &name, uint64_t &bytes,
                    const std::string &help) {
  app.add_option_function<std::string>(
         name,
         [name, &bytes](const std::string &text) {
           std::optional<uint64_t> size = parseSize(text);
           if (!size)
             throw CLI::ValidationError(
                 name + " '" + text +
                 "' should be a number of bytes, with k, M or G for 1024 to "
                 "its power, as 512M");
           bytes = *size;
         },
         help)
      ->type_name("SIZE");
}

Subcommand tool::addDevice(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "device", "let hosts in other processes use a device of this one");
  addExamples(
      *app, {"glow device --listen=127.0.0.1:8500", "glow device --describe"});
  auto options = std::make_shared<ServeOptions>();
  addBackendOption(*app, options->backend);
  addThreadsOption(*app, options->device.threads);
  addSize(*app, "--memory", options->device.memoryBytes,
          "what programs may take, in bytes, or with k, M or G; default: all "
          "that there is");
  addSize(*app, "--host-memory", options->server.mostBytes,
          "what the programs of one host may take of it; default: all");
  app->add_option_function<std::string>(
         "--processors",
         [options](const std::string &text) {
           std::optional<Processors> processors = parseProcessors(text);
           if (!processors)
             throw CLI::ValidationError(
                 "--processors '" + text +
                 "' should be numbers and ranges, none twice, as 0-3,8");
           options->device.processors = *processors;
         },
         "on which it stays; default: any")
      ->type_name("LIST");
  options->listen = "127.0.0.1:0";
  CLI::Option *listen =
      app->add_option("--listen", options->listen,
                      "HOST:PORT, port 0 for a free one, unix:PATH, or "
                      "mpi:here for a rank; what can reach it can run code "
                      "here")
          ->type_name("PLACE")
          ->capture_default_str();
  CLI::Option *describes =
      app->add_flag("--describe", options->describes,
                    "print what it is, and how fast as measured now, and serve "
                    "nothing")
          ->excludes(listen);
  app->add_option("--devices", options->devices,
                  "describe those of a JSON file, as docs/Runtime.md describes "
                  "it, or found, for those of this machine")
      ->type_name("FILE")
      ->needs(describes);
  addJsonOption(*app, options->json, "the description")->needs(describes);
  return {app, [options] {
            Status status =
                options->describes ? describeServed(*options) : serve(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
