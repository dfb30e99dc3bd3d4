//===- Code.h - what the devices of this backend run ----------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_DEVICE_CODE_H
#define GLOW_BACKENDS_CPU_DEVICE_CODE_H

#include "Choice.h"
#include "FlatImage.h"
#include "StepInfo.h"
#include "glow/Program/Steps.h"
#include <functional>

namespace glow::cpu {

/// The code of a step, by the names that it has where it was compiled. Without
/// phases, the interpreter's kernel runs.
struct StepSymbols {
  struct Phase {
    std::string function; ///< a StepKernel
    int64_t chunks = 1;   ///< 0: it is not called
  };
  std::vector<Phase> phases; ///< one after the other
  /// A StepMeasure that knows the chunks of the only phase, and the scratch;
  /// "" where they are known. Kernels that have one are given a StepInfo.
  std::string measure;
  int64_t scratchBytes = 0; ///< of each thread
  int64_t sharedBytes = 0;  ///< of all threads: the last buffer, if any
  /// What is wrong if the first 8 bytes of that are not 0 at the end, where the
  /// step looks at values; "" for others.
  std::string failure;
  StepChoice choice;
  double predictedCycles = 0; ///< docs/rationale/Cpu.md has the model
};

/// A program's steps, and what was found for their symbols.
struct CpuCode final : StepCode {
  struct Native {
    std::vector<StepKernel> phases;
    std::unique_ptr<const OwnedStepInfo> info; ///< null where none is needed
  };
  std::vector<StepSymbols> symbols;     ///< one a step
  std::vector<Native> natives;          ///< the same
  std::shared_ptr<const void> image;    ///< keeps the functions
  std::shared_ptr<const MadeCode> made; ///< what they were loaded from

  /// What they were read from instead, and what keeps it; "" for none.
  std::string_view description;
  std::shared_ptr<const void> descriptionOwner;
};

/// Stands before a function that calls code which this backend made. The
/// sanitizer looks in front of a function that is called for its type, where
/// such code has none, and may have no memory.
#ifdef __clang__
#define GLOW_CALLS_MADE_CODE __attribute__((no_sanitize("function")))
#else
#define GLOW_CALLS_MADE_CODE
#endif

/// Where a symbol is; null when there is none of this name.
using SymbolFinder = std::function<void *(const std::string &)>;

/// Asks the measures of steps that have one.
Status measureSteps(const StepCode &code, std::vector<StepSymbols> &symbols,
                    const SymbolFinder &find);

/// Finds the functions of all phases. As `measureSteps`, fails with
/// Code::InvalidArgument, naming the symbol that is missing.
Status findSymbols(CpuCode &code, const SymbolFinder &find);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_CODE_H
