//===- VerifyPlacement.cpp - no two buffers in use overlap ----------------===//
//
// By a sweep over the program: the buffers in use are kept by their offset, so
// that a new one is compared with its neighbours alone.
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

/// A buffer, its place, and when it is in use.
struct Placed {
  AllocOp alloc;
  Lifetimes::Range use;

  uint64_t begin() const { return *AllocOp(alloc).getOffset(); }
  uint64_t end() const { return begin() + AllocOp(alloc).type().bytes(); }
  Value buffer() const { return AllocOp(alloc).getBuffer(); }
};

/// Walks through the program with the set of buffers that are in use.
class Checker {
public:
  Checker(FuncOp function, uint64_t alignment)
      : lifetimes(function), arenaBytes(function.getArenaBytes().value_or(0)),
        alignment(alignment) {
    collect(function);
  }

  bool run();

private:
  Lifetimes lifetimes;
  uint64_t arenaBytes, alignment;
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

/// What is wrong with the place of the buffer; nothing if it is in the arena,
/// or where the caller has it.
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
    return "has no place, but should have one in the arena [placed]";
  uint64_t offset = *alloc.getOffset(), bytes = alloc.type().bytes();
  if (offset % alignment != 0)
    return llvm::formatv("is at {0}, but should be at a multiple of {1} "
                         "[aligned]",
                         offset, alignment);
  if (offset > arenaBytes || bytes > arenaBytes - offset)
    return llvm::formatv("ends at {0}, but the arena has {1} bytes "
                         "[inside-arena]",
                         offset + bytes, arenaBytes);
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
    if (use && !alloc.type().getSpace() && checkPlace(alloc) &&
        alloc.type().bytes() > 0 && !alloc.getWhole())
      buffers.push_back({alloc, *use});
  }
  llvm::sort(buffers, [](const Placed &a, const Placed &b) {
    return std::pair(a.use.first, a.begin()) <
           std::pair(b.use.first, b.begin());
  });
}

/// One that ends where the other begins may leave it its memory.
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
  // Buffers in use do not overlap each other: of those that begin before, only
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
  // Those in use by when they end, the next one last.
  auto later = [](const Placed &a, const Placed &b) {
    return a.use.last > b.use.last;
  };
  std::vector<Placed> ends;
  for (const Placed &placed : buffers) {
    while (!ends.empty() && ends.front().use.last < placed.use.first) {
      auto found = live.find(ends.front().begin());
      // Another buffer may have taken its place in the step in which it ended.
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

LogicalResult verifyPlacement(FuncOp function, uint64_t alignment) {
  return success(Checker(function, alignment).run());
}

namespace {

/// Checks offsets against lifetimes.
///
/// Pinned after place-buffers, which runs the same check itself; it is the door
/// of the room, and a test of plans made elsewhere.
/// Ends because it visits each buffer once.
struct VerifyPlacement : impl::VerifyPlacementBase<VerifyPlacement> {
  using VerifyPlacementBase::VerifyPlacementBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(verifyPlacement(getOperation(), alignment)))
      signalPassFailure();
  }
};

} // namespace
} // namespace glow::ir
