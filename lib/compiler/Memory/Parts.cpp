//===- Parts.cpp - buffers within other buffers ---------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Memory/Parts.h"
#include "glow/IR/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace glow::ir;

bool JoinedParts::puts(Operation *instr, AllocOp part) {
  // Parts of one instruction are queried one after the other. Without the
  // cache, a concatenation of many parts would be searched once for each.
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

/// Whether the buffer's first instruction takes its bytes from the place where
/// the buffer lies.
static bool isTaken(const Lifetimes &lifetimes, AllocOp part) {
  auto own = lifetimes.entries(part.getBuffer());
  if (own.empty())
    return false;
  Operation *instr = lifetimes.instrs()[own.front().position];
  return viewOf(instr, part.getBuffer()) ==
         View{part.getWhole(), *part.getFrom()};
}

/// Whether the caller provides a value in the buffer.
static bool isGiven(Value buffer) {
  auto binding = dyn_cast<BlockArgument>(buffer);
  return binding &&
         cast<FuncOp>(binding.getOwner()->getParentOp()).kindOf(binding) !=
             BindingKind::Output;
}

/// The instruction from which on both have the same bytes. If there is none,
/// `fault` describes the error.
static std::optional<unsigned> tieOf(const Lifetimes &lifetimes, AllocOp part,
                                     JoinedParts &parts, std::string &fault) {
  if (isTaken(lifetimes, part))
    return lifetimes.entries(part.getBuffer()).front().position;
  Value whole = part.getWhole();
  auto begin = lifetimes.entries(whole);
  Operation *instr =
      begin.empty() ? nullptr : lifetimes.instrs()[begin.front().position];
  std::string lies = llvm::formatv("lies within '{0}' from {1} on, but ",
                                   nameOf(whole), *part.getFrom());
  if (isGiven(whole))
    fault = lies + "that has a value when the program begins, which no "
                   "instruction takes from there [part-is-joined]";
  else if (!instr)
    fault = lies + "no instruction puts it there [part-is-joined]";
  else if (!begin.front().writes || !parts.puts(instr, part))
    fault = llvm::formatv("{0}'{1}', the first that uses it, does not put it "
                          "there [part-is-joined]",
                          lies, nameOf(instr));
  else
    return begin.front().position;
  return std::nullopt;
}

std::string glow::ir::faultOfPart(const Lifetimes &lifetimes, AllocOp part,
                                  JoinedParts &parts) {
  std::optional<Lifetimes::Range> use = lifetimes.range(part.getBuffer());
  if (!use)
    return "";
  std::string fault;
  std::optional<unsigned> tied = tieOf(lifetimes, part, parts, fault);
  if (!tied)
    return fault;
  Value whole = part.getWhole();
  if (lifetimes.inFlight(part.getBuffer()) ||
      lifetimes.writtenWithin(part.getBuffer(), *tied + 1, use->last))
    return llvm::formatv("is written after '{0}' has made it a part of '{1}' "
                         "[part-stays-as-it-is]",
                         nameOf(lifetimes.instrs()[*tied]), nameOf(whole));
  // A write that begins a larger whole is harmless: it puts this whole there.
  // Since a whole may be a part itself, all buffers around the part are
  // checked. Each must keep the bytes until the part's last use, from where it
  // holds the part on.
  for (unsigned after = *tied; whole;) {
    if (lifetimes.inFlight(whole) ||
        lifetimes.writtenWithin(whole, after + 1, use->last))
      return llvm::formatv(
          "is in use until '{0}', but '{1}', which has the same memory, is "
          "written before [part-stays-as-it-is]",
          nameOf(lifetimes.instrs()[use->last]), nameOf(whole));
    auto alloc = whole.getDefiningOp<AllocOp>();
    whole = alloc ? alloc.getWhole() : Value();
    if (whole && !lifetimes.entries(whole).empty())
      after = std::max(after, lifetimes.entries(whole).front().position);
  }
  return "";
}
