//===- Loops.cpp - the loops of an instruction ----------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Loops.h"
#include "InfoTable.h"
#include "glow/Graph/Shape.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "glow/IR/Scan.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace glow;
using namespace mlir;

void ir::registerLoops(std::span<const LoopsInfo> table) {
  InfoTable<LoopsInfo>::get().add(table);
}

const ir::LoopsInfo *ir::findLoops(llvm::StringRef mnemonic) {
  return InfoTable<LoopsInfo>::get().find(mnemonic);
}

std::optional<ir::FormulaKinds> ir::formulaKinds(llvm::StringRef mnemonic,
                                                 ElementKind kind) {
  const LoopsInfo *info = findLoops(mnemonic);
  if (!info || !info->formula || !llvm::is_contained(info->kinds, name(kind)))
    return std::nullopt;
  FormulaKinds kinds{kind, {}};
  auto kindOf = [&](std::string_view text) {
    return text.empty() ? kind : *elementKindNamed(text);
  };
  kinds.result = kindOf(info->signature.front());
  for (const char *operand : info->signature.subspan(1))
    kinds.operands.push_back(kindOf(operand));
  return kinds;
}

/// Names buffers by their operands; buffers of a list get a number as well.
static void nameTensors(const ir::InstrInfo &info,
                        llvm::ArrayRef<unsigned> first,
                        std::vector<loops::Tensor> &tensors) {
  for (auto [i, operand] : llvm::enumerate(info.operands))
    for (unsigned number = first[i]; number < first[i + 1]; ++number)
      tensors[number].name =
          operand.count == Count::Many
              ? (operand.name + Twine(number - first[i])).str()
              : std::string(operand.name);
}

/// The conditions on sizes of the module of an instruction.
static std::vector<SizeCondition> conditionsAt(Operation *instr) {
  auto module = instr->getParentOfType<ModuleOp>();
  return module ? conditionsOf(module) : std::vector<SizeCondition>();
}

/// Whether loops that depend on such decisions are right in all runs.
static bool areAmong(const std::vector<SizeCondition> &decisions,
                     const std::vector<SizeCondition> &conditions) {
  return llvm::all_of(decisions, [&](const SizeCondition &decision) {
    return llvm::is_contained(conditions, decision);
  });
}

std::unique_ptr<loops::Program> ir::loopsOf(Operation *instr) {
  if (auto scan = dyn_cast<ScanInstr>(instr))
    return loopsOf(scan);
  const LoopsInfo *info = findLoops(instr->getName().stripDialect());
  if (!info)
    return nullptr;
  std::vector<loops::Tensor> tensors;
  for (Value buffer : instr->getOperands()) {
    RankedTensorType type = cast<BufferType>(buffer.getType()).getTensor();
    std::optional<ElementKind> kind = kindOf(type.getElementType());
    if (!kind)
      return nullptr;
    tensors.push_back(loops::tensorOf(*kind, glow::sizesOf(type)));
  }
  llvm::SmallVector<unsigned> first = {0};
  for (int32_t count : segmentsOf(instr))
    first.push_back(first.back() + unsigned(count));
  nameTensors(*findInstr(instr->getName().stripDialect()), first, tensors);
  auto program = std::make_unique<loops::Program>(std::move(tensors));
  SizeDecisions decisions;
  return info->loops(instr, *program, first) && program->complete() &&
                 areAmong(decisions.conditions(), conditionsAt(instr))
             ? std::move(program)
             : nullptr;
}

/// Creates the instruction without verifying it: its record may reject it.
static Operation *make(const ir::InstrOnTypes &instr, const ir::InstrInfo &info,
                       Block &block) {
  MLIRContext *context = instr.buffers.front().getContext();
  Location location = UnknownLoc::get(context);
  OpBuilder builder(context);
  OperationState state(location, ("glowir." + instr.mnemonic).str());
  for (RankedTensorType type : instr.buffers)
    state.operands.push_back(
        block.addArgument(ir::BufferType::get(type), location));
  for (auto [declared, value] :
       llvm::zip_equal(info.attributes, instr.attributes))
    state.addAttribute(declared.name, value);
  bool varies = llvm::count_if(info.operands, [](const auto &operand) {
                  return operand.count != Count::One;
                }) > 1;
  if (varies)
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(instr.segments));
  builder.setInsertionPointToEnd(&block);
  return builder.create(state);
}

std::unique_ptr<loops::Program> ir::loopsOf(const InstrOnTypes &instr) {
  const InstrInfo *info = findInstr(instr.mnemonic);
  if (!info || !findLoops(instr.mnemonic))
    return nullptr;
  Block block;
  Operation *made = make(instr, *info, block);
  bool holds = succeeded(info->verify(made, [](const Twine &) {}));
  return holds ? loopsOf(made) : nullptr;
}
