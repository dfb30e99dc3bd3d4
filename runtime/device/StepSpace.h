//===- StepSpace.h - the programs and the runs of a device ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DEVICE_STEPSPACE_H
#define GLOW_RUNTIME_DEVICE_STEPSPACE_H

#include "LengthTable.h"
#include "OffsetPlan.h"
#include "StepRun.h"
#include "glow/Values/MemoryBudget.h"
#include "glow/Values/Tensor.h"

namespace glow {

/// The memory that one run of a program writes besides its tensors. A run owns
/// it alone, from enter() to ~Entered.
struct StepDevice::Space {
  std::unique_ptr<StepRunner> runner;
  Tensor arena;
  std::vector<TensorView>
      views; // one a buffer; each run sets the views of its tensors
  std::vector<TensorView> operands; // operands of the current step
  std::vector<char *> bound;        // addresses of ports

  // Sizes of the last run, for a program whose sizes differ between runs.
  SizeValues sizes;
  Ints lengths;                                   // values of the LengthTable
  std::vector<TensorType> types;                  // one a buffer
  std::vector<std::vector<AttributeValue>> lists; // attributes of each step

  // Members for a program that plans each run.
  OffsetPlan::Places places;
  std::vector<char *> own; // addresses of the runner's pieces
  uint64_t arenaBytes = 0; // counted in StepDevice::taken
  bool isPlaced = false;   // whether buffers have places for `sizes`
};

/// A program, with everything resolved that does not change between runs. The
/// first group of members is read-only once the program is loaded.
struct StepDevice::Loaded {
  std::vector<Binding> inputs, outputs;
  std::vector<SizeCondition> conditions;
  bool isOpen = false;          ///< whether sizes differ between runs
  bool computesLengths = false; ///< whether steps compute sizes
  LengthTable lengths;
  OffsetPlan plan; ///< empty unless each run plans
  PortTable ports;
  std::vector<LastUse> lastUses;
  std::shared_ptr<const StepCode> code;
  std::vector<const void *> constants; // address of each constant
  std::vector<std::shared_ptr<const void>> owners;
  std::vector<const void *> files; // mapped files that hold constants
  uint64_t arenaBytes = 0;         ///< of a Space; 0 if each run plans
  uint64_t greatestBytes =
      0; ///< the arena of the greatest sizes, if each run plans
  MemoryBudget memory = MemoryBudget::ofThread(); ///< of kernels' memory, too

  // Guarded by the device's mutex.
  std::vector<std::unique_ptr<Space>> spare;
  unsigned runs = 0;  ///< runs that have, or look for, a Space
  uint64_t bytes = 0; ///< of constants and of all arenas
};

/// A run that has entered the device; the destructor gives back its Space.
struct StepDevice::Entered {
  explicit Entered(StepDevice &device) : device(device) {}
  ~Entered();
  StepDevice &device;
  std::shared_ptr<Loaded> loaded;
  std::unique_ptr<Space> space;
  std::shared_ptr<StepObserver> observer;
  bool isHolder = false; ///< counted in StepDevice::holders
};

} // namespace glow

#endif // GLOW_RUNTIME_DEVICE_STEPSPACE_H
