//===- Stored.cpp - programs of this backend as bytes ---------------------===//
// SPDX-License-Identifier: MIT
//
// One list of fields serves both directions, so that reading matches writing. A
// file may be damaged in spite of its checksum, or written by another program:
// numbers are checked before they are used. A processor that lacks instructions
// of the code is refused with their names.
//
//===----------------------------------------------------------------------===//

#include "Stored.h"
#include "Features.h"
#include "PrecompiledTable.h"
#include "Tiles.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Program/Serial.h"
#include "glow/Program/SizeValues.h"
#include <algorithm>

using namespace glow;
using namespace glow::cpu;

namespace glow::cpu {

template <typename Stream>
static void describe(Stream &stream, StepSymbols::Phase &phase) {
  stream(phase.function, phase.chunks);
}
template <typename Stream>
static void describe(Stream &stream, StepChoice &choice) {
  stream(choice.algorithm, choice.tile, choice.layout);
}
template <typename Stream>
static void describe(Stream &stream, StepSymbols &symbols) {
  stream(symbols.phases, symbols.measure, symbols.scratchBytes,
         symbols.sharedBytes, symbols.failure, symbols.choice,
         symbols.predictedCycles);
}
template <typename Stream>
static void describe(Stream &stream, StoredCode::Open &open) {
  stream(open.lengths, open.sizes, open.measures);
}
template <typename Stream>
static void describe(Stream &stream, StoredCode &stored) {
  stream(stored.features, stored.program, stored.steps, stored.symbols,
         stored.made.flat, stored.made.object);
  stream.last(stored.program.states);
  stream.last(stored.open);
  stream.last(stored.calls);
}

} // namespace glow::cpu

std::string cpu::describe(StoredCode stored) {
  if (!stored.steps.ports.empty())
    stored.calls = callsOf(stored.steps);
  if (stored.calls || isOpen(stored.program, stored.steps)) {
    // A field is there if a later one is.
    if (!stored.program.states)
      stored.program.states.emplace();
    StoredCode::Open &open = stored.open.emplace();
    open.lengths = lengthsOf(stored.program, stored.steps);
    open.sizes = stored.sizes;
    for (const StepSymbols &symbols : stored.symbols) {
      std::vector<std::string> &measures = open.measures.emplace_back();
      for (const StepSymbols::Phase &phase : symbols.phases)
        measures.push_back(phase.measure);
    }
  }
  ByteWriter writer;
  writer(stored);
  return writer.take();
}

static Status checkFeatures(const std::vector<std::string> &needed) {
  std::string missing = missingFeatures(
      needed, [](std::string_view name) { return hasFeature(name); });
  if (missing.empty())
    return Status();
  return failure(Code::Unsupported, "it needs a processor with ", missing,
                 ", which this one has not");
}

/// The most bytes that a step may take, so that sums do not overflow.
static constexpr int64_t mostBytes = int64_t(1) << 48;

/// Checks the members that StepDevice does not check when it loads a program.
static bool makesSense(const StoredCode &stored) {
  if (stored.symbols.size() != stored.steps.steps.size())
    return false;
  return std::all_of(
      stored.symbols.begin(), stored.symbols.end(), [](const StepSymbols &s) {
        int64_t least = s.failure.empty() ? 0 : 8;
        return s.scratchBytes >= 0 && s.scratchBytes < mostBytes &&
               s.sharedBytes >= least && s.sharedBytes < mostBytes &&
               std::all_of(
                   s.phases.begin(), s.phases.end(),
                   [](const auto &p) { return p.chunks >= 0; });
      });
}

/// Gives a program the sizes and calls that were stored apart; false if they do
/// not fit.
static bool setOpen(StoredCode &stored) {
  if (stored.calls && !setCalls(*stored.calls, stored.steps))
    return false;
  if (!stored.open)
    return true;
  const StoredCode::Open &open = *stored.open;
  if (open.measures.size() != stored.symbols.size() ||
      !setLengths(open.lengths, stored.program, stored.steps))
    return false;
  stored.sizes = open.sizes;
  for (size_t i = 0; i < stored.symbols.size(); ++i) {
    std::vector<StepSymbols::Phase> &phases = stored.symbols[i].phases;
    if (open.measures[i].size() != phases.size())
      return false;
    for (size_t j = 0; j < phases.size(); ++j)
      phases[j].measure = open.measures[i][j];
  }
  return true;
}

Result<StoredCode> cpu::readStored(const StoredProgram &stored) {
  StoredCode code;
  ByteReader reader(stored.description);
  reader(code);
  if (!reader.ok() || !makesSense(code) || !setOpen(code) ||
      !bindBlock(code.program, stored))
    return failure(Code::InvalidArgument, "the program in it is damaged");
  if (Status status = checkFeatures(code.features); !status.ok())
    return status;
  return code;
}

Result<Program> cpu::makeProgram(StoredCode stored, const SymbolFinder &find,
                                 std::shared_ptr<const void> image,
                                 const StoredProgram *from) {
  mayUseTiles(); // code for other processors asks in vain
  auto code = std::make_shared<CpuCode>();
  static_cast<StepCode &>(*code) = std::move(stored.steps);
  code->symbols = std::move(stored.symbols);
  code->sizes = std::move(stored.sizes);
  if (Status status = findSymbols(*code, find); !status.ok())
    return status;
  code->image = std::move(image);
  if (from) {
    code->description = from->description;
    code->descriptionOwner = from->owner;
  }
  stored.program.code = std::move(code);
  return std::move(stored.program);
}

/// Loads the functions of a stored program; the result owns them.
static Result<std::shared_ptr<const FlatImage>>
loadFlat(const StoredCode &code) {
  if (code.made.flat.bytes.empty())
    return Status(Code::Unsupported, "its code needs a linker");
  return FlatImage::load(code.made.flat);
}

/// Checks that this process has the kernels of steps without code of their own.
static Status checkKernels(const StoredCode &code) {
  for (size_t i = 0; i < code.symbols.size(); ++i) {
    const std::string &instruction = code.steps.steps[i].instruction;
    if (code.symbols[i].phases.empty() &&
        !KernelRegistry::instance().find(instruction))
      return failure(Code::NotFound, "there is no kernel for '", instruction,
                     "' here");
  }
  return Status();
}

Result<Program> cpu::readProgram(const StoredProgram &stored) {
  Result<StoredCode> code = readStored(stored);
  if (!code)
    return code.status();
  if (Status status = checkKernels(*code); !status.ok())
    return status;
  // A library that the system loaded has its functions; else the code is in the
  // description.
  if (stored.find)
    return makeProgram(code.take(), stored.find, stored.owner);
  Result<std::shared_ptr<const FlatImage>> image = loadFlat(*code);
  if (!image)
    return image.status();
  // Kernels that were precompiled are a part of this process, and the code that
  // was made calls them.
  auto find = [&](const std::string &symbol) {
    void *precompiled = findPrecompiled(symbol);
    return precompiled ? precompiled : (*image)->find(symbol);
  };
  return makeProgram(code.take(), find, *image, &stored);
}

/// The description of a program for other processes: the one that was read, or
/// one of the code that was made here.
static Result<std::string> writeProgram(const Program &program) {
  auto *code = dynamic_cast<const CpuCode *>(program.code.get());
  if (code && !code->description.empty())
    return std::string(code->description);
  if (code && code->made)
    return describe({program, *code, code->symbols, code->made->features,
                     *code->made, code->sizes});
  return Status(Code::Unsupported,
                "the code of a compiled file cannot be sent to another "
                "process; the model that it was made of can");
}

static RegisterProgramReader reader("cpu", readProgram, writeProgram);
