//===- Scan.cpp - instructions that have their loops as text --------------===//
// SPDX-License-Identifier: MIT

#include "glow/IR/Scan.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/FormulaLoops.h"
#include "glow/Loops/Text.h"

using namespace glow;
using namespace mlir;

std::unique_ptr<loops::Program> ir::programOf(StringRef text, Report report) {
  auto programs = loops::parsePrograms(
      text, [&](const char *place, const llvm::Twine &message) {
        report("has wrong loops, at character " +
               llvm::Twine(place - text.begin() + 1) + ": " + message);
      });
  if (!programs)
    return nullptr;
  if (programs->size() != 1) {
    report("has " + llvm::Twine(programs->size()) +
           " programs in its loops, and should have one");
    return nullptr;
  }
  std::unique_ptr<loops::Program> program =
      std::move(programs->front().program);
  if (Status status = checkFormulas(*program); !status.ok()) {
    report(status.message());
    return nullptr;
  }
  return program;
}

std::unique_ptr<loops::Program> ir::loopsOf(ScanInstr scan) {
  return programOf(scan.getLoops(), [](const llvm::Twine &) {});
}

static LogicalResult verifyScan(Operation *instr, Report report) {
  std::unique_ptr<loops::Program> program =
      ir::programOf(cast<ir::ScanInstr>(instr).getLoops(), report);
  if (!program)
    return mlir::failure();
  if (program->tensors.size() != instr->getNumOperands()) {
    report("has loops of " + llvm::Twine(program->tensors.size()) +
           " tensors, and " + llvm::Twine(instr->getNumOperands()) +
           " buffers");
    return mlir::failure();
  }
  for (auto [tensor, type] :
       llvm::zip_equal(program->tensors, ir::tensorsOf(instr->getOperands()))) {
    auto buffer = cast<RankedTensorType>(type);
    std::optional<ElementKind> kind = kindOf(buffer.getElementType());
    if (!tensor.place && kind == tensor.kind &&
        tensor.sizes() == glow::sizesOf(buffer))
      continue;
    report("has loops whose tensor '" + tensor.name +
           "' has another type than its buffer");
    return mlir::failure();
  }
  return success();
}

std::span<const ir::InstrInfo> ir::scanInstr() {
  using enum Qualifier;
  static constexpr OperandInfo operands[] = {{"values", Out, Count::Many},
                                             {"memory", Out, Count::Many},
                                             {"inputs", In, Count::Many}};
  static constexpr AttributeInfo attributes[] = {
      {"loops", AttributeForm::Text, {}}};
  static const InstrInfo rows[] = {
      {"scan", operands, attributes, false, {}, nullptr, verifyScan}};
  return rows;
}

#define GET_OP_CLASSES
#include "glow/IR/Scan.cpp.inc"
