//===- Parts.cpp - buffers that lie within another ------------------------===//

#include "glow/Memory/Parts.h"
#include "glow/IR/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace glow::ir;

bool JoinedParts::puts(Operation *instr, AllocOp part) {
  // Parts of one instruction are asked for one after the other: a concatenation
  // of many would else be gone through once for each.
  if (instr != last) {
    places.clear();
    for (const Joined &joined : joinedBy(instr))
      places[joined.part].push_back(joined.from);
    last = instr;
  }
  auto found = places.find(part.getBuffer());
  return found != places.end() &&
         llvm::is_contained(found->second, *part.getFrom());
}

std::string glow::ir::faultOfPart(const Lifetimes &lifetimes, AllocOp part,
                                  JoinedParts &parts) {
  Value whole = part.getWhole();
  auto begin = lifetimes.entries(whole);
  std::optional<Lifetimes::Range> use = lifetimes.range(part.getBuffer());
  if (begin.empty() || !use)
    return "";
  unsigned joined = begin.front().position;
  Operation *instr = lifetimes.instrs()[joined];
  if (!begin.front().writes || !parts.puts(instr, part))
    return llvm::formatv("lies within '{0}' from {1} on, but '{2}', the first "
                         "that uses it, does not put it there [part-is-joined]",
                         nameOf(whole), *part.getFrom(), nameOf(instr));
  if (lifetimes.inFlight(part.getBuffer()) ||
      lifetimes.writtenWithin(part.getBuffer(), joined + 1, use->last))
    return llvm::formatv("is written after '{0}' has made it a part of '{1}' "
                         "[part-stays-as-it-is]",
                         nameOf(instr), nameOf(whole));
  // What a larger whole begins with changes nothing: it puts this one there.
  // A whole may be a part itself: whatever has these bytes must leave them
  // alone until the last use of the part, from where it holds the part on.
  for (unsigned after = joined; whole;) {
    if (lifetimes.inFlight(whole) ||
        lifetimes.writtenWithin(whole, after + 1, use->last))
      return llvm::formatv(
          "is in use until '{0}', but '{1}', which has the same memory, is "
          "written before [part-stays-as-it-is]",
          nameOf(lifetimes.instrs()[use->last]), nameOf(whole));
    whole = whole.getDefiningOp<AllocOp>().getWhole();
    if (whole && !lifetimes.entries(whole).empty())
      after = lifetimes.entries(whole).front().position;
  }
  return "";
}
