//===- Appending.cpp - rows that stay where they are ----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Memory/Appending.h"
#include "glow/IR/Access.h"
#include "glow/IR/Names.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace glow::ir;

/// The storage that the buffer begins with; "" for a buffer of the arena, or
/// that begins later.
static StringRef storageAt(FuncOp function, Value buffer) {
  uint64_t from = 0;
  if (auto alloc = buffer.getDefiningOp<AllocOp>())
    std::tie(buffer, from) = alloc.outermost();
  auto binding = dyn_cast<BlockArgument>(buffer);
  return binding && from == 0 ? function.storageOf(binding) : StringRef();
}

static bool isWithin(FuncOp function, Value buffer, StringRef storage) {
  if (auto alloc = buffer.getDefiningOp<AllocOp>())
    buffer = alloc.outermost().first;
  auto binding = dyn_cast<BlockArgument>(buffer);
  return binding && function.storageOf(binding) == storage;
}

std::string glow::ir::faultOfAppending(FuncOp function, StringRef input,
                                       StringRef output) {
  unsigned joins = 0;
  for (Operation &instr : function.block()) {
    if (!isInstr(&instr))
      continue;
    for (const Access &access : accessesOf(&instr).buffers) {
      if (!access.writes || !isWithin(function, access.buffer(), output))
        continue;
      // A view in place writes nothing.
      if (Value viewed = sameBytesAsResult(&instr);
          viewed && storageAt(function, viewed) == output &&
          storageAt(function, access.buffer()) == output)
        continue;
      SmallVector<Joined> joined = joinedBy(&instr);
      if (joined.size() < 2 || storageAt(function, access.buffer()) != output ||
          storageAt(function, joined.front().part) != input)
        return llvm::formatv("'{0}' writes output '{1}', but does not join "
                             "input '{2}' and new rows [appends-in-place]",
                             nameOf(&instr), output, input);
      ++joins;
    }
  }
  return joins == 1 ? ""
                    : llvm::formatv("{0} instructions append to '{1}', one "
                                    "should [appends-in-place]",
                                    joins, output)
                          .str();
}
