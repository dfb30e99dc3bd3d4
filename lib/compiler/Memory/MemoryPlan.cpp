//===- MemoryPlan.cpp - report of a memory plan ---------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Memory/MemoryPlan.h"
#include "glow/Base/OneLine.h"
#include "glow/IR/Lifetimes.h"
#include "glow/IR/MemorySpace.h"
#include "glow/IR/Names.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace glow::ir;

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
                      "live       {1,14} bytes, the most at once\n"
                      "constants  {2,14} bytes\n"
                      "bound      {3,14} bytes, of the caller\n",
                      arenaBytes, liveBytes, constantBytes, boundBytes);
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
