//===- Core.cpp - events of runs ------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Core.h"

using namespace glow;
using namespace glow::runtime;

void Core::onOver(const std::shared_ptr<Run> &run, bool killed) {
  if (run->isCheck) {
    auto check = std::static_pointer_cast<Check>(run);
    provisioner.checked(check);
    provisioner.leaveIfIdle(check->copy);
  } else {
    auto batch = std::static_pointer_cast<Batch>(run);
    scheduler.finish(batch, killed);
    provisioner.leaveIfIdle(batch->copy);
  }
}

void Core::onTaskEnded(const std::shared_ptr<Run> &run) {
  if (run->isCheck)
    return provisioner.leaveIfIdle(static_cast<Check &>(*run).copy);
  auto batch = std::static_pointer_cast<Batch>(run);
  provisioner.leaveIfIdle(batch->copy);
  if (run->state == RunState::Drained)
    scheduler.release(batch);
}
