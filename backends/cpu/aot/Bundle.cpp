//===- Bundle.cpp - where a bundle keeps what -----------------------------===//

#include "Bundle.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace glow;
using namespace glow::cpu;

static uint64_t roundUp(uint64_t bytes) {
  return llvm::alignTo(bytes, bundleAlignment);
}

/// C has no arrays of no bytes.
static uint64_t regionBytes(uint64_t bytes) {
  return std::max(roundUp(bytes), bundleAlignment);
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
  explicit ConstantBlock(uint64_t mostBytes) { block.reserve(mostBytes); }

  uint64_t add(const Constant &constant) {
    llvm::StringRef bytes(static_cast<const char *>(constant.data),
                          constant.type.bytes());
    auto [first, last] = places.equal_range(llvm::xxh3_64bits(bytes));
    for (auto place = first; place != last; ++place)
      if (llvm::StringRef(block).substr(place->second, bytes.size()) == bytes)
        return place->second;
    uint64_t offset = block.size();
    block.append(bytes.data(), bytes.size());
    block.resize(roundUp(block.size()));
    places.emplace(llvm::xxh3_64bits(bytes), offset);
    return offset;
  }
  std::string take() {
    block.resize(regionBytes(block.size()));
    return std::move(block);
  }

private:
  std::string block;
  std::multimap<uint64_t, uint64_t> places; // hash to offset
};

} // namespace

/// If none is there twice.
static uint64_t bytesOfConstants(const std::vector<BundleEntry> &entries) {
  uint64_t bytes = bundleAlignment;
  for (const BundleEntry &entry : entries)
    for (const Constant &constant : entry.native.program.constants)
      bytes += roundUp(constant.type.bytes());
  return bytes;
}

static void placeTensors(const std::vector<Binding> &bindings,
                         std::vector<uint64_t> &offsets, uint64_t &end) {
  for (const Binding &binding : bindings) {
    offsets.push_back(end);
    end = roundUp(end + binding.type.bytes());
  }
}

Result<Bundle> cpu::layOut(std::string name, std::vector<BundleEntry> entries) {
  std::string without;
  for (const BundleEntry &entry : entries)
    if (std::string names = stepsWithoutCode(entry); !names.empty())
      without += (without.empty() ? "" : ", ") + names;
  if (!without.empty())
    return Status(Code::Unsupported,
                  "only the interpreter runs " + without +
                      "; without it, every node should have machine code");
  ConstantBlock block(bytesOfConstants(entries));
  for (BundleEntry &entry : entries) {
    Program &program = entry.native.program;
    for (Constant &constant : program.constants) {
      entry.constants.push_back(block.add(constant));
      // The other one is not read again.
      constant.data = nullptr;
      constant.owner.reset();
    }
    placeTensors(program.inputs, entry.inputs, entry.mutableBytes);
    placeTensors(program.outputs, entry.outputs, entry.mutableBytes);
    entry.mutableBytes = regionBytes(entry.mutableBytes);
    entry.memory = placeStepMemory(entry.native.steps, entry.native.symbols,
                                   program.arenaBytes, 1);
    entry.activationBytes = regionBytes(entry.memory.arenaBytes);
  }
  return Bundle{std::move(name), std::move(entries), block.take()};
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
