//===- Bundle.h - programs that run without a compiler --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A bundle has one block of constants, which its entry points share, and for
// each entry point two regions that the caller provides: inputs and outputs,
// and memory for everything in between. An entry point is a function of C,
//
//   int name(const uint8_t *constants, uint8_t *mutable, uint8_t *activations)
//
// The function runs all steps on the calling thread. The block ends with a
// hash, by which an entry point refuses the constants of other bundles. An
// entry point of open sizes has a fourth parameter, the sizes of the run
// (EntrySizes.h), and writes the computed sizes there. Regions and offsets are
// made for the greatest sizes; the elements of a run are dense.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_AOT_BUNDLE_H
#define GLOW_BACKENDS_CPU_AOT_BUNDLE_H

#include "aot/c/PrintC.h"
#include "compile/Native.h"
#include "device/StepMemory.h"
#include "glow/Program/Emit.h"

namespace glow::cpu {

/// Statuses that entry points return; the header has the same.
enum BundleStatus : uint32_t { Success, WrongValue, WrongWeights, WrongSizes };

/// The memory layout of an entry point; offsets in bytes.
struct BundleEntry {
  std::string name; ///< a C identifier
  NativeProgram native;
  std::vector<uint64_t> constants;       ///< offsets in the bundle's block
  std::vector<uint64_t> inputs, outputs; ///< offsets in the mutable region
  uint64_t mutableBytes = 0;
  StepMemory memory; ///< offsets in the activations
  uint64_t activationBytes = 0;
  /// The variables whose values the caller gives, in the order of the inputs'
  /// dimensions, and those that steps compute, in the order of the steps. Both
  /// are empty for fixed sizes.
  std::vector<SizeVariable> sizes, computed;

  /// Whether the function takes sizes.
  bool isOpen() const { return !sizes.empty() || !computed.empty(); }
};

/// The sizes of a run: `lengths`, or those of the type where all runs have
/// them.
std::vector<Length> sizesOf(const TensorType &type,
                            const std::vector<Length> &lengths);

struct Bundle {
  std::string name;
  std::vector<BundleEntry> entries;
  std::string constants; ///< the block; equal constants are there once
  /// Alignment of each region, and of each tensor in it, in bytes.
  uint64_t alignment;
  /// Hash of the constants and their places: the last 8 bytes of the block. 0
  /// for a bundle without constants, which takes any block.
  uint64_t hash;
};

/// Assigns all offsets and collects the sizes of runs. Fails with
/// Code::Unsupported, naming every step of every entry that only the
/// interpreter can run.
Result<Bundle> layOut(std::string name, std::vector<BundleEntry> entries,
                      uint64_t alignment);

/// A row of an entry point's table of symbols.
struct BundleSymbol {
  std::string name;
  uint64_t offset; ///< in bytes, in its region
  uint64_t elements;
  bool isConstant; ///< else an input or an output
};
std::vector<BundleSymbol> symbolsOf(const BundleEntry &entry);

/// Adds the function of an entry point to the module. If `bundle` is not null,
/// the function checks that its constants are those of the bundle.
void emitEntry(CodeModule &module, const BundleEntry &entry,
               const Bundle *bundle);

/// The number of dimensions of each input and output, in the order of symbols.
std::vector<uint64_t> ranksOf(const BundleEntry &entry);

/// Adds the symbol table of an entry point, `<entry>_config`, and the table of
/// its open sizes, `<entry>_sizes`. Their sizes are size_t of the module's data
/// layout.
void emitConfig(CodeModule &module, const Bundle &bundle,
                const BundleEntry &entry);

/// Adds the constants, `<bundle>_weights`. With `asZeros` they are zeros in a
/// separate section of the object, which `fillConstants` fills: LLVM would hold
/// them in memory several times.
void emitConstants(CodeModule &module, const Bundle &bundle, bool asZeros);
Status fillConstants(std::string &object, const Bundle &bundle);

/// The functions of a bundle as C declares them, by name.
CSignatures signaturesOf(const Bundle &bundle, const EmitRequest &request);

/// The tables and constants that the header declares, as C.
std::string bundleData(const Bundle &bundle, const EmitRequest &request);

/// The header for users of the bundle.
std::string bundleHeader(const Bundle &bundle, const EmitRequest &request);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_BUNDLE_H
