//===- Devices.cpp - glow devices: the devices of this machine ------------===//
// SPDX-License-Identifier: MIT

#include "cli/Help.h"
#include "cli/Tool.h"
#include "glow/Base/MemorySize.h"
#include "glow/Report/Table.h"
#include "glow/Runtime/DeviceList.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "model/Outputs.h"
#include <algorithm>
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {
struct ListOptions {
  std::string backend, json;
};
} // namespace

static Table tableOf(const std::vector<ListedDevice> &devices) {
  auto orDash = [](const Json &text) {
    return text == "" ? "-" : text.get<std::string>();
  };
  Table table({{"backend", "backend"},
               {"device", "name", orDash},
               {"driver", "driver", orDash},
               quantity("units", "units", "%g", 1, "-"),
               {"memory"},
               {"", "memory_bytes"},
               {"", "usable"},
               {"", "reason"},
               {"", "choice"},
               {"chosen by"}});
  for (const ListedDevice &device : devices) {
    const bool isUsable = device.usable.ok();
    const std::string &reason = device.usable.message();
    table.add({device.backend, device.name, device.driver, device.units,
               device.memoryBytes ? sizeText(device.memoryBytes) : "-",
               device.memoryBytes, isUsable, isUsable ? noValue : Json(reason),
               unlessEmpty(device.choice),
               isUsable ? device.choice : "not usable: " + reason});
  }
  return table;
}

static Status list(const ListOptions &options) {
  std::vector<std::string> backends = DeviceRegistry::instance().backends();
  if (!options.backend.empty()) {
    if (std::ranges::find(backends, options.backend) == backends.end())
      return DeviceRegistry::instance().open(options.backend, {}).status();
    backends = {options.backend};
  }
  std::vector<ListedDevice> devices;
  for (const std::string &backend : backends)
    std::ranges::move(DeviceLists::instance().of(backend),
                      std::back_inserter(devices));
  const Table table = tableOf(devices);
  if (Status status = writeJson(options.json, {{"devices", table.json()}});
      !status.ok() || options.json == "-")
    return status;
  std::printf("%s", table.text().c_str());
  return Status();
}

Subcommand tool::addDeviceList(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "devices", "list the devices of this machine, and how to choose each");
  auto options = std::make_shared<ListOptions>();
  app->add_option("--backend", options->backend,
                  "only those that run the programs of it")
      ->type_name("NAME");
  addJsonOption(*app, options->json,
                "the devices, with bytes of memory, and why one is not usable");
  addExamples(*app, {"glow devices", "glow devices --json=devices.json"});
  return {app, [=] {
            Status status = list(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
