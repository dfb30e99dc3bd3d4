//===- Code.h - what the devices of this backend run ----------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_CODE_H
#define GLOW_BACKENDS_CPU_CODE_H

#include "StepInfo.h"
#include "glow/Program/Steps.h"

namespace glow::cpu {

/// A program's steps. Those without a function are run by the interpreter's
/// kernels.
struct CpuCode final : StepCode {
  struct Phase {
    StepKernel function = nullptr;
    int64_t chunks = 1;
  };
  struct Native {
    std::vector<Phase> phases; ///< one after the other
    const StepInfo *info = nullptr;
    int64_t scratchBytes = 0; ///< of each thread
    int64_t sharedBytes = 0;  ///< of all threads: the last buffer, if any
    std::string failure; ///< what is wrong if that begins with another than 0
  };
  std::vector<Native> natives;       ///< one a step
  std::shared_ptr<const void> image; ///< keeps the functions
  std::vector<std::unique_ptr<OwnedStepInfo>> infos;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODE_H
