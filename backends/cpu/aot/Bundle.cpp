//===- Bundle.cpp - layout of a bundle's constants ------------------------===//
// SPDX-License-Identifier: MIT

#include "Bundle.h"
#include "glow/Program/SizeValues.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <set>

using namespace glow;
using namespace glow::cpu;

/// The size of a region, at least one alignment: C has no empty arrays.
static uint64_t regionBytes(uint64_t bytes, uint64_t alignment) {
  return std::max(llvm::alignTo(bytes, alignment), alignment);
}

/// Steps that would need the interpreter, as "'node' (instruction)".
static std::string stepsWithoutCode(const BundleEntry &entry) {
  std::string names;
  for (auto [step, symbols] :
       llvm::zip(entry.native.steps.steps, entry.native.symbols))
    if (symbols.phases.empty())
      names += (names.empty() ? "'" : ", '") + step.node + "' (" +
               step.instruction + ")";
  return names;
}

namespace {

/// The block of constants. Entries made of the same model share theirs.
class ConstantBlock {
public:
  ConstantBlock(uint64_t mostBytes, uint64_t alignment) : alignment(alignment) {
    block.reserve(mostBytes);
  }

  uint64_t add(const Constant &constant) {
    llvm::StringRef bytes(static_cast<const char *>(constant.data),
                          constant.type.bytes());
    auto [first, last] = places.equal_range(llvm::xxh3_64bits(bytes));
    for (auto place = first; place != last; ++place)
      if (llvm::StringRef(block).substr(place->second, bytes.size()) == bytes)
        return place->second;
    uint64_t offset = block.size();
    block.append(bytes.data(), bytes.size());
    block.resize(llvm::alignTo(block.size(), alignment));
    places.emplace(llvm::xxh3_64bits(bytes), offset);
    return offset;
  }
  /// The block, which ends with its hash.
  std::string take(uint64_t hash) {
    block.resize(llvm::alignTo(block.size() + sizeof hash, alignment));
    llvm::support::endian::write64le(block.data() + block.size() - sizeof hash,
                                     hash);
    return std::move(block);
  }
  llvm::StringRef bytes() const { return block; }

private:
  const uint64_t alignment;
  std::string block;
  std::multimap<uint64_t, uint64_t> places; // hash to offset
};

} // namespace

/// The size of the block of constants if no two constants are equal.
static uint64_t bytesOfConstants(const std::vector<BundleEntry> &entries,
                                 uint64_t alignment) {
  uint64_t bytes = 2 * alignment; // for the hash
  for (const BundleEntry &entry : entries)
    for (const Constant &constant : entry.native.program.constants)
      bytes += llvm::alignTo(constant.type.bytes(), alignment);
  return bytes;
}

/// The hash of the constants and of their places in the block.
static uint64_t hashOf(llvm::StringRef constants,
                       const std::vector<BundleEntry> &entries) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::xxh3_64bits(constants) << ' ' << constants.size();
  for (const BundleEntry &entry : entries)
    for (uint64_t place : entry.constants)
      os << ' ' << place;
  return llvm::xxh3_64bits(text);
}

static void placeTensors(const std::vector<Binding> &bindings,
                         std::vector<uint64_t> &offsets, uint64_t &end,
                         uint64_t alignment) {
  for (const Binding &binding : bindings) {
    offsets.push_back(end);
    end = llvm::alignTo(end + binding.type.bytes(), alignment);
  }
}

std::vector<Length> cpu::sizesOf(const TensorType &type,
                                 const std::vector<Length> &lengths) {
  return lengths.empty()
             ? std::vector<Length>(type.shape.begin(), type.shape.end())
             : lengths;
}

/// Finds the variables of an entry's sizes.
static void findSizes(BundleEntry &entry) {
  for (const Binding &input : entry.native.program.inputs)
    for (const Length &length : input.lengths)
      length.visitVariables([&](const SizeVariable &variable) {
        if (!llvm::is_contained(entry.sizes, variable))
          entry.sizes.push_back(variable);
      });
  for (const Step &step : entry.native.steps.steps)
    if (step.lengthFrom && step.lengthFrom->length.variable())
      entry.computed.push_back(*step.lengthFrom->length.variable());
}

/// A name that two functions of the bundle would have; "" for none.
static std::string repeatedName(const std::vector<BundleEntry> &entries) {
  std::set<std::string> names;
  for (const BundleEntry &entry : entries)
    for (const char *suffix : {"", "_mistake", "_measure", "_sizes"})
      if ((!*suffix || entry.isOpen()) &&
          !names.insert(entry.name + suffix).second)
        return entry.name + suffix;
  return "";
}

Result<Bundle> cpu::layOut(std::string name, std::vector<BundleEntry> entries,
                           uint64_t alignment) {
  std::string without;
  for (const BundleEntry &entry : entries)
    if (std::string names = stepsWithoutCode(entry); !names.empty())
      without += (without.empty() ? "" : ", ") + names;
  if (!without.empty())
    return Status(Code::Unsupported,
                  "only the interpreter runs " + without +
                      "; without it, every node should have machine code");
  for (BundleEntry &entry : entries)
    findSizes(entry);
  if (std::string twice = repeatedName(entries); !twice.empty())
    return Status(Code::InvalidArgument, "there are two functions '" + twice +
                                             "': give an entry "
                                             "another name");
  ConstantBlock block(bytesOfConstants(entries, alignment), alignment);
  for (BundleEntry &entry : entries) {
    Program &program = entry.native.program;
    for (Constant &constant : program.constants) {
      entry.constants.push_back(block.add(constant));
      // The entry's own copy is not read again.
      constant.data = nullptr;
      constant.owner.reset();
    }
    placeTensors(program.inputs, entry.inputs, entry.mutableBytes, alignment);
    placeTensors(program.outputs, entry.outputs, entry.mutableBytes, alignment);
    entry.mutableBytes = regionBytes(entry.mutableBytes, alignment);
    entry.memory = placeStepMemory(entry.native.steps, entry.native.symbols,
                                   program.arenaBytes, 1);
    entry.activationBytes = regionBytes(entry.memory.arenaBytes, alignment);
  }
  uint64_t hash = block.bytes().empty() ? 0 : hashOf(block.bytes(), entries);
  return Bundle{std::move(name), std::move(entries), block.take(hash),
                alignment, hash};
}

std::vector<BundleSymbol> cpu::symbolsOf(const BundleEntry &entry) {
  const Program &program = entry.native.program;
  std::vector<BundleSymbol> symbols;
  auto add = [&](const auto &values, const std::vector<uint64_t> &offsets,
                 bool isConstant) {
    for (auto [value, offset] : llvm::zip(values, offsets))
      symbols.push_back(
          {value.name, offset, uint64_t(value.type.elements()), isConstant});
  };
  add(program.inputs, entry.inputs, false);
  add(program.outputs, entry.outputs, false);
  add(program.constants, entry.constants, true);
  return symbols;
}

std::vector<uint64_t> cpu::ranksOf(const BundleEntry &entry) {
  std::vector<uint64_t> ranks;
  const Program &program = entry.native.program;
  for (const auto *bindings : {&program.inputs, &program.outputs})
    for (const Binding &binding : *bindings)
      ranks.push_back(binding.type.shape.size());
  return ranks;
}
