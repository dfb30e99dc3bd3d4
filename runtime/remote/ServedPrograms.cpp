//===- ServedPrograms.cpp - programs that come from hosts -----------------===//
// SPDX-License-Identifier: MIT

#include "DeviceServer.h"
#include "glow/Base/Hash.h"
#include "glow/Program/Serial.h"
#include "glow/Runtime/ProgramFile.h"
#include "glow/Runtime/StepDevice.h"
#include <algorithm>
#include <cstring>

using namespace glow;
using namespace glow::runtime;

/// The largest description of a program, in bytes; constants are not included.
static constexpr uint64_t largestDescription = uint64_t(1) << 30;

Result<std::shared_ptr<IncomingProgram>>
DeviceServer::receive(SessionId session, uint64_t descriptionBytes,
                      uint64_t constantBytes) {
  std::shared_ptr<std::atomic<uint64_t>> coming;
  uint64_t free = 0;
  {
    std::lock_guard lock(mutex);
    Session *found = find(session);
    if (!found)
      return noSession();
    coming = found->coming;
    free = freeFor(*found);
  }
  if (descriptionBytes > largestDescription)
    return failure(Code::InvalidArgument, "a program has a description of ",
                   descriptionBytes, " bytes, it should be at most ",
                   largestDescription);
  if (constantBytes > free)
    return failure(Code::OutOfMemory, "the constants of a program take ",
                   constantBytes, " bytes, the device has ", free,
                   " free for this host");
  // Programs that a host sends at the same time share the limit of one program.
  // The share ends with the IncomingProgram, on whatever thread that is freed.
  const uint64_t bytes = descriptionBytes + constantBytes;
  const uint64_t most = largestDescription + free;
  auto program = std::make_shared<IncomingProgram>();
  program->share = std::shared_ptr<void>(
      coming.get(), [coming, bytes](void *) { *coming -= bytes; });
  if (uint64_t all = *coming += bytes; all > most)
    return failure(Code::Overloaded, "programs of ", all,
                   " bytes come from one host at once, they should be at most ",
                   most);
  Result<Tensor> constants =
      Tensor::zeros({ElementKind::U8, {int64_t(constantBytes)}});
  if (!constants)
    return constants.status().prefixed("the constants of a program: ");
  program->session = session;
  program->descriptionBytes = descriptionBytes;
  program->constants = constants.take();
  return program;
}

/// Appends a piece. Without a lock: the pieces of a program come one after the
/// other, and no other thread has the program before load().
Status DeviceServer::append(IncomingProgram &program, std::string_view bytes) {
  const uint64_t first = program.descriptionBytes;
  const uint64_t all = first + program.constants.type().bytes();
  if (bytes.size() > all - program.filled)
    return failure(Code::InvalidArgument, "a program has more than ", all,
                   " bytes, which were said");
  const size_t described = size_t(std::min<uint64_t>(
      bytes.size(), first - std::min(first, program.filled)));
  program.description.append(bytes.substr(0, described));
  if (size_t rest = bytes.size() - described)
    std::memcpy(static_cast<char *>(program.constants.data()) +
                    (program.filled + described - first),
                bytes.data() + described, rest);
  program.filled += bytes.size();
  return Status();
}

/// Checks that the tensors of a run have static types and fit into a message.
static Status checkBindings(const std::vector<Binding> &bindings) {
  uint64_t bytes = 0;
  for (const Binding &binding : bindings) {
    if (!binding.type.isStatic() || binding.type.bytes() > largestMessage)
      return failure(Code::InvalidArgument, "'", binding.name,
                     "' of a program is ", binding.type.text(),
                     ", which a link does not take");
    bytes += binding.type.bytes();
    if (bytes > largestMessage)
      return failure(Code::InvalidArgument, "a run has ", bytes,
                     " bytes or more, a link takes ", largestMessage);
  }
  return Status();
}

/// Reads a received program. Its constants stay in the memory that they were
/// received in, which the program keeps alive.
static Result<Program> programIn(const std::string &backend,
                                 std::shared_ptr<IncomingProgram> given) {
  const std::string_view constants(
      static_cast<const char *>(given->constants.data()),
      size_t(given->constants.type().bytes()));
  HashOfParts hash;
  hash.add(given->description);
  hash.add(constants);
  const Hash came = hash.finish();
  if (given->filled != given->descriptionBytes + constants.size() ||
      came != Hash{given->hash[0], given->hash[1]})
    return Status(Code::InvalidArgument,
                  "a program came damaged, or not all of it");
  Result<Program> program =
      readDescribed(backend, {given->description, constants, nullptr, given});
  if (!program)
    return program;
  if (program->backend != backend)
    return failure(Code::WrongTarget, "the program was compiled for backend '",
                   program->backend, "', this device runs those of '", backend,
                   "'");
  Status status = checkBindings(program->inputs);
  if (status.ok())
    status = checkBindings(program->outputs);
  if (!status.ok())
    return status;
  return program;
}

void DeviceServer::load(std::shared_ptr<IncomingProgram> program,
                        Done<RemoteProgram> done) {
  post([this, program, done = std::move(done)] { done(loadNow(program)); });
}

static Result<ProgramId> loadOn(Device &device, const Program &program) {
  try {
    return device.load(program);
  } catch (const std::exception &error) {
    return failure(Code::DeviceLost, "loading threw: ", error.what());
  } catch (...) {
    return Status(Code::DeviceLost, "loading threw");
  }
}

/// Reserves bytes of the device for a session, before the program is loaded.
Status DeviceServer::take(SessionId id, uint64_t bytes) {
  std::lock_guard lock(mutex);
  Session *session = find(id);
  if (!session)
    return noSession();
  const uint64_t free = freeFor(*session);
  if (options.mostBytes && bytes > free)
    return failure(Code::OutOfMemory, "the program takes ", bytes,
                   " bytes, this host may take ", free, " more of ",
                   options.mostBytes);
  session->taken += bytes;
  return Status();
}

/// Loads a received program, on a worker thread. The session may end while the
/// device loads: the program is then unloaded again.
Result<RemoteProgram>
DeviceServer::loadNow(const std::shared_ptr<IncomingProgram> &given) {
  Result<Program> program = programIn(backend, given);
  if (!program)
    return program.status();
  const uint64_t bytes = bytesToLoad(*program);
  if (Status status = take(given->session, bytes); !status.ok())
    return status;
  // Without the lock: other sessions go on while the device loads.
  Result<ProgramId> id = loadOn(*device, *program);
  if (id.status().code() == Code::DeviceLost)
    markBroken();
  {
    std::lock_guard lock(mutex);
    Session *session = find(given->session);
    if (session && id) {
      session->programs[*id] = {program->inputs, program->outputs, {}, bytes};
      return RemoteProgram{*id, freeFor(*session)};
    }
    if (session)
      session->taken -= bytes;
  }
  if (!id)
    return id.status();
  device->unload(*id);
  return noSession();
}

void DeviceServer::unload(SessionId id, ProgramId program,
                          Done<uint64_t> done) {
  {
    std::lock_guard lock(mutex);
    Session *session = find(id);
    if (!session)
      return done(noSession());
    auto found = session->programs.find(program);
    // Unloading an unknown program is no error.
    if (found == session->programs.end())
      return done(freeFor(*session));
    session->taken -= found->second.bytes;
    // Erased before it is unloaded: no new run of it can begin.
    session->programs.erase(found);
  }
  post([this, id, program, done = std::move(done)] {
    device->unload(program);
    std::unique_lock lock(mutex);
    Session *session = find(id);
    Result<uint64_t> free =
        session ? Result<uint64_t>(freeFor(*session)) : noSession();
    lock.unlock();
    done(std::move(free));
  });
}
