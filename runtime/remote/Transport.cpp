//===- Transport.cpp - transports to other processes ----------------------===//
// SPDX-License-Identifier: MIT
//
// Transports are modules. A program that reaches no other process so starts
// without their libraries, and a build without these libraries is complete.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/ThisProgram.h"
#include "glow/Runtime/Remote.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <map>

#ifndef GLOW_MULTIARCH // builds that are not packaged
#define GLOW_MULTIARCH ""
#endif

using namespace glow;
namespace fs = std::filesystem;

/// The path of a transport's module, or "". It is searched beside the program
/// or library that contains this code, and in `lib` next to that folder, first
/// in the subfolder for this architecture, as packages have it. In a build tree
/// it is in `lib` one level higher.
static std::string moduleOf(const std::string &transport) {
  Dl_info info{};
  link_map *here = nullptr;
  if (!::dladdr1(reinterpret_cast<const void *>(&moduleOf), &info,
                 reinterpret_cast<void **>(&here), RTLD_DL_LINKMAP))
    return "";
  // The link map has an empty name for the program itself.
  const std::string file = *here->l_name ? here->l_name : thisProgram();
  std::error_code error;
  const fs::path folder = fs::canonical(file, error).parent_path();
  const std::string name = "libglow-" + transport + ".so";
  for (const fs::path &place :
       {folder / name, folder / "../lib" / GLOW_MULTIARCH / name,
        folder / "../lib" / name, folder / "../../lib" / name})
    if (fs::is_regular_file(place, error))
      return place.lexically_normal();
  return "";
}

/// The message for a transport without a module.
static std::string noTransport(const std::string &name) {
  for (const std::string known : {"grpc", "mpi"})
    if (name == known)
      return "transport '" + name + "' is not installed: libglow-" + name +
             ".so is in the package glow-" + name +
             ", and in a build where docs/Remote.md says what it needs" +
             whyNoProgram();
  return "there is no transport '" + name + "'; there are grpc and mpi";
}

static Result<const Transport *> openTransport(const std::string &name) {
  auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
  const std::string file =
      std::ranges::all_of(name, isLetter) ? moduleOf(name) : "";
  if (file.empty())
    return failure(Code::NotFound, noTransport(name));
  void *library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto *transport =
      library
          ? static_cast<const Transport *>(::dlsym(library, "glow_transport"))
          : nullptr;
  if (!transport)
    return failure(Code::NotFound, "cannot open transport '", name,
                   "': ", ::dlerror());
  if (transport->magic != Transport::expectedMagic)
    return failure(Code::NotFound, "'", file, "' is of another build");
  return transport;
}

Result<const Transport *> glow::findTransport(const std::string &name) {
  // A module stays open until the process ends. The lock is held while it
  // opens.
  static std::mutex mutex;
  static std::map<std::string, const Transport *> known;
  std::lock_guard lock(mutex);
  if (auto found = known.find(name); found != known.end())
    return found->second;
  Result<const Transport *> opened = openTransport(name);
  if (opened)
    known[name] = *opened;
  return opened;
}

Result<std::unique_ptr<ProcessGroup>> glow::joinGroup(const std::string &name) {
  Result<const Transport *> transport = findTransport(name);
  if (!transport)
    return transport.status();
  if (!(*transport)->join)
    return failure(Code::Unsupported, "transport '", name, "' has no jobs");
  return (*transport)->join();
}

unsigned glow::processesOfJob() {
  // Open MPI's mpirun gives it to each process.
  const char *text = std::getenv("OMPI_COMM_WORLD_SIZE");
  const int count = text ? std::atoi(text) : 1;
  return count > 1 ? unsigned(count) : 1;
}

Result<RemoteAddress> RemoteAddress::parse(const std::string &text) {
  size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
    return failure(Code::InvalidArgument, "address '", text,
                   "' should be TRANSPORT:PLACE, as grpc:HOST:PORT or "
                   "grpc:unix:PATH");
  return RemoteAddress{text.substr(0, colon), text.substr(colon + 1)};
}

static Result<std::unique_ptr<Device>> openAt(const std::string &text) {
  Result<RemoteAddress> address = RemoteAddress::parse(text);
  if (!address)
    return address.status();
  Result<const Transport *> transport = findTransport(address->transport);
  if (!transport)
    return transport.status();
  std::shared_ptr<Workers> workers = threadWorkers();
  if (Status status = workers->begin(true); !status.ok())
    return status;
  Result<std::unique_ptr<Link>> link = (*transport)->connect(address->place);
  if (!link)
    return link.status();
  return remoteDevice(link.take(), std::move(workers));
}

Result<std::unique_ptr<Device>>
glow::openRemoteDevice(const std::string &address, const std::string &backend) {
  Result<std::unique_ptr<Device>> device = openAt(address);
  if (!device)
    return device.status().prefixed("'" + address + "': ");
  if (std::string there = (*device)->info().backend; there != backend)
    return failure(Code::WrongTarget, "'", address,
                   "' has a device of backend '", there, "', it should be '",
                   backend, "'");
  return device;
}
