//===- Call.h - the calls of glow.h -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_LIBGLOW_CALL_H
#define GLOW_TOOLS_LIBGLOW_CALL_H

#include "Guard.h"
#include "Overlaps.h"
#include "glow/Runtime/SessionStates.h"
#include <atomic>

namespace glow::capi {

/// The state that a call shares with its run.
struct Running {
  std::atomic<bool> now = false;
  std::atomic<bool> cancelled = false; ///< Tensors::cancelled of the run
  std::atomic<unsigned> reporting = 0; ///< completion functions under way
  RequestHandle handle;

  void end() {
    now = false;
    now.notify_all();
  }
};

} // namespace glow::capi

struct glow_call {
  glow_program *program;
  glow::Tensors tensors;
  std::shared_ptr<glow::capi::Running> running =
      std::make_shared<glow::capi::Running>();

  /// Overlaps of the tensors that are bound; empty until a run looks.
  std::optional<std::shared_ptr<glow::capi::Overlaps>> overlaps = {};

  /// The states of the call of a session; else null. The number of the program
  /// among those of the session.
  std::shared_ptr<glow::SessionStates> states = {};
  size_t number = 0;

  /// Types for the sizes of a run, if the program has ranges; empty before
  /// sizes are set.
  struct {
    std::vector<glow::TensorType> inputs, outputs;
  } types = {};

  /// The shapes of the outputs after a run, where the program computes sizes.
  std::vector<glow::Ints> shapes = {};

  /// The tensors of a run; after `begin`.
  const glow::Tensors &toRunOn() const {
    return *overlaps ? (*overlaps)->apart() : tensors;
  }
};

namespace glow::capi {

/// Makes a call of a program, which is loaded onto a device unless it is there.
Status makeCall(glow_program &program, glow_call **call);

/// Fails with Code::InvalidArgument if the call runs.
Status checkIdle(const glow_call &call);

/// The error of a call that runs. A caller that could not take the run returns
/// it, since the run may have ended meanwhile.
Status inUse(const glow_call &call);

/// Fails with Code::InvalidArgument if a program with ranges has no sizes yet.
Status checkSizes(const glow_call &call);

/// Sets the sizes of the next run of a session that grows: those of the run
/// before, with the lengths that the states have now.
Status takeLengths(glow_call &call);

} // namespace glow::capi

#endif // GLOW_TOOLS_LIBGLOW_CALL_H
