//===- MemoryPlan.cpp - report of a memory plan ---------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Memory/MemoryPlan.h"
#include "Slots.h"
#include "glow/Base/OneLine.h"
#include "glow/IR/BufferLengths.h"
#include "glow/IR/Lifetimes.h"
#include "glow/IR/MemorySpace.h"
#include "glow/IR/Names.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace glow::ir;

static int64_t middleOf(const glow::SizeVariable &size) {
  return (size.low + size.high) / 2 / size.multiple * size.multiple;
}

static int64_t leastOf(const glow::SizeVariable &size) { return size.low; }

using ValueOf = int64_t (*)(const glow::SizeVariable &);

/// The bytes of a buffer for some sizes.
static uint64_t bytesFor(ValueOf sizes, BufferType type) {
  const std::vector<glow::Length> lengths = lengthsOf(type);
  const int64_t elements = type.getTensor().getNumElements();
  if (lengths.empty() || elements == 0)
    return type.bytes();
  uint64_t bytes = type.bytes() / uint64_t(elements);
  for (const glow::Length &length : lengths)
    bytes *= uint64_t(length.at(sizes));
  return bytes;
}

/// The peak of these.
static uint64_t peakFor(ValueOf sizes, FuncOp function,
                        const Lifetimes &lifetimes) {
  std::vector<glow::Interval> intervals;
  for (const Slot &slot : slotsOf(function, lifetimes, "")) {
    uint64_t bytes = 0;
    for (AllocOp alloc : slot.buffers)
      bytes = std::max(bytes, bytesFor(sizes, alloc.type()));
    intervals.push_back({bytes, slot.first, slot.last});
  }
  return glow::largestLiveSum(intervals, /*alignment=*/1);
}

static bool isOpen(mlir::Value buffer) {
  return !lengthsOf(cast<BufferType>(buffer.getType())).empty();
}

/// Adds the memory of other sizes than the greatest.
static void addOpenBytes(FuncOp function, const Lifetimes &lifetimes,
                         MemoryPlan &plan) {
  const bool hasOpen =
      llvm::any_of(function.block().getOps<AllocOp>(),
                   [](AllocOp alloc) { return isOpen(alloc.getBuffer()); });
  if (hasOpen)
    plan.middleBytes = peakFor(middleOf, function, lifetimes);
  if (!hasOpen && llvm::none_of(function.bindings(), isOpen))
    return;
  plan.least = {peakFor(leastOf, function, lifetimes), 0};
  for (BlockArgument binding : function.bindings())
    if (function.kindOf(binding) != BindingKind::Constant)
      plan.least->boundBytes +=
          bytesFor(leastOf, cast<BufferType>(binding.getType()));
}

MemoryPlan MemoryPlan::of(FuncOp function) {
  MemoryPlan plan;
  plan.arenaBytes = function.getArenaBytes().value_or(0);
  plan.liveBytes = function.getLiveBytes().value_or(0);
  if (DictionaryAttr used = function.getMemoryBytesAttr())
    for (NamedAttribute memory : used)
      plan.memories.push_back(
          {memory.getName().str(),
           uint64_t(cast<IntegerAttr>(memory.getValue()).getInt())});
  if (DictionaryAttr sums = function.getCyclesAttr())
    for (NamedAttribute sum : sums)
      plan.cycles.push_back(
          {sum.getName().str(),
           uint64_t(cast<IntegerAttr>(sum.getValue()).getInt())});
  for (BlockArgument binding : function.bindings()) {
    bool constant = function.kindOf(binding) == BindingKind::Constant;
    (constant ? plan.constantBytes : plan.boundBytes) +=
        cast<BufferType>(binding.getType()).bytes();
  }

  Lifetimes lifetimes(function);
  addOpenBytes(function, lifetimes, plan);
  auto useOf = [&](AllocOp alloc) {
    return lifetimes.range(alloc.getBuffer());
  };
  std::vector<AllocOp> placed;
  for (AllocOp alloc : function.block().getOps<AllocOp>())
    if (alloc.getOffset() && useOf(alloc))
      placed.push_back(alloc);
  std::ranges::sort(placed, {}, [&](AllocOp alloc) {
    // Sorted by offset, then by time: rows of one offset follow each other in
    // the order of use.
    return std::tuple(memoryOf(alloc.getBuffer()), *alloc.getOffset(),
                      useOf(alloc)->first);
  });
  for (AllocOp alloc : placed)
    plan.rows.push_back({nameOf(alloc.getBuffer()), textOf(alloc.type()),
                         *alloc.getOffset(), alloc.type().bytes(),
                         nameOf(lifetimes.instrs()[useOf(alloc)->first]),
                         nameOf(lifetimes.instrs()[useOf(alloc)->last])});
  return plan;
}

/// The cells of a line; the two in the middle are numbers.
using Line = std::array<std::string, 6>;

static void printLine(llvm::raw_ostream &os, const Line &line,
                      const std::array<size_t, 6> &widths) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    bool number = i == 2 || i == 3;
    std::string space(widths[i] - line[i].size(), ' ');
    text += (i ? "  " : "") + (number ? space + line[i] : line[i] + space);
  }
  os << llvm::StringRef(text).rtrim() << "\n";
}

void MemoryPlan::print(llvm::raw_ostream &os) const {
  os << llvm::formatv("arena      {0,14} bytes\n"
                      "live       {1,14} bytes, the most at once\n",
                      arenaBytes, liveBytes);
  if (middleBytes)
    os << llvm::formatv(
        "middle     {0,14} bytes, the most at once for sizes in "
        "the middle of their ranges\n",
        *middleBytes);
  os << llvm::formatv("constants  {0,14} bytes\n"
                      "bound      {1,14} bytes, of the caller\n",
                      constantBytes, boundBytes);
  for (const Memory &memory : memories)
    os << llvm::formatv("{0,-10} {1,14} bytes, of its memory\n", memory.name,
                        memory.bytes);
  for (const Cycles &sum : cycles)
    os << llvm::formatv("{0,-10} {1,14} cycles, predicted\n", sum.name,
                        sum.count);
  if (rows.empty())
    return;
  std::vector<Line> lines = {
      {"buffer", "type", "offset", "bytes", "first", "last"}};
  for (const Row &row : rows)
    lines.push_back({oneLine(row.name), row.type, std::to_string(row.offset),
                     std::to_string(row.bytes), oneLine(row.first),
                     oneLine(row.last)});
  std::array<size_t, 6> widths = {};
  for (const Line &line : lines)
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  os << "\n";
  for (const Line &line : lines)
    printLine(os, line, widths);
}
