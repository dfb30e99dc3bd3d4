//===- Executor.cpp - runs a loaded program -------------------------------===//

#include "glow/Runtime/Executor.h"
#include <future>

using namespace glow;

Result<std::unique_ptr<Executor>> Executor::load(std::shared_ptr<Device> device,
                                                 const Program &program) {
  Result<ProgramId> id = device->load(program);
  if (!id)
    return id.status();
  return std::unique_ptr<Executor>(new Executor(std::move(device), *id));
}

Executor::~Executor() { device->unload(program); }

void Executor::run(Tensors &tensors, std::function<void(Status)> done) {
  device->run(program, tensors, std::move(done));
}

Status Executor::runAndWait(Tensors &tensors) {
  // Shared: whoever sets the value may still be inside when it is read here.
  auto finished = std::make_shared<std::promise<Status>>();
  run(tensors,
      [finished](Status status) { finished->set_value(std::move(status)); });
  return finished->get_future().get();
}
