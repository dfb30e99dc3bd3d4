//===- Code.h - program code for CPU devices --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

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
    /// The StepMeasure of a phase whose chunks depend on the sizes of a run; ""
    /// for others. Then `chunks` is an upper bound.
    std::string measure{};
  };
  std::vector<Phase> phases; ///< one after the other
  /// A StepMeasure that knows the chunks of the only phase, and the scratch;
  /// "" where they are known. Kernels that have one are given a StepInfo.
  std::string measure;
  int64_t scratchBytes = 0; ///< bytes of each thread
  int64_t sharedBytes = 0;  ///< bytes of all threads: the last buffer, if any
  /// The error of a step that checks values: it has failed if the first 8 bytes
  /// of the shared buffer are not 0 at its end. "" for other steps.
  std::string failure;
  StepChoice choice;
  double predictedCycles = 0; ///< docs/rationale/Cpu.md has the model
};

/// A program's steps, and what was found for their symbols.
struct CpuCode final : StepCode {
  struct Native {
    std::vector<StepKernel> phases;
    std::vector<StepMeasure> measures;         ///< one a phase, or null
    std::unique_ptr<const OwnedStepInfo> info; ///< null where none is needed
    StepMeasure measure = nullptr; ///< null in a stored program, too
  };
  std::vector<StepSymbols> symbols;     ///< one a step
  std::vector<Native> natives;          ///< the same
  std::vector<SizeVariable> sizes;      ///< in the order of StepInfo::sizes
  std::shared_ptr<const void> image;    ///< keeps the functions
  std::shared_ptr<const MadeCode> made; ///< the code that was loaded

  /// The stored program that the functions were read from instead, and the
  /// owner of its bytes; "" for none.
  std::string_view description;
  std::shared_ptr<const void> descriptionOwner;
};

/// Marks a function that calls code which this backend has generated. The
/// sanitizer reads type information in front of a called function. Generated
/// code has none, and the memory in front of it may be unmapped.
#ifdef __clang__
#define GLOW_CALLS_MADE_CODE __attribute__((no_sanitize("function")))
#else
#define GLOW_CALLS_MADE_CODE
#endif

/// Returns the address of a symbol; null for an unknown name.
/// Computes the work of a step; `work` has the defaults of a measure.
void callMeasure(StepMeasure measure, const StepInfo *info, StepWork &work);

using SymbolFinder = std::function<void *(const std::string &)>;

/// Asks the measures of steps that have one.
Status measureSteps(const StepCode &code, std::vector<StepSymbols> &symbols,
                    const SymbolFinder &find);

/// Finds the functions of all phases. As `measureSteps`, fails with
/// Code::InvalidArgument, naming the symbol that is missing.
Status findSymbols(CpuCode &code, const SymbolFinder &find);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_DEVICE_CODE_H
