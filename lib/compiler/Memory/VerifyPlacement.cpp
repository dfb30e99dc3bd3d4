//===- VerifyPlacement.cpp - no two buffers in use overlap ----------------===//
// SPDX-License-Identifier: MIT
//
// A sweep over the program keeps the buffers in use by their offset, so that a
// new buffer is compared with its neighbours only.
//
//===----------------------------------------------------------------------===//

#include "glow/IR/Lifetimes.h"
#include "glow/IR/Names.h"
#include "glow/Memory/Parts.h"
#include "glow/Memory/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;

namespace glow::ir {

#define GEN_PASS_DEF_VERIFYPLACEMENT
#include "glow/Memory/Passes.h.inc"

namespace {

/// A buffer with its offset and lifetime.
struct Placed {
  AllocOp alloc;
  Lifetimes::Range use;

  uint64_t begin() const { return *AllocOp(alloc).getOffset(); }
  uint64_t end() const { return begin() + AllocOp(alloc).type().bytes(); }
  Value buffer() const { return AllocOp(alloc).getBuffer(); }
};

/// Sweeps over the program with the set of buffers in use in one memory.
/// `memory` has the bytes that the function declares as used.
class Checker {
public:
  Checker(FuncOp function, const Lifetimes &lifetimes, MemorySpace memory)
      : lifetimes(lifetimes), memory(std::move(memory)) {
    collect(function);
  }

  bool run();

private:
  const Lifetimes &lifetimes;
  MemorySpace memory;
  std::vector<Placed> buffers;     ///< by the first instruction
  std::map<uint64_t, Placed> live; ///< by the offset
  mutable JoinedParts joined;
  bool wrong = false;

  void collect(FuncOp function);
  std::string describeFault(AllocOp alloc) const;
  std::string describeFaultOfPart(AllocOp part) const;
  bool checkPlace(AllocOp alloc);
  void begin(const Placed &placed);
  bool makesWay(const Placed &placed, const Placed &other) const;
  void refuse(const Placed &placed, const Placed &other);
};

} // namespace

/// The error in the offset of the buffer; empty if the offset is valid, or if
/// the buffer lies in the caller's memory.
std::string Checker::describeFault(AllocOp alloc) const {
  Value outermost = alloc.outermost().first;
  if (isa<BlockArgument>(outermost)) {
    if (!alloc.getOffset())
      return faultOfPart(lifetimes, alloc, joined);
    return llvm::formatv("is at {0} in the arena, but lies within '{1}', which "
                         "is the caller's [part-in-its-place]",
                         *alloc.getOffset(), nameOf(outermost));
  }
  if (!alloc.getOffset())
    return llvm::formatv("has no place, but should have one in {0} [placed]",
                         describeMemory(memory.name));
  uint64_t offset = *alloc.getOffset(), bytes = alloc.type().bytes();
  if (offset % memory.alignment != 0)
    return llvm::formatv("is at {0}, but should be at a multiple of {1} "
                         "[aligned]",
                         offset, memory.alignment);
  if (offset > memory.bytes || bytes > memory.bytes - offset)
    return llvm::formatv("ends at {0}, but {1} has {2} bytes [inside-arena]",
                         offset + bytes, describeMemory(memory.name),
                         memory.bytes);
  return alloc.getWhole() ? describeFaultOfPart(alloc) : "";
}

std::string Checker::describeFaultOfPart(AllocOp part) const {
  auto whole = part.getWhole().getDefiningOp<AllocOp>();
  uint64_t begin = whole.getOffset().value_or(0) + *part.getFrom();
  if (*part.getOffset() != begin)
    return llvm::formatv("is at {0}, but lies within '{1}' from {2} on "
                         "[part-in-its-place]",
                         *part.getOffset(), nameOf(whole.getBuffer()), begin);
  return faultOfPart(lifetimes, part, joined);
}

bool Checker::checkPlace(AllocOp alloc) {
  std::string fault = describeFault(alloc);
  if (fault.empty())
    return true;
  alloc.emitOpError() << "of '" << nameOf(alloc.getBuffer()) << "' " << fault;
  wrong = true;
  return false;
}

void Checker::collect(FuncOp function) {
  for (AllocOp alloc : function.block().getOps<AllocOp>()) {
    auto use = lifetimes.range(alloc.getBuffer());
    if (use && memoryOf(alloc.getBuffer()) == memory.name &&
        checkPlace(alloc) && alloc.type().bytes() > 0 && !alloc.getWhole())
      buffers.push_back({alloc, *use});
  }
  llvm::sort(buffers, [](const Placed &a, const Placed &b) {
    return std::pair(a.use.first, a.begin()) <
           std::pair(b.use.first, b.begin());
  });
}

/// Whether a buffer that ends where the other begins may leave its memory to
/// it.
bool Checker::makesWay(const Placed &placed, const Placed &other) const {
  return other.use.last == placed.use.first &&
         other.begin() == placed.begin() &&
         mayWorkInPlace(lifetimes.instrs()[placed.use.first], other.buffer(),
                        placed.buffer());
}

void Checker::refuse(const Placed &placed, const Placed &other) {
  wrong = true;
  InFlightDiagnostic error = AllocOp(placed.alloc).emitOpError();
  error << "of '" << nameOf(placed.buffer()) << "' has bytes " << placed.begin()
        << " to " << placed.end() << ", but '" << nameOf(other.buffer())
        << "' has " << other.begin() << " to " << other.end() << " until '"
        << nameOf(lifetimes.instrs()[other.use.last]) << "' [no-overlap]";
  error.attachNote(AllocOp(other.alloc).getLoc())
      << "'" << nameOf(other.buffer()) << "' is here";
}

void Checker::begin(const Placed &placed) {
  auto other = live.lower_bound(placed.begin());
  // Buffers in use do not overlap each other. So among earlier buffers, only
  // the last may reach this one.
  if (other != live.begin() && std::prev(other)->second.end() > placed.begin())
    --other;
  while (other != live.end() && other->first < placed.end()) {
    if (!makesWay(placed, other->second))
      return refuse(placed, other->second);
    other = live.erase(other);
  }
  live.emplace(placed.begin(), placed);
}

bool Checker::run() {
  // A heap of the buffers in use; its front ends next.
  auto later = [](const Placed &a, const Placed &b) {
    return a.use.last > b.use.last;
  };
  std::vector<Placed> ends;
  for (const Placed &placed : buffers) {
    while (!ends.empty() && ends.front().use.last < placed.use.first) {
      auto found = live.find(ends.front().begin());
      // Another buffer may have taken over the memory in the step of the end.
      if (found != live.end() && found->second.alloc == ends.front().alloc)
        live.erase(found);
      std::pop_heap(ends.begin(), ends.end(), later);
      ends.pop_back();
    }
    begin(placed);
    ends.push_back(placed);
    std::push_heap(ends.begin(), ends.end(), later);
  }
  return !wrong;
}

/// Each buffer in use is in the arena, or in a memory that exists.
static LogicalResult checkMemories(FuncOp function, const Lifetimes &lifetimes,
                                   ArrayRef<MemorySpace> memories) {
  auto isKnown = [&](StringRef name) {
    return name.empty() ||
           llvm::any_of(memories, [&](const MemorySpace &memory) {
             return memory.name == name;
           });
  };
  for (AllocOp alloc : function.block().getOps<AllocOp>()) {
    StringRef name = memoryOf(alloc.getBuffer());
    if (isKnown(name) || !lifetimes.range(alloc.getBuffer()))
      continue;
    InFlightDiagnostic error = alloc.emitOpError();
    error << "of '" << nameOf(alloc.getBuffer()) << "' is in memory '" << name
          << "', but should be in the arena";
    for (const MemorySpace &memory : memories)
      error << " or '" << memory.name << "'";
    return error << " [known-memory]";
  }
  return success();
}

/// The bytes of a memory that the function declares as used.
static FailureOr<uint64_t> usedOf(FuncOp function, const MemorySpace &memory) {
  DictionaryAttr all = function.getMemoryBytesAttr();
  auto bytes = all ? all.getAs<IntegerAttr>(memory.name) : IntegerAttr();
  if (!bytes)
    return uint64_t(0);
  if (uint64_t(bytes.getInt()) > memory.bytes)
    return function.emitOpError("uses ")
           << bytes.getInt() << " bytes of memory '" << memory.name
           << "', which has " << memory.bytes << " [fits-memory]";
  return uint64_t(bytes.getInt());
}

LogicalResult verifyPlacement(FuncOp function, uint64_t alignment,
                              ArrayRef<MemorySpace> memories) {
  Lifetimes lifetimes(function);
  if (failed(checkMemories(function, lifetimes, memories)))
    return failure();
  bool right = Checker(function, lifetimes,
                       {"", function.getArenaBytes().value_or(0), alignment})
                   .run();
  for (const MemorySpace &memory : memories) {
    FailureOr<uint64_t> used = usedOf(function, memory);
    right &= succeeded(used) && Checker(function, lifetimes,
                                        {memory.name, *used, memory.alignment})
                                    .run();
  }
  return success(right);
}

namespace {

/// Checks offsets against lifetimes.
///
/// Pinned after place-buffers, which runs the same check itself. This pass
/// verifies the phase, and tests plans made elsewhere. Ends because it visits
/// each buffer once.
struct VerifyPlacement : impl::VerifyPlacementBase<VerifyPlacement> {
  using VerifyPlacementBase::VerifyPlacementBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    FailureOr<std::vector<MemorySpace>> spaces =
        memorySpacesOf(getOperation(), memories);
    if (failed(spaces) ||
        failed(verifyPlacement(getOperation(), alignment, *spaces)))
      signalPassFailure();
  }
};

} // namespace
} // namespace glow::ir
