//===- States.h - states of requests, runs, models and devices --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Each line of the diagram is a change of a state, with its cause. The first
// enumerator is the state in which an object begins.
//
// RequestState
//   Waiting  -> Running   a device takes the request into a run
//   Waiting  -> Answered  refused, late or cancelled, or its model has failed
//   Running  -> Waiting   its run has failed, and it runs again
//   Running  -> Answered  its run is over, or it is late or cancelled
//
// RunState
//   Running  -> Over      all parts have ended, one has failed, or a device was
//                         lost
//   Over     -> Drained   no device touches its tensors any more
//
// ModelState
//   Loading  -> Serving   all copies are ready
//   Loading  -> Leaving   it cannot be loaded, or is unloaded meanwhile
//   Serving  -> Leaving   it is unloaded, evicted, or replaced
//   Leaving  -> Gone      its requests are answered, and its copies gone
//
// CopyState
//   Loading  -> Waiting   all devices have loaded their parts, or were lost
//   Loading  -> Leaving   its model leaves
//   Loading  -> Gone      a served model cannot load it again [rare]
//   Checking -> Waiting   a check is over, or a device was lost
//   Checking -> Leaving   its model leaves
//   Checking -> Gone      the host is destroyed [rare]
//   Ready    -> Waiting   a device was lost
//   Ready    -> Leaving   its model leaves
//   Ready    -> Gone      the host is destroyed
//   Waiting  -> Loading   all devices are good, and a part is absent [rare]
//   Waiting  -> Checking  all parts are loaded, and a check is left
//   Waiting  -> Ready     all checks have passed
//   Waiting  -> Leaving   its model leaves
//   Waiting  -> Gone      the host is destroyed [rare]
//   Leaving  -> Waiting   requests of a failed batch still need it
//   Leaving  -> Gone      no device runs it
//
// ProgramState
//   Absent   -> Loading   Device::load is called
//   Loading  -> Absent    the call fails, is given up, or the copy is gone
//   Loading  -> Loaded    the call succeeds
//   Loaded   -> Absent    the device was lost, or the copy is gone
//
// DeviceState
//   Good     -> Suspect   of several devices, one computes wrong values [rare]
//   Good     -> Lost      a run fails or hangs, or the device reports its loss
//   Suspect  -> Good      all checks have passed
//   Suspect  -> Lost      as above, or a check has failed
//   Lost     -> Suspect   its programs are loaded again
//
// test/runtime/simulation/states.test compares the diagram with the
// enumerations and with the changes that the simulator makes: it makes all of
// them but the rare ones, and no others.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_HOST_MONITOR_STATES_H
#define GLOW_RUNTIME_HOST_MONITOR_STATES_H

namespace glow::runtime {

/// A caller's request.
enum class RequestState { Waiting, Running, Answered };

/// A run of a program. Tasks of a run that is over may still be on devices.
enum class RunState { Running, Over, Drained };

/// A version of a model.
enum class ModelState { Loading, Serving, Leaving, Gone };

/// A copy of a model on one or more devices.
///   Checking  its canary runs, or waits for another check of the model
///   Ready     it serves requests
///   Waiting   for a device that is not good
///   Leaving   runs end, none starts
enum class CopyState { Loading, Checking, Ready, Waiting, Leaving, Gone };

/// A program on a device. Loading: a call of Device::load runs.
enum class ProgramState { Absent, Loading, Loaded };

#ifdef GLOW_PLANT_MISTAKES
/// Whether a state has changed, by the old and the new number.
template <typename Value> inline bool changed[8][8];
#endif

/// A state. The simulator records its changes.
template <typename Value> class State {
public:
  State(Value first) : value(first) {}
  operator Value() const { return value; }
  State &operator=(Value next) {
#ifdef GLOW_PLANT_MISTAKES
    changed<Value>[int(value)][int(next)] = true;
#endif
    value = next;
    return *this;
  }

private:
  Value value;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_MONITOR_STATES_H
