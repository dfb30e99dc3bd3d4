//===- Texts.cpp - a sample of each node, as text -------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Samples/Texts.h"
#include "CaseMaker.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/IR/Access.h"
#include "glow/IRGen/IRGen.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace glow;

/// The names of a node's operands from its record; operands of a variadic one
/// are numbered.
static std::vector<std::string> operandNames(Operation *node) {
  std::vector<std::string> names;
  const NodeInfo &info = *findNode(node->getName().getStringRef());
  for (auto [operand, size] :
       llvm::zip(info.operands, sizesOfOperands(info, node)))
    for (int32_t i = 0; i < size; ++i)
      names.push_back(operand.name + (operand.count == Count::Many
                                          ? std::to_string(i)
                                          : std::string()));
  return names;
}

/// Gives the storage that a node's operands read the names of its record.
static void nameStorage(ModuleOp module, Operation *node) {
  for (auto [operand, name] :
       llvm::zip(node->getOperands(), operandNames(node))) {
    auto read = operand.getDefiningOp<ReadOp>();
    Operation *storage = module.lookupSymbol(read.getStorage());
    auto symbol = StringAttr::get(module.getContext(), name);
    if (succeeded(SymbolTable::replaceAllSymbolUses(storage, symbol, module)))
      SymbolTable::setSymbolName(storage, symbol);
  }
}

static std::string lineOf(Operation *node) {
  std::string line;
  llvm::raw_string_ostream os(line);
  AsmState state(node->getParentOp());
  node->print(os, state);
  return line;
}

/// The lines of a program that are instructions.
static std::vector<std::string> instructionsOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto function : module.getOps<ir::FuncOp>())
    function->print(os);
  std::vector<std::string> lines;
  for (StringRef line :
       llvm::split(StringRef(text).split("} program {").second, '\n'))
    if (line = line.trim(); line.contains('@') && !line.contains("dealloc"))
      lines.push_back(line.str());
  return lines;
}

static NodeText sampleText(MLIRContext &context, const SampleInfo &sample) {
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
  SampleModule built =
      buildSample(context, sample, operandsOf(context, sample));
  NodeText text{sample.node, sample.label, "", {}};
  if (!built.built)
    return text;
  built.module->walk([&](Operation *node) {
    if (node->getName().getStringRef() != sample.node)
      return;
    nameStorage(*built.module, node);
    node->setLoc(NameLoc::get(
        StringAttr::get(&context, node->getName().stripDialect())));
    text.text = lineOf(node);
  });
  PassManager passes(&context);
  passes.addPass(createGenerateInstrs());
  if (succeeded(passes.run(*built.module)))
    text.instructions = instructionsOf(*built.module);
  return text;
}

std::vector<NodeText> glow::nodeTexts() {
  CaseMaker maker({});
  llvm::StringSet<> seen;
  std::vector<NodeText> texts;
  for (const SampleInfo &sample : allSamples())
    if (!*sample.refuses && seen.insert(sample.node).second)
      texts.push_back(sampleText(maker.context(), sample));
  return texts;
}
