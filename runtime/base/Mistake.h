//===- Mistake.h - errors that the simulator must find ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_BASE_MISTAKE_H
#define GLOW_RUNTIME_BASE_MISTAKE_H

namespace glow::runtime {

/// Errors that runtimes have made. test/runtime/simulation plants one at a time
/// and must find it. No other build compiles them in.
enum class Mistake {
  None,
  AnswerAfterTheRun,  ///< a deadline waits for the run
  ForgetAfterLoss,    ///< a request whose device is lost is dropped
  SkipTheCanary,      ///< a device that comes back is believed at once
  MixRows,            ///< the second request of a batch gets the first's rows
  OneTooMany,         ///< the queue takes one more than its limit
  LoseASlot,          ///< an abandoned run never frees its device
  IdleWhileWorkWaits, ///< a free device is not given waiting work
  ForgetMemory,       ///< programs of a version that leaves stay loaded
  NeverPoison,        ///< a request may take any number of devices with it
  OneRetry,           ///< a device that fails to load is not tried again
  EndTwice,           ///< a second call of done counts
  LeaveAtOnce,        ///< an old version is unloaded while it runs
  KeepSessions,       ///< a server keeps programs of a session that is over
  NeverMend,          ///< a server does not reset a device that was lost
  BelieveTheLost,     ///< a server forwards results of a lost device
  ShareErrors,        ///< the error of a batch is that of each of its requests
  ShareStates,        ///< two requests of a session run at a time
  AdvanceInVain,      ///< a request that failed or was late changes states
};

#ifdef GLOW_PLANT_MISTAKES
inline Mistake planted = Mistake::None;
inline bool mistake(Mistake which) { return planted == which; }
#else
constexpr bool mistake(Mistake) { return false; }
#endif

} // namespace glow::runtime

#endif // GLOW_RUNTIME_BASE_MISTAKE_H
