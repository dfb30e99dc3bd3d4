//===- Plan.h - events of a simulation ------------------------------------===//
// SPDX-License-Identifier: MIT
//
// A plan is complete before it runs, so that a failure can be repeated with
// smaller and smaller plans. Times are in microseconds.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TEST_RUNTIME_SIMULATION_PLAN_H
#define GLOW_TEST_RUNTIME_SIMULATION_PLAN_H

#include "glow/Runtime/Model.h"
#include <optional>
#include <string>
#include <vector>

namespace simulation {

struct DevicePlan {
  unsigned atOnce;
  bool hasBuffers, resets;
  int64_t runTime; ///< of a row
  uint64_t memory;
  int64_t link; ///< of another process: longest delay of a message; else 0
};

struct ModelPlan {
  std::string name;
  std::vector<int64_t> batches; ///< one: no batches
  bool mayPad, hasCanary, evicts;
  unsigned copies, weight;
  int parts;             ///< 1, 2: one after the other, 4: two between two
  int64_t time;          ///< when it is added
  int64_t leaves;        ///< when it is unloaded; -1: never
  bool isOpen = false;   ///< one program for 1 to the last of `batches`
  bool hasState = false; ///< its requests are for sessions
};

struct RequestPlan {
  int64_t time;
  size_t model; ///< of the plans; a later one of the name may answer
  int64_t rows, deadline, cancel; ///< after `time`; 0: none
  int priority;
  enum { Right, Bad, Fatal } kind; ///< Fatal: devices die of it
  int session = 0;                 ///< its number, if the model has a state
};

struct FaultPlan {
  int64_t time;
  size_t device;
  enum Kind {
    Dies,       ///< one run is reported lost; others end with any status
    DiesMute,   ///< the runs never end
    Hangs,      ///< nothing ends, for a while, neither runs nor loads
    Slow,       ///< for a while
    Throws,     ///< the next run does
    Twice,      ///< the next run ends twice
    NoMemory,   ///< at the next loads
    WrongTwice, ///< dies, and is wrong for a while when it is back
    // Faults of the connection to another process:
    Cut,    ///< nothing comes over for a while
    Breaks, ///< so, and what was on its way is lost at once
    Delays  ///< for a while
  } kind;
  int64_t length;
};

struct Plan {
  uint64_t seed;
  std::vector<DevicePlan> devices;
  std::vector<ModelPlan> models;
  std::vector<RequestPlan> requests;
  std::vector<FaultPlan> faults;
  size_t queueLimit;
  uint64_t memoryLimit;
};

Plan planOf(uint64_t seed);

/// Runs a plan; returns the first violation and its time, or nothing.
std::optional<std::string> run(const Plan &plan);

/// Reduces a failing plan to one that fails, too, and is as small as possible.
Plan shrink(Plan plan);

/// The parts of a plan, one in each line.
std::string text(const Plan &plan);

} // namespace simulation

#endif // GLOW_TEST_RUNTIME_SIMULATION_PLAN_H
