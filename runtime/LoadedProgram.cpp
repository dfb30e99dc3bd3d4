//===- LoadedProgram.cpp - a program on its device ------------------------===//

#include "glow/Runtime/LoadedProgram.h"
#include <future>

using namespace glow;

Result<std::unique_ptr<LoadedProgram>>
LoadedProgram::load(std::shared_ptr<Device> device, const Program &program) {
  Result<ProgramId> id = device->load(program);
  if (!id)
    return id.status();
  return std::unique_ptr<LoadedProgram>(
      new LoadedProgram(std::move(device), *id));
}

LoadedProgram::~LoadedProgram() { device->unload(program); }

void LoadedProgram::run(Tensors &tensors, std::function<void(Status)> done) {
  device->run(program, tensors, std::move(done));
}

Status LoadedProgram::runAndWait(Tensors &tensors) {
  // Shared: what sets the value may still be inside when it is read here.
  auto finished = std::make_shared<std::promise<Status>>();
  run(tensors,
      [finished](Status status) { finished->set_value(std::move(status)); });
  return finished->get_future().get();
}
